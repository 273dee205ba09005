/**
 * Inspect AI logs: one object `{version, status, eval, …, samples}`, each sample with `messages`; or a sample alone, as `.eval`
 * archives hold them. A call has the tool's name in `function` and its arguments as a value; a result names call and tool, and what
 * went wrong stands in its `error`: that text is then what the model reads. Texts and images may be `attachment://<hash>`.
 * https://inspect.aisi.org.uk/reference/inspect_ai.model.html#messages
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { JsonSource } from '../../json/strings.js';
import { joinTexts } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  MediaPart,
  Message,
  Part,
  Recorded,
  ResultPart,
  Role,
  Usage,
} from '../../transcript/types.js';
import { type Description, defineFormat } from '../format.js';
import {
  json,
  jsonValue,
  optionalObjects,
  optionalString,
  present,
  stringIn,
  wrongType,
} from '../shared/json-fields.js';
import {
  idField,
  isContent,
  isResult,
  joinedString,
  readContent,
  readMedia,
  readText,
  writeContent,
} from '../shared/parts.js';
import { costField, recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { echoesIn, keysIn } from './inspect-events.js';

const ROLES = table<Role>({
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
});
const MEDIA = table<MediaPart['kind']>({
  image: 'image',
  audio: 'audio',
  video: 'file',
  document: 'file',
});
/** Blocks of other formats: a message with them is none of ours. */
const FOREIGN_BLOCKS = new Set([
  'tool_result',
  'tool_call',
  'toolCall',
  'tool-call',
  'image_url',
  'input_text',
  'output_text',
  'thinking',
  'function_call',
]);
const OWN_ID = /^[2-9A-HJ-NP-Za-km-z]{22}$/;
/** The roles by whom something was said: Inspect writes where a message comes from. */
const SOURCES = new Set(['input', 'generate']);

export default defineFormat({
  id: 'inspect',
  traits: { flagsErrors: true },
  messagePaths: ['samples[].messages', 'messages'],
  score(raw) {
    const role = raw.get('role')?.string;
    const content = raw.get('content');
    if (role === undefined || !(role in ROLES) || raw.get('parts') !== undefined) return 0;
    if (content?.items().some((block) => FOREIGN_BLOCKS.has(block.get('type')?.string ?? ''))) return -1;
    const call = raw.get('tool_calls')?.items()[0];
    if (call !== undefined) return call.get('function')?.isString ? 1 : -1;
    if (role === 'tool')
      return raw.get('tool_call_id') === undefined || raw.get('name') !== undefined
        ? -1
        : raw.get('function')?.isString
          ? 1
          : 0.1;
    if (content === undefined || content.isNull) return 0;
    if (SOURCES.has(raw.get('source')?.string ?? '') || OWN_ID.test(raw.get('id')?.string ?? '')) return 0.9;
    return raw.get('id') === undefined ? 0.52 : 0.3;
  },
  read(raw) {
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = readContent(raw.get('content'), 'content', readBlock);
    if (role === 'tool') return { role, parts: [readResult(raw, parts.filter(isContent))], raw };
    if (role !== 'assistant') return { role, parts, raw };
    const reasoning = raw.get('reasoning');
    const thoughts: Part[] =
      reasoning?.isString && reasoning.byteLength > 0 ? [{ type: 'thinking', text: reasoning, raw: reasoning }] : [];
    return {
      role,
      parts: [...thoughts, ...parts, ...optionalObjects(raw, 'tool_calls').map(readCall)],
      model: optionalString(raw, 'model'),
      raw,
    };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const result = message.parts.find(isResult);
    if (result !== undefined) return patch(raw, { ...idField('tool_call_id', result), ...writeResult(result, raw) });
    const [thought] = message.parts.filter((part) => part.type === 'thinking' && raw.get('reasoning')?.is(part.raw));
    const fields: Record<string, Json | undefined> = {
      content: writeBlocks(message.parts.filter(isInContent(raw)), raw.get('content')),
      ...writeCalls(message.parts, raw),
    };
    if (raw.get('reasoning')?.isString && raw.get('reasoning')!.byteLength > 0)
      fields['reasoning'] = thought?.type === 'thinking' ? json(thought.text) : undefined;
    return patch(raw, fields);
  },
  describe,
  recorded,
  syncDuplicates(record, changes) {
    const sample = sampleOf(record, changes[0]?.before.raw as JsonNode);
    return sample === undefined ? [] : echoesIn(sample, changes);
  },
});

/** The sample that holds a value: the record itself, where it is one. */
function sampleOf(record: JsonNode, inside: JsonNode | undefined): JsonNode | undefined {
  const samples = record.get('samples');
  if (samples === undefined || inside === undefined) return record.get('messages') === undefined ? undefined : record;
  return samples.items().find((sample) => sample.start <= inside.start && inside.end <= sample.end);
}

