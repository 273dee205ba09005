/**
 * Threads of Amp (`~/.local/share/amp/threads/T-….json`): `{v, id, messages, usageLedger}`. Messages have blocks as in
 * Anthropic Messages, but a result stands in the `run` of its block. What a request used stands in `usage` of the reply
 * and in an event of the ledger. No documentation; seen in versions to 2026-09, and in what ccusage reads:
 * https://github.com/ryoppippi/ccusage (2026-11-26)
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet, greatest } from '../../lists.js';
import type { ContentPart, Part, Recorded, ResultPart } from '../../transcript/types.js';
import anthropic from '../anthropic/anthropic-messages.js';
import { writeBlock } from '../anthropic/anthropic-write.js';
import { defineFormat } from '../format.js';
import { idField, joinedString, writeContent } from '../shared/parts.js';
import { recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { apart, withBeside } from './amp-beside.js';
import { isInfo, readInfo, writeSummary } from './amp-info.js';

export default defineFormat({
  id: 'amp-thread',
  traits: { flagsErrors: true, resultsShareMessage: true, resultsLeadText: true },
  messagePaths: ['messages'],
  byteHints: { toolCalls: ['"tool_'] },
  score(raw) {
    const isMessage = raw.get('messageId')?.number !== undefined && raw.get('role') !== undefined;
    return (isMessage || isInfo(raw)) && raw.get('content')?.isArray ? 1 : 0;
  },
  claimsRecord: (record) => /^T-/.test(record.get('id')?.string ?? '') && record.get('v') !== undefined,
  read(raw) {
    if (isInfo(raw)) return readInfo(raw);
    const message = anthropic.read(raw);
    return { ...message, parts: withBeside(message.parts.map(readPart), raw) };
  },
  write(message) {
    const { raw, role, parts } = message;
    if (!(raw instanceof JsonNode))
      return { role: role === 'assistant' || role === 'system' ? role : 'user', content: parts.map(blockOf) };
    if (role === 'meta') return raw;
    const { content, fields } = apart(parts, raw);
    return patch(raw, { content: writeContent(content, raw.get('content'), blockOf), ...fields });
  },
  /** A message that was added gets a number that no other has: events of the ledger name the others by theirs. */
  beforeWrite(rows, before) {
    let last = greatest(
      before.map((node) => node.get('messageId')?.number ?? -1),
      -1,
    );
    return rows.map(({ node, json }) => (node === undefined ? { messageId: ++last, ...(json as JsonFields) } : json));
  },
  describe(record) {
    const messages = record.get('messages')?.items() ?? [];
    const [tree] = record.get('env')?.get('initial')?.get('trees')?.items() ?? [];
    return {
      id: record.get('id')?.string,
      model: messages.map((message) => message.get('usage')?.get('model')?.string).find((model) => model !== undefined),
      project: tree?.get('uri')?.string?.replace(/^file:\/\//, ''),
      title: record.get('title')?.string,
      others: unansweredIn(record, messages),
    };
  },
  recorded: (raw) => recordedOf(requestIn(raw.get('usage'))),
});

/** The events of the ledger whose usage no message states. */
function unansweredIn(record: JsonNode, messages: readonly JsonNode[]): readonly Recorded[] {
  const stated = new Set(
    messages.filter((one) => one.get('usage')?.isObject).map((one) => one.get('messageId')?.number),
  );
  const events = record.get('usageLedger')?.get('events')?.items() ?? [];
  return events
    .filter((event) => !stated.has(event.get('toMessageId')?.number))
    .flatMap((event) => recordedOf({ ...requestIn(event), requestId: event.get('id')?.string }) ?? []);
}

/** Of a message's `usage`, or of an event, which has its figures in `tokens`. */
function requestIn(node: JsonNode | undefined): Recorded {
  const [figures, short] = [node?.get('tokens') ?? node, node?.get('tokens') !== undefined];
  const usage = usageFromUncached(
    tokens(figures, short ? 'input' : 'inputTokens'),
    tokens(figures, short ? 'output' : 'outputTokens'),
    {
      cacheRead: tokens(figures, 'cacheReadInputTokens') ?? 0,
      cacheWrite5m: tokens(figures, 'cacheCreationInputTokens') ?? 0,
    },
  );
  return { model: node?.get('model')?.string, time: timeOf(node?.get('timestamp')), usage };
}

// --- results

/** What Amp sends as an error. */
const FAILED = commaSet('error, cancelled, rejected-by-user');
/** Where a run has its result: a text, the output of a command, or another value. */
const PLACES = [['error', 'message'], ['result', 'output'], ['result']] as const;

function placeIn(run: JsonNode) {
  const isText = ([name, key]: (typeof PLACES)[number]) => key === undefined || run.get(name)?.get(key)?.isString;
  const path = PLACES.find(isText)!;
  const [name, key] = path;
  return { name, key, node: key === undefined ? run.get(name) : run.get(name)?.get(key) };
}

function readPart(part: Part): Part {
  const run = part.type === 'result' && part.raw instanceof JsonNode ? part.raw.get('run') : undefined;
  if (part.type !== 'result' || !run?.isObject) return part;
  const { node } = placeIn(run);
  const content: ContentPart[] = node === undefined || node.isNull ? [] : [{ type: 'text', text: node, raw: node }];
  const callId = (part.raw as JsonNode).get('toolUseID')?.string;
  return { ...part, callId, content, isError: FAILED.has(run.get('status')?.string ?? '') };
}

function blockOf(part: Part): Json {
  return part.type === 'result' ? writeResult(part) : (writeSummary(part) ?? writeBlock(part));
}

function writeResult(part: ResultPart): Json {
  const { raw, content, isError } = part;
  const run = raw instanceof JsonNode ? raw.get('run') : undefined;
  const text = joinedString(content);
  if (!(raw instanceof JsonNode) || !run?.isObject)
    return {
      type: 'tool_result',
      toolUseID: part.callId ?? '',
      run: isError ? { status: 'error', error: { message: text } } : { status: 'done', result: text },
    };
  const { name, key, node } = placeIn(run);
  const isSame = content.length === 0 ? node === undefined || node.isNull : node?.is(content[0]!.raw) && text === node;
  const written = isSame
    ? run
    : patch(run, { [name]: key === undefined ? text : patch(run.get(name)!, { [key]: text }) });
  return patch(raw, { ...idField('toolUseID', part), run: written });
}
