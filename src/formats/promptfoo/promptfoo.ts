/**
 * Results of promptfoo: `{evalId, results: {results: [...]}}`, or a result a line. Each result is a request: its prompt
 * is a text, or chat messages as JSON in a string; its output is a text, calls, or any JSON value.
 * https://www.promptfoo.dev/docs/configuration/reference/#evaluateresult (2026-11-22)
 */
import type { JsonNode } from '../../json/node.js';
import type { Recorded } from '../../transcript/types.js';
import { NO_USAGE } from '../../transcript/usage.js';
import { defineFormat } from '../format.js';
import { type EditableList, findMessages, type Side } from '../shared/conversation.js';
import { embeddedFormat, plainText } from '../shared/embedded-messages.js';
import { exchangeEnvelope, type HeldExchange } from '../shared/exchange-envelope.js';
import { present } from '../shared/json-fields.js';
import { costField, recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'promptfoo',
  explainEmpty: (record) => (record.get('evalId') === undefined ? undefined : 'no result has a prompt or an output'),
  envelope: exchangeEnvelope(resultsIn),
});

function resultsIn(record: JsonNode): HeldExchange[] {
  const held = record.get('results');
  const list = held?.isObject ? held.get('results') : held;
  const time = timeOf(held?.get('timestamp'));
  return (list?.isArray ? list.items() : [record]).filter(isResult).map((node) => resultOf(node, time));
}

function isResult(node: JsonNode): boolean {
  return node.get('prompt')?.get('raw')?.isString === true && node.get('vars')?.isObject === true;
}

function resultOf(node: JsonNode, time: number | undefined): HeldExchange {
  const response = node.get('response');
  const input = node.get('prompt')?.get('raw');
  const output = response && present(response, 'output');
  const request = recordedIn(node, time);
  return {
    node,
    input,
    output,
    exchange: { input: sideOf(input, 'user'), output: sideOf(output, 'assistant'), isRequest: true, request },
    about: { id: node.get('id')?.string, model: modelOf(node) },
  };
}

/** The messages in a prompt or an output; a value of any other kind is one message. */
function sideOf(node: JsonNode | undefined, side: Side): EditableList | undefined {
  if (node === undefined || node.text === '') return undefined;
  const found = findMessages(node, side);
  const fits = side === 'user' || found?.messages.every(({ lens, message }) => lens.read(message).role === 'assistant');
  if (found !== undefined && fits) return found;
  return {
    messages: [{ lens: plainText(side), message: node }],
    isList: false,
    replace: (messages) => messages.find(({ from }) => from === 0)?.message ?? '',
  };
}

/** A response from promptfoo's own cache took no request. */
function recordedIn(node: JsonNode, time: number | undefined): Recorded | undefined {
  const response = node.get('response');
  const model = modelOf(node);
  if (response?.get('cached')?.boolean === true)
    return { model, time, usage: NO_USAGE, cost: '0', billing: { requests: 0 } };
  const used = response?.get('tokenUsage');
  const requests = tokens(used, 'numRequests') ?? 1;
  const usage = usageFromTotals(tokens(used, 'prompt'), tokens(used, 'completion'), {
    reasoning: tokens(used?.get('completionDetails'), 'reasoning'),
  });
  return recordedOf({
    model,
    time,
    usage,
    cost: costField(response, 'cost'), // the result's own cost is 0 where none is known
    ...(requests > 1 ? { billing: { requests } } : {}),
  });
}

/** The kinds of a provider's APIs, between its name and the model: `openai:chat:gpt-4o`. */
const API = /^(?:chat|responses|completion|messages|converse|deployment):/;

/** A provider is `{id: "openai:gpt-5"}`, or only the id. */
function modelOf(node: JsonNode): string | undefined {
  const provider = node.get('provider');
  const id = (provider?.get('id') ?? provider)?.string;
  const rest = id === undefined ? '' : id.slice(id.indexOf(':') + 1).replace(API, '');
  return id?.includes(':') && rest !== '' ? rest : undefined;
}
