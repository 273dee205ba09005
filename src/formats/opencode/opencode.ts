/**
 * opencode's sessions. An export is `{info, messages: [{info, parts}]}`; a call and its result are one part `{type: "tool", callID,
 * tool, state: {status, input, output, error, …}}`. On disk every session, every message (without its parts) and every part is a
 * file of its own: a part with a call is a message here, the other files are lines that hold none.
 * https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/message-v2.ts
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
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
import { defineFormat } from '../format.js';
import { json, jsonValue, objectsIn, optionalString, present, stringIn, wrongMember } from '../shared/json-fields.js';
import { idField, inputField, mediaKind } from '../shared/parts.js';
import { costField, recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { emptied, mendMessages, mendParts } from './opencode-list.js';

const ROLES = table<Role>({ user: 'user', assistant: 'assistant' });
/** Parts that only keep the books: the model never sees them. */
const SILENT = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry']);
const PART_TYPES = new Set(['text', 'reasoning', 'tool', 'file', 'agent', 'subtask', 'compaction', ...SILENT]);

export default defineFormat({
  id: 'opencode',
  traits: { resultsStandInCalls: true, flagsErrors: true },
  messagePaths: ['messages'],
  score(raw) {
    const info = raw.get('info');
    if (info !== undefined) return (info.get('role')?.string ?? '') in ROLES && raw.get('parts')?.isArray ? 1 : 0;
    return isSession(raw) || isMessageFile(raw) || isPartFile(raw) ? 0.95 : 0;
  },
  read(raw) {
    const info = raw.get('info');
    if (info === undefined)
      return isToolPart(raw) ? { role: 'assistant', parts: readTool(raw, ''), raw } : { role: 'meta', parts: [], raw };
    const role = ROLES[stringIn(info.get('role'), 'info.role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = [
      ...readSystem(info),
      ...objectsIn(raw.get('parts'), 'parts').flatMap((part, index) => readPart(part, `parts[${index}].`)),
    ];
    const model = role === 'assistant' ? optionalString(info, 'modelID') : undefined;
    return { role, parts, model, raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    if (message.role === 'meta') return raw;
    const info = raw.get('info');
    if (info === undefined) return writeParts(parts, [raw], undefined)[0] ?? emptied(raw);
    const list = present(raw, 'parts');
    const system = parts.some((part) => isSystem(part, info)) ? info.get('system') : undefined;
    const spoken = parts.filter((part) => !isSystem(part, info));
    const written = writeParts(spoken, list?.items() ?? [], info.get('time'));
    return patch(raw, {
      info: info.get('system')?.isString ? patch(info, { system }) : info,
      ...(list === undefined && written.length === 0
        ? {}
        : { parts: list === undefined ? written : patchItems(list, written) }),
    });
  },
  describe(record) {
    const info = record.get('info');
    const models = (record.get('messages')?.items() ?? []).map((message) => message.get('info')?.get('modelID'));
    return {
      id: info?.get('id')?.string,
      model: [info?.get('model')?.get('id'), ...models].find((model) => model?.isString)?.string,
    };
  },
  header(line) {
    return {
      id:
        line.get('sessionID')?.string ??
        (isSession(line) ? line.get('id')?.string : undefined) ??
        line.get('info')?.get('sessionID')?.string,
    };
  },
  recorded,
  beforeWrite(rows, before) {
    return before.some((node) => node.get('info') !== undefined) ? mendMessages(rows, before) : mendParts(rows, before);
  },
});

function isSession(raw: JsonNode): boolean {
  return (
    ['id', 'projectID', 'directory'].every((key) => raw.get(key)?.isString) &&
    raw.get('time')?.get('created')?.number !== undefined
  );
}

function isMessageFile(raw: JsonNode): boolean {
  const isOurs = (raw.get('role')?.string ?? '') in ROLES && ['id', 'sessionID'].every((key) => raw.get(key)?.isString);
  return (
    isOurs &&
    raw.get('time')?.get('created')?.number !== undefined &&
    raw.get('content') === undefined &&
    raw.get('parts') === undefined
  );
}

/** Early parts do not say which message they belong to. */
function isPartFile(raw: JsonNode): boolean {
  if (!raw.get('id')?.isString || !PART_TYPES.has(raw.get('type')?.string ?? '')) return false;
  return (
    ['sessionID', 'messageID'].every((key) => raw.get(key)?.isString) ||
    raw.get('time')?.get('start')?.number !== undefined ||
    isToolPart(raw)
  );
}

function isToolPart(raw: JsonNode): boolean {
  return raw.get('type')?.string === 'tool' && raw.get('callID') !== undefined && raw.get('state')?.isObject === true;
}

/** What a message, in an export or a file of its own, says of its request. */
function recorded(raw: JsonNode): Recorded | undefined {
  const info = raw.get('info') ?? (isMessageFile(raw) ? raw : undefined);
  if (info === undefined)
    return recordedOf({
      sessionId: raw.get('sessionID')?.string,
      time: timeOf(raw.get('state')?.get('time')?.get('start')),
    });
  const around = { sessionId: info.get('sessionID')?.string, time: timeOf(info.get('time')?.get('created')) };
  if (info.get('role')?.string !== 'assistant') return recordedOf(around);
  const usage = usageIn(info.get('tokens'));
  return recordedOf({ ...around, model: info.get('modelID')?.string, usage, cost: usage && costField(info, 'cost') });
}

/**
 * `input` is what no cache had to do with. `output` is without the reasoning, and opencode prices both; earlier versions took the
 * provider's figure, which mostly holds it: `total`, where it is there, tells. All zero is a request that never ended.
 */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  const [input, output, reasoning] = ['input', 'output', 'reasoning'].map((key) => tokens(counts, key) ?? 0) as [
    number,
    number,
    number,
  ];
  const [cacheRead, cacheWrite5m] = ['read', 'write'].map((key) => tokens(counts?.get('cache'), key) ?? 0) as [
    number,
    number,
  ];
  const sum = input + output + cacheRead + cacheWrite5m;
  if (sum + reasoning === 0) return undefined;
  const holdsReasoning = tokens(counts, 'total') === sum && output >= reasoning;
  return usageOf({ input, cacheRead, cacheWrite5m, output: holdsReasoning ? output : output + reasoning, reasoning });
}

// --- reading

/** What the caller adds to the system prompt stands with the user's message. */
function readSystem(info: JsonNode): Part[] {
  const system = info.get('system');
  return system?.isString ? [{ type: 'opaque', text: system, raw: system }] : [];
}

function isSystem(part: Part, info: JsonNode): boolean {
  return part.type === 'opaque' && info.get('system')?.is(part.raw) === true;
}

function readPart(part: JsonNode, path: string): Part[] {
  const type = stringIn(part.get('type'), `${path}type`) ?? '';
  if (SILENT.has(type)) return [];
  if (type === 'text' || type === 'reasoning') {
    const text = part.get('text');
    return text?.isString
      ? [{ type: type === 'text' ? 'text' : 'thinking', text, raw: part }]
      : wrongMember(text, part, `${path}text`, 'a string');
  }
  if (type === 'tool') return readTool(part, path);
  return [type === 'file' ? readFile(part) : { type: 'opaque', text: part.get('prompt'), raw: part }];
}

function readFile(part: JsonNode): MediaPart {
  return { type: 'media', kind: mediaKind(part.get('mime')?.string), raw: part };
}

/** A call, and its result behind it. A result that has no input beside it is one without a call: nobody but us writes that. */
function readTool(part: JsonNode, path: string): (CallPart | ResultPart)[] {
  const state = part.get('state');
  if (!state?.isObject) return wrongMember(state, part, `${path}state`, 'an object');
  const callId = stringIn(part.get('callID'), `${path}callID`) ?? '';
  const tool = stringIn(part.get('tool'), `${path}tool`) ?? '';
  const input = state.get('input');
  const status = stringIn(state.get('status'), `${path}state.status`);
  const isError = status === 'error';
  const isAnswered = isError || status === 'completed';
  const calls: CallPart[] =
    input === undefined && isAnswered ? [] : [{ type: 'call', callId, tool, input: input ?? '{}', raw: part }];
  if (!isAnswered) return calls;
  const text = outputIn(state);
  const texts: ContentPart[] = text === undefined ? [] : [{ type: 'text', text, raw: text }];
  return [
    ...calls,
    {
      type: 'result',
      callId,
      tool,
      content: [...texts, ...objectsIn(state.get('attachments'), `${path}state.attachments`).map(readFile)],
      isError,
      raw: part,
    },
  ];
}

/** What the model sees of a result: of one that was interrupted, what had come until then. */
function outputIn(state: JsonNode): JsonNode | undefined {
  const key = outputKey(state);
  const text = key === 'interrupted' ? state.get('metadata')?.get('output') : state.get(key);
  return text?.isString ? text : undefined;
}

function outputKey(state: JsonNode): 'output' | 'error' | 'interrupted' {
  if (state.get('status')?.string !== 'error') return 'output';
  const metadata = state.get('metadata');
  return metadata?.get('interrupted')?.boolean === true && metadata.get('output')?.isString ? 'interrupted' : 'error';
}

// --- writing

/** The parts as values: silent ones stay where they stood, a call and the result behind it become one. */
function writeParts(parts: readonly Part[], before: readonly JsonNode[], time: JsonNode | undefined): Json[] {
  const written: Json[] = [];
  let next = 0;
  const passSilent = (end: number) => {
    for (; next < end; next++) if (SILENT.has(before[next]!.get('type')?.string ?? '')) written.push(before[next]!);
  };
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const at = before.findIndex((node, index) => index >= next && node.is(part.raw));
    if (at >= 0) {
      passSilent(at);
      next = at + 1;
    }
    if (part.type === 'call') {
      const following = parts[i + 1];
      const result =
        following?.type === 'result' && (following.raw === undefined || following.raw === part.raw)
          ? following
          : undefined;
      if (result !== undefined) i++;
      written.push(writeTool(part, result, time));
    } else written.push(part.type === 'result' ? writeTool(undefined, part, time) : writePart(part));
  }
  passSilent(before.length);
  return written;
}

