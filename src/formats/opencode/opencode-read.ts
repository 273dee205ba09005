/** Reads the parts of opencode's messages. */
import type { JsonNode } from '../../json/node.js';
import type { CallPart, ContentPart, MediaPart, Part, ResultPart, Role } from '../../transcript/types.js';
import { objectsIn, stringIn, wrongMember } from '../shared/json-fields.js';
import { mediaKind } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { isUnseen } from './opencode-files.js';

/** The caller's addition to the system prompt, which opencode records in the user's message. */
export function readSystem(info: JsonNode): Part[] {
  const system = info.get('system');
  return system?.isString ? [{ type: 'opaque', text: system, raw: system }] : [];
}

/** Whether a part is that addition. */
export function isSystem(part: Part, info: JsonNode): boolean {
  return part.type === 'opaque' && info.get('system')?.is(part.raw) === true;
}

/** A part of a list: a tool part as a call and its result, others as one part; none if the model never sees it. */
export function readPart(part: JsonNode, path: string, role: Role): Part[] {
  const type = stringIn(part.get('type'), `${path}type`) ?? '';
  if (isUnseen(part, role)) return [];
  if (type === 'text' || type === 'reasoning') {
    const text = part.get('text');
    return text?.isString
      ? [{ type: type === 'text' ? 'text' : 'thinking', text, raw: part }]
      : wrongMember(text, part, `${path}text`, 'a string');
  }
  if (type === 'tool') return readTool(part, path);
  return [type === 'file' ? readFile(part) : { type: 'opaque', text: SENT_TEXTS[type], raw: part }];
}

/** What opencode sends in place of a part. */
const SENT_TEXTS = table<string>({
  compaction: 'What did we do so far?',
  subtask: 'The following tool was executed by the user',
});

function readFile(part: JsonNode): MediaPart {
  return { type: 'media', kind: mediaKind(part.get('mime')?.string), raw: part };
}

/** A call, then its result. A result without an input is one whose call was removed; only this program writes that. */
export function readTool(part: JsonNode, path: string): (CallPart | ResultPart)[] {
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
  const isCleared = isCompacted(state);
  const texts: ContentPart[] =
    text === undefined ? [] : [{ type: 'text', text: isCleared ? CLEARED : text, raw: text }];
  const files = isCleared ? undefined : state.get('attachments');
  return [
    ...calls,
    {
      type: 'result',
      callId,
      tool,
      content: [...texts, ...objectsIn(files, `${path}state.attachments`).map(readFile)],
      isError,
      raw: part,
    },
  ];
}

/** What opencode sends in place of an output that it has compacted. */
export const CLEARED = '[Old tool result content cleared]';

/** Whether opencode has compacted a result: it keeps the output, but no longer sends it. */
export function isCompacted(state: JsonNode): boolean {
  return state.get('status')?.string === 'completed' && (state.get('time')?.get('compacted')?.number ?? 0) > 0;
}

/** The recorded output of a result; of an interrupted one, the output until then. */
export function outputIn(state: JsonNode): JsonNode | undefined {
  const key = outputKey(state);
  const text = key === 'interrupted' ? state.get('metadata')?.get('output') : state.get(key);
  return text?.isString ? text : undefined;
}

/** Where the output is: in the member of that name, or (interrupted) in the metadata. */
export function outputKey(state: JsonNode): 'output' | 'error' | 'interrupted' {
  if (state.get('status')?.string !== 'error') return 'output';
  const metadata = state.get('metadata');
  return metadata?.get('interrupted')?.boolean === true && metadata.get('output')?.isString ? 'interrupted' : 'error';
}