// --- reading

function readBlock(block: JsonNode, path: string): Part {
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text' || type === 'reasoning') {
    return readText(type === 'text' ? 'text' : 'thinking', block, type, path);
  }
  return readMedia(block, MEDIA[type]);
}

function readCall(call: JsonNode, index: number): CallPart {
  const text = (key: string) => stringIn(call.get(key), `tool_calls[${index}].${key}`) ?? '';
  return { type: 'call', callId: text('id'), tool: text('function'), input: call.get('arguments') ?? '{}', raw: call };
}

function readResult(raw: JsonNode, content: readonly ContentPart[]): ResultPart {
  const error = present(raw, 'error');
  const told = error?.get('message');
  const said: readonly ContentPart[] =
    told?.isString && isSilent(content) ? [{ type: 'text', text: told, raw: told }] : content;
  return {
    type: 'result',
    callId: optionalString(raw, 'tool_call_id') ?? '',
    tool: optionalString(raw, 'function'),
    content: said,
    isError: error !== undefined,
    raw,
  };
}

/** Whether a content has no text, and nothing else either. */
function isSilent(content: readonly ContentPart[]): boolean {
  return content.every((part) => part.type === 'text' && joinTexts([part]) === '');
}

// --- writing

function isInContent(raw: JsonNode): (part: Part) => boolean {
  return (part) => part.type !== 'call' && part.type !== 'result' && !raw.get('reasoning')?.is(part.raw);
}

/** Where there was neither a text nor a list, there is a list. */
function writeBlocks(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, writeBlock, ({ text }) => ((old?.isString ?? true) ? json(text) : undefined));
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (!(raw instanceof JsonNode) || !raw.isObject) return freshBlock(part);
  if (part.type === 'text') return patch(raw, { text: json(part.text) });
  return part.type === 'thinking' ? patch(raw, { reasoning: json(part.text) }) : raw;
}

function freshBlock(part: Part): Json {
  if (part.type === 'text') return { type: 'text', text: json(part.text) };
  if (part.type === 'thinking') return { type: 'reasoning', reasoning: json(part.text) };
  return part.type !== 'call' && part.type !== 'result' && part.raw instanceof JsonNode
    ? part.raw
    : { type: part.type };
}

/** An error's text stands in `error`, in the content, or in both: what is said instead stands where it stood. */
function writeResult({ content }: ResultPart, raw: JsonNode): JsonFields {
  const error = present(raw, 'error');
  const told = error?.get('message');
  const old = raw.get('content');
  if (error === undefined || !told?.isString) return { content: writeBlocks(content, old) };
  const before = readContent(old, 'content', readBlock).filter(isContent);
  const isOnlyInError = isSilent(before);
  const written =
    isOnlyInError && content.length < 2 && content.every(({ type }) => type === 'text')
      ? old
      : writeBlocks(content, old);
  const isNew = isOnlyInError || (told.text === joinTexts(before) && written !== old && old?.is(written) !== true);
  return { content: written, ...(isNew ? { error: patch(error, { message: joinedString(content) }) } : {}) };
}

function writeCalls(parts: readonly Part[], raw: JsonNode): JsonFields {
  const calls = parts.filter((part) => part.type === 'call').map(writeCall);
  const list = present(raw, 'tool_calls');
  if (list === undefined) return calls.length === 0 ? {} : { tool_calls: calls };
  return { tool_calls: calls.length === 0 && list.length > 0 ? undefined : patchItems(list, calls) };
}

/** `view` shows the arguments: with others it goes. */
function writeCall(call: CallPart): Json {
  const { raw } = call;
  if (!(raw instanceof JsonNode)) return freshCall(call);
  const old = raw.get('arguments');
  const input = old === undefined ? undefined : jsonValue(call.input);
  return patch(raw, {
    ...idField('id', call),
    arguments: input,
    ...(old === undefined || old.is(input) ? {} : { view: undefined }),
  });
}

function freshCall(call: CallPart): Json {
  return { id: call.callId ?? '', function: call.tool, arguments: jsonValue(call.input), type: 'function' };
}

function fresh({ role, parts, model }: Message): Json {
  const result = parts.find(isResult);
  if (result !== undefined) {
    const content = writeBlocks(result.content, undefined) ?? '';
    const error = result.isError ? { type: 'unknown', message: joinTexts(result.content) } : undefined;
    return { role: 'tool', content, tool_call_id: result.callId ?? '', function: result.tool, error };
  }
  const calls = parts.filter((part) => part.type === 'call').map(freshCall);
  const said = parts.filter((part) => part.type !== 'call');
  return {
    role: role === 'meta' ? 'user' : role,
    content: writeBlocks(said, undefined) ?? '',
    tool_calls: calls.length === 0 ? undefined : calls,
    model,
  };
}

