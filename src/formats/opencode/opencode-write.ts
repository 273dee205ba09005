/** Writes the parts of opencode's messages: a call and its result as one part. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts } from '../../transcript/text.js';
import type { CallPart, Part, ResultPart, Role } from '../../transcript/types.js';
import { json, jsonValue } from '../shared/json-fields.js';
import { idField, inputField } from '../shared/parts.js';
import { isUnseen } from './opencode-files.js';
import { CLEARED, isCompacted, outputIn, outputKey } from './opencode-read.js';

/** What a message has beside the parts to write. */
interface Before {
  readonly role: Role;
  readonly nodes: readonly JsonNode[];
  readonly time?: JsonNode | undefined;
}

/** The parts as values. Parts that are not read stay in their places; a call and the result behind it become one. */
export function writeParts(parts: readonly Part[], { role, nodes: before, time }: Before): Json[] {
  const written: Json[] = [];
  let next = 0;
  const keepInternal = (end: number) => {
    for (; next < end; next++) if (isUnseen(before[next]!, role)) written.push(before[next]!);
  };
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const at = before.findIndex((node, index) => index >= next && node.is(part.raw));
    if (at >= 0) {
      keepInternal(at);
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
  keepInternal(before.length);
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
    state: patch(state, { ...inputFields(call, result, state), ...resultFields(result, state, time) }),
  });
}

/** A result without an input beside it would be read as one without a call. */
function inputFields(call: CallPart | undefined, result: ResultPart | undefined, state: JsonNode): JsonFields {
  if (call === undefined) return { input: undefined };
  const old = state.get('input');
  return old === undefined && result !== undefined ? { input: jsonValue(call.input) } : inputField('input', call, old);
}

/** What removes a result from a state. */
const UNANSWERED = {
  status: 'running',
  output: undefined,
  error: undefined,
  attachments: undefined,
  metadata: undefined,
  title: undefined,
};

/** A call that gets its result now ends like one that opencode aborted; without own times, at the message's time. */
function resultFields(result: ResultPart | undefined, state: JsonNode, time: JsonNode | undefined): JsonFields {
  const wasAnswered = ['completed', 'error'].includes(state.get('status')?.string ?? '');
  if (result === undefined) return wasAnswered ? UNANSWERED : {};
  if (!wasAnswered) return { ...answerFields(result), time: timeFrom(state.get('time') ?? time) };
  const isCleared = isCompacted(state);
  if (isCleared && result.content.length === 1 && joinTexts(result.content) === CLEARED) return {};
  const old = outputIn(state);
  const text = outputText(result, old);
  const list = state.get('attachments');
  const media = attachmentsOf(result);
  const attachments =
    list === undefined && media.length === 0 ? {} : { attachments: list?.isArray ? patchItems(list, media) : media };
  if (text === undefined || old?.is(text)) return attachments;
  const key = outputKey(state);
  return {
    ...(key === 'interrupted' ? {} : { [key]: text }),
    ...repeatedOutput(state, old?.text ?? '', text instanceof JsonNode ? text.text : (text as string)),
    ...(isCleared ? { time: patch(state.get('time')!, { compacted: undefined }) } : {}),
    ...attachments,
  };
}

/** The output to write; undefined if there was none and there is none. */
function outputText({ content }: ResultPart, old: JsonNode | undefined): Json | undefined {
  const texts = content.filter((part) => part.type === 'text');
  if (texts.length === 1) return json(texts[0]!.text);
  return texts.length === 0 && old === undefined ? undefined : joinTexts(texts);
}

function attachmentsOf({ content }: ResultPart): JsonNode[] {
  return content.flatMap((part) => (part.type !== 'text' && part.raw instanceof JsonNode ? [part.raw] : []));
}

/** Members of the metadata that show the output, or its beginning, to the user. */
const OUTPUT_COPIES = ['output', 'preview'];

/** The members beside the output that repeat it, without what was removed from it. */
function repeatedOutput(state: JsonNode, before: string, after: string): JsonFields {
  const [metadata, title] = [state.get('metadata'), state.get('title')];
  const shown = (node: JsonNode | undefined): Json | undefined =>
    node?.isString ? shownOf(node.text, before, after) : node;
  const display = metadata?.get('display');
  const fields: Record<string, Json | undefined> = Object.fromEntries(
    OUTPUT_COPIES.map((key) => [key, shown(metadata?.get(key))]),
  );
  if (display?.isObject) fields['display'] = patch(display, { text: shown(display.get('text')) });
  return {
    ...(title?.isString && title.text === before ? { title: after } : {}),
    ...(metadata?.isObject ? { metadata: patch(metadata, fields) } : {}),
  };
}

function shownOf(text: string, before: string, after: string): string {
  if (text === before) return after;
  return after.includes(text) ? text : after.slice(0, text.length).replace(HALF_CHARACTER, '');
}

/** The first half of a surrogate pair at the end of a text. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

function answerFields({ isError, content }: ResultPart): JsonFields {
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
  const { status, ...fields } = answerFields(result);
  const attachments = attachmentsOf(result);
  return { status, ...input, ...fields, time: timeFrom(time), ...(attachments.length === 0 ? {} : { attachments }) };
}

/** Start and end of a call, from its own times or those of its message; without an end, it ends when it starts. */
function timeFrom(time: JsonNode | undefined): JsonFields | undefined {
  const start = time?.get('start') ?? time?.get('created');
  return start === undefined ? undefined : { start, end: time?.get('end') ?? time?.get('completed') ?? start };
}