function writePart(part: Exclude<Part, CallPart | ResultPart>): Json {
  const { raw } = part;
  const node = raw instanceof JsonNode ? raw : undefined;
  if (part.type !== 'text' && part.type !== 'thinking') return node ?? { type: part.type };
  return node?.isObject
    ? patch(node, { text: json(part.text) })
    : { type: part.type === 'text' ? 'text' : 'reasoning', text: json(part.text) };
}

function writeTool(call: CallPart | undefined, result: ResultPart | undefined, time: JsonNode | undefined): Json {
  const part = call ?? result!;
  const { raw } = part;
  if (!(raw instanceof JsonNode))
    return { type: 'tool', callID: part.callId ?? '', tool: part.tool ?? '', state: freshState(call, result, time) };
  const state = raw.get('state')!;
  return patch(raw, {
    ...idField('callID', part),
    state: patch(state, {
      ...inputFields(call, result, state),
      ...resultFields(result, state, time),
    }),
  });
}

/** A result without an input beside it would be read as one without a call. */
function inputFields(call: CallPart | undefined, result: ResultPart | undefined, state: JsonNode): JsonFields {
  if (call === undefined) return { input: undefined };
  const old = state.get('input');
  return old === undefined && result !== undefined ? { input: jsonValue(call.input) } : inputField('input', call, old);
}