// --- what the log says

/** A sample is named as archives name it. The model is the one that replied last, or else the one that the task was run with. */
function describe(record: JsonNode, list?: JsonNode): Description {
  const sample = sampleOf(record, list);
  const [id, epoch] = [sample?.get('id'), sample?.get('epoch')];
  const models = [sample?.get('output')?.get('model'), record.get('eval')?.get('model')].map((model) => model?.string);
  const tools =
    sample === undefined ? undefined : modelEvents(sample).findLast((event) => (event.get('tools')?.length ?? 0) > 0);
  return {
    id: id === undefined || id.isNull ? undefined : epoch === undefined ? id.text : `${id.text}_epoch_${epoch.text}`,
    model: models.find((model) => model !== undefined && model !== ''),
    tools: tools?.get('tools'),
  };
}

function modelEvents(sample: JsonNode): JsonNode[] {
  const events = sample.get('events') ?? sample.get('transcript')?.get('events');
  return (events?.items() ?? []).filter((event) => event.get('event')?.string === 'model');
}

/** A reply's request is the model event that has it as its output; without events, the last reply's is in the sample's `output`. */
function recorded(raw: JsonNode, record?: JsonNode): Recorded | undefined {
  const sample = record && sampleOf(record, raw);
  if (sample === undefined || raw.get('role')?.string !== 'assistant') return undefined;
  const { keyOf, byKey } = requestsIn(sample);
  const request = byKey.get(keyOf(raw));
  const output = request?.get('output') ?? request;
  if (output === undefined) return undefined;
  const usage = request?.get('cache')?.string === 'read' ? undefined : output.get('usage'); // taken from Inspect's own cache: nothing was asked
  return recordedOf({
    responseId: request?.get('call')?.get('response')?.get('id')?.string,
    model: output.get('model')?.string,
    time: timeOf(request?.get('completed')) ?? timeOf(request?.get('timestamp')),
    usage: inspectUsage(usage),
    cost: costField(usage, 'total_cost'),
  });
}

interface Requests {
  readonly keyOf: (message: JsonNode) => string;
  /** Model events, or the sample's output, by their reply. */
  readonly byKey: ReadonlyMap<string, JsonNode>;
}
const known = new WeakMap<JsonSource, Map<number, Requests>>();

function requestsIn(sample: JsonNode): Requests {
  const samples = known.get(sample.source) ?? new Map<number, Requests>();
  known.set(sample.source, samples);
  const found = samples.get(sample.at) ?? findRequests(sample);
  samples.set(sample.at, found);
  return found;
}

function findRequests(sample: JsonNode): Requests {
  const keyOf = keysIn(sample);
  const byKey = new Map<string, JsonNode>();
  const add = (output: JsonNode | undefined, holder: JsonNode) => {
    const reply = output?.get('choices')?.items()[0]?.get('message');
    if (reply !== undefined) byKey.set(keyOf(reply), holder);
  };
  const last = sample.get('output');
  if (last !== undefined) add(last, last);
  for (const event of modelEvents(sample)) add(event.get('output'), event);
  return { keyOf, byKey };
}

/**
 * Inspect's `input_tokens` leave out what a cache had to do with; before 2026 those of most providers held it. The total tells: it
 * is everything, each once. Gemini's reasoning once stood beside its output. https://github.com/UKGovernmentBEIS/inspect_ai/pull/3341
 */
function inspectUsage(usage: JsonNode | undefined): Usage | undefined {
  const input = tokens(usage, 'input_tokens');
  const said = tokens(usage, 'output_tokens');
  if (input === undefined && said === undefined) return undefined;
  const [cacheRead, cacheWrite5m, reasoning] = [
    'input_tokens_cache_read',
    'input_tokens_cache_write',
    'reasoning_tokens',
  ].map((key) => tokens(usage, key) ?? 0) as [number, number, number];
  const beside = (tokens(usage, 'total_tokens') ?? Number.NaN) - (input ?? 0) - (said ?? 0);
  const cached = cacheRead + cacheWrite5m;
  const holdsCached = cached > 0 && (beside === 0 || (reasoning > 0 && beside === reasoning && beside !== cached));
  const output =
    (said ?? 0) +
    (reasoning > 0 && (beside === reasoning || beside === reasoning + cached) && beside !== cached ? reasoning : 0);
  return usageOf({
    input: Math.max(0, (input ?? 0) - (holdsCached ? cached : 0)),
    cacheRead,
    cacheWrite5m,
    output,
    reasoning,
  });
}
