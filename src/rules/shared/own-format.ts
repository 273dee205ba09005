/** What is visible only in the provider's own format: blocks of messages and settings of the request. */
import { JsonNode } from '../../json/node.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { providers } from '../providers.js';
import type { RuleContext } from '../rule.js';

/** Whether a message was read from the provider's own format. */
export function isOwn({ wire, transcript, provider }: RuleContext, message: Message): boolean {
  return (
    wire(message) !== undefined ||
    (transcript.format === provider.format && message.raw instanceof JsonNode && message.role === 'system')
  );
}

/**
 * Whether a recording has only what the model said: no word of a user and no result, or a reply of several calls none
 * of which has its result. So has a run that an agent tells as one response, with the results in its output: no API
 * returns these. NVIDIA-NeMo/Gym, responses_api_agents/harbor_agent/example, 2026-11: it keeps one result for several
 * calls, under ids of its own.
 */
export function holdsOnlyReplies({ transcript, pairing, request }: RuleContext): boolean {
  const { messages, traits } = transcript;
  const output = request?.get('response')?.get('output');
  if (output?.isArray && output.items().some((item) => item.get('type')?.string === 'function_call_output'))
    return true;
  if (messages.every(({ role }) => role === 'assistant' || role === 'meta')) return messages.length > 1;
  return traits.endsOnReply === true && pairing.results.length === 0 && pairing.calls.length > 1;
}

const WIRE_FORMATS: ReadonlySet<string | undefined> = new Set(providers.flatMap(({ format, also }) => [format, also]));

/** Whether a transcript is an agent's log, from which the agent builds what it sends. */
export function isLog({ format }: Transcript): boolean {
  return !WIRE_FORMATS.has(format);
}

/** Fields of request bodies that hold the messages. */
const LISTS = ['messages', 'contents', 'input'];

/** Whether a message is in a request body that has all these settings too. */
export function isSent(context: RuleContext, { raw, origin }: Message, settings: readonly string[] = []): boolean {
  const stood = origin ?? raw;
  return bodiesIn(context).some((body) => {
    const list = LISTS.map((key) => body?.get(key)).find((node) => node?.isArray);
    const isIn = list !== undefined && stood instanceof JsonNode && list.encloses(stood);
    return isIn && settings.every((key) => body?.get(key) !== undefined);
  });
}

/** Where the record of an exchange, or of a log, holds the request. */
const AROUND: readonly (readonly string[])[] = [
  [],
  ['request'],
  ['body'],
  ['input', 'inputBodyJson'],
  ['responses_create_params'],
];

type Bodies = readonly (JsonNode | undefined)[];

/** Many rules ask for those of one record. */
let last: { readonly request: JsonNode | undefined; readonly bodies: Bodies } | undefined;

function bodiesIn({ request }: RuleContext): Bodies {
  if (last === undefined || last.request !== request) last = { request, bodies: bodiesOf(request) };
  return last.bodies;
}

function bodiesOf(request: JsonNode | undefined): Bodies {
  return AROUND.map((path) => path.reduce<JsonNode | undefined>((node, key) => node?.get(key), request));
}

/** The request body, as fixes left it, which holds the messages; undefined where the recording has none. */
export function bodyOf(context: RuleContext): JsonNode | undefined {
  const { written } = context.transcript.body ?? {};
  return written instanceof JsonNode ? written : bodiesIn(context).find((body) => listOf(body) !== undefined);
}

/** The messages of a request body: a list, or the text of one. */
export function listOf(body: JsonNode | undefined): JsonNode | undefined {
  return LISTS.map((key) => body?.get(key)).find((node) => node?.isArray || node?.isString);
}

/** A setting of the request; null counts as missing. */
export function settingOf(context: RuleContext, key: string): JsonNode | undefined {
  return [bodyOf(context), ...bodiesIn(context)]
    .map((body) => body?.get(key))
    .find((setting) => setting !== undefined && !setting.isNull);
}
