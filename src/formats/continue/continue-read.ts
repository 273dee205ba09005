/** Reads the items of a session of Continue. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, Message, Part, ResultPart, Role } from '../../transcript/types.js';
import { metaMessage, optionalObjects, present } from '../shared/json-fields.js';
import { readContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';

/** An item of role `tool` repeats a result for display. Neither is it sent again, nor is it a message here. */
export const ROLES = table<Role>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  thinking: 'assistant',
  tool: 'meta',
});
/** States of calls that have come to their end. */
const ENDED = new Set(['done', 'errored', 'canceled']);
export const FAILED: ReadonlySet<string> = new Set(['errored', 'canceled']);

export function messageIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('message');
  return message?.isObject ? message : undefined;
}

export function readItem(raw: JsonNode): Message {
  const inner = messageIn(raw);
  const type = inner?.get('role')?.string ?? '';
  const role = ROLES[type] ?? 'meta';
  if (inner === undefined || role === 'meta') return metaMessage(raw, false);
  const said = readContent<Part>(inner.get('content'), 'message.content', readBlock).filter((part) => !isBlank(part));
  const content = type === 'thinking' ? said.map(asThought) : said;
  const summary = summaryIn(raw);
  const parts = [
    ...(role === 'user' ? contextIn(raw) : thoughtIn(raw)),
    ...content,
    ...readCalls(raw, inner),
    ...(summary === undefined ? [] : [{ type: 'text', text: summary, raw: summary } as const]),
  ];
  const message: Message = { role, parts, raw };
  return raw.get(SUMMARY)?.isString ? { ...message, keeps: (sent) => sent.filter(isSystem) } : message;
}

const isSystem = ({ role }: Message) => role === 'system';

// --- texts

function readBlock(block: JsonNode, path: string): ContentPart {
  if (block.isString) return { type: 'text', text: block, raw: block };
  const type = block.get('type')?.string;
  return type === 'text'
    ? readText('text', block, 'text', path)
    : readMedia(block, type === 'imageUrl' ? 'image' : undefined);
}

/** Continue writes an empty text beside calls. */
function isBlank(part: Part): boolean {
  return part.type === 'text' && typeof part.text !== 'string' && part.text.byteLength === 0;
}

function asThought(part: Part): Part {
  return part.type === 'text' ? { ...part, type: 'thinking' } : part;
}

/** What is sent before the text of the user: files, selections, search results. */
function contextIn(raw: JsonNode): Part[] {
  const items = raw.get('contextItems')?.items() ?? [];
  return items.flatMap((item): Part[] => {
    const text = item.get('content');
    return text?.string ? [{ type: 'text', text, raw: item }] : [];
  });
}

/** What the model thought, cut out of its text. */
function thoughtIn(raw: JsonNode): Part[] {
  const text = raw.get('reasoning')?.get('text');
  return text?.string ? [{ type: 'thinking', text, raw: text }] : [];
}

const SUMMARY = 'conversationSummary';

/**
 * The summary of what was said, up to and with this item: the extensions send it in the place of that. The command line
 * puts it into an item of its own, whose text it is: then it is a copy, and not read again.
 */
export function summaryIn(raw: JsonNode): JsonNode | undefined {
  const summary = raw.get(SUMMARY);
  return summary?.string && summary.string !== messageIn(raw)?.get('content')?.string ? summary : undefined;
}

// --- calls

/** The states of the calls. */
export function statesIn(raw: JsonNode): readonly JsonNode[] {
  const single = present(raw, 'toolCallState');
  return [...(single?.isObject ? [single] : []), ...optionalObjects(raw, 'toolCallStates')];
}

/** Calls, each with its result behind it. A state without a call of the message is one of its own. */
function readCalls(raw: JsonNode, inner: JsonNode): Part[] {
  const states = statesIn(raw);
  const calls = optionalObjects(inner, 'toolCalls');
  const stateOf = statesOfCalls(calls, states);
  const taken = new Set(stateOf);
  return [
    ...calls.flatMap((call, index) => [readCall(call), ...resultIn(stateOf[index])]),
    ...states.filter((state) => !taken.has(state)).flatMap((state) => [...ownCall(state), ...resultIn(state)]),
  ];
}

/** The state of each call, by id: ids may be used again. */
export function statesOfCalls(calls: readonly JsonNode[], states: readonly JsonNode[]): (JsonNode | undefined)[] {
  const left = [...states];
  return calls.map((call) => {
    const id = call.get('id')?.string;
    const at = left.findIndex((state) => state.get('toolCallId')?.string === id);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
}

function readCall(call: JsonNode): CallPart {
  const called = call.get('function');
  const tool = called?.get('name')?.string ?? '';
  return { type: 'call', callId: call.get('id')?.string, tool, input: argumentsIn(call) ?? '{}', raw: call };
}

export function argumentsIn(call: JsonNode): JsonNode | undefined {
  return call.get('function') && present(call.get('function')!, 'arguments');
}

function ownCall(state: JsonNode): CallPart[] {
  const call = state.get('toolCall');
  return call?.isObject ? [readCall(call)] : [];
}

/** Without an output, one is sent that says so, where the call came to its end. */
export function resultIn(state: JsonNode | undefined): ResultPart[] {
  const output = state?.get('output');
  const status = state?.get('status')?.string ?? '';
  if (state === undefined || (!output?.isArray && !ENDED.has(status))) return [];
  const content = (output?.items() ?? []).map(readOutput);
  const callId = state.get('toolCallId')?.string;
  return [{ type: 'result', callId, content, isError: FAILED.has(status), raw: state }];
}

function readOutput(item: JsonNode): ContentPart {
  const text = item.get('content');
  return text?.isString ? { type: 'text', text, raw: item } : { type: 'opaque', text: item, raw: item };
}