/** A call that is answered now ends as opencode ends one that was aborted: in the time of its message, where it has none itself. */
function resultFields(result: ResultPart | undefined, state: JsonNode, time: JsonNode | undefined): JsonFields {
  const wasAnswered = ['completed', 'error'].includes(state.get('status')?.string ?? '');
  if (result === undefined)
    return wasAnswered
      ? {
          status: 'running',
          output: undefined,
          error: undefined,
          attachments: undefined,
          metadata: undefined,
          title: undefined,
        }
      : {};
  if (!wasAnswered) return { ...answer(result), time: timeFrom(state.get('time') ?? time) };
  const texts = result.content.filter((part) => part.type === 'text');
  const old = outputIn(state);
  const text =
    texts.length === 1 ? json(texts[0]!.text) : texts.length === 0 && old === undefined ? undefined : joinTexts(texts);
  const list = state.get('attachments');
  const media = result.content.flatMap((part): Json[] =>
    part.type !== 'text' && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  const attachments =
    list === undefined && media.length === 0 ? {} : { attachments: list?.isArray ? patchItems(list, media) : media };
  if (text === undefined || old?.is(text)) return attachments;
  const key = outputKey(state);
  return {
    ...(key === 'interrupted' ? {} : { [key]: text }),
    ...repeats(state, old?.text ?? '', text instanceof JsonNode ? text.text : (text as string)),
    ...attachments,
  };
}

/** Members of the metadata that show the output, or its beginning, to the user. */
const SHOWN = ['output', 'preview'];

/** What shows the output once more beside it shows no more of it than is left. */
function repeats(state: JsonNode, before: string, after: string): JsonFields {
  const [metadata, title] = [state.get('metadata'), state.get('title')];
  const shown = (node: JsonNode | undefined): Json | undefined =>
    node?.isString ? shownOf(node.text, before, after) : node;
  const display = metadata?.get('display');
  const fields: Record<string, Json | undefined> = Object.fromEntries(
    SHOWN.map((key) => [key, shown(metadata?.get(key))]),
  );
  if (display?.isObject) fields['display'] = patch(display, { text: shown(display.get('text')) });
  return {
    ...(title?.isString && title.text === before ? { title: after } : {}),
    ...(metadata?.isObject ? { metadata: patch(metadata, fields) } : {}),
  };
}

function shownOf(text: string, before: string, after: string): string {
  if (text === before) return after;
  return after.includes(text) ? text : after.slice(0, text.length).replace(/[\ud800-\udbff]$/, ''); // half a character is none
}

function answer({ isError, content }: ResultPart): JsonFields {
  return isError === true
    ? { status: 'error', error: joinTexts(content) }
    : { status: 'completed', output: joinTexts(content), title: '', metadata: {} };
}

function freshState(
  call: CallPart | undefined,
  result: ResultPart | undefined,
  time: JsonNode | undefined,
): JsonFields {
  const input = call === undefined ? {} : { input: jsonValue(call.input) };
  if (result === undefined) return { status: 'running', ...input, time: { start: timeFrom(time)?.['start'] } };
  const { status, ...fields } = answer(result);
  const attachments = result.content.flatMap((part): Json[] =>
    part.type !== 'text' && part.raw instanceof JsonNode ? [part.raw] : [],
  );
  return { status, ...input, ...fields, time: timeFrom(time), ...(attachments.length === 0 ? {} : { attachments }) };
}

/** From the beginning of a call, or of a message, to where it is known to have ended. */
function timeFrom(time: JsonNode | undefined): JsonFields | undefined {
  const start = time?.get('start') ?? time?.get('created');
  return start === undefined ? undefined : { start, end: time?.get('end') ?? time?.get('completed') ?? start };
}

function fresh({ role, parts, model }: Message): Json {
  const system = parts.find((part) => part.type === 'opaque' && part.raw instanceof JsonNode && part.raw.isString);
  const spoken = parts.filter((part) => part !== system);
  const info = {
    role: role === 'assistant' ? role : 'user',
    modelID: model,
    system: system?.raw as JsonNode | undefined,
  };
  return { info, parts: writeParts(spoken, [], undefined) };
}
