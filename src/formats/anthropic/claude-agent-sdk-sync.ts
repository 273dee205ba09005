/** Lines of a stream-json log that repeat parts of messages: removed and updated along with them. */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { addAll } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { ContentPart, Message, Part } from '../../transcript/types.js';
import type { Row } from '../format.js';
import anthropic, { readAs } from './anthropic-messages.js';
import { renamedCalls, withNewIds } from './renamed-calls.js';

/** The key by which a line of a sub-agent names the call that started the agent. */
export const PARENT = 'parent_tool_use_id';

/** The line inside of a `{direction, message}` wrapper, or the line itself. */
export function lineIn(raw: JsonNode): JsonNode {
  const line = raw.get('direction') === undefined ? undefined : raw.get('message');
  return line?.isObject ? line : raw;
}

/** Reads the message of a line, whose type is the role if the message states none. */
export function readInner(message: JsonNode, type: string): Message {
  return message.get('role') === undefined ? readAs(type, message) : anthropic.read(message);
}

/** Puts an edited line back into its wrapper. */
export function putBack(raw: JsonNode, line: Json): Json {
  return lineIn(raw) === raw ? line : patch(raw, { message: line });
}

/** Removes lines about removed calls, and updates lines that repeat cut results, changed texts or renamed calls. */
export function syncLines(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const changes = changesIn(rows, before);
  if (
    changes.removed.size === 0 &&
    changes.results.size === 0 &&
    changes.texts.size === 0 &&
    changes.renamed.size === 0
  )
    return rows.map(({ json }) => json);
  const removedRequests = new Set<string>(); // their responses are removed too
  const removedBlocks = new Map<string, number>(); // by stream: the index of the removed content block
  return rows.map(({ node, json }) => {
    if (node === undefined || json !== node) return withParent(node, json, changes.renamed);
    const line = lineIn(node);
    const type = line.get('type')?.string;
    if (changes.renamed.size > 0 && type !== 'result') {
      const named = withNewIds(line, changes.renamed, CALL_IDS);
      if (named !== line) return putBack(node, named);
    }
    if (type === 'control_request') {
      const id = requestCallId(line.get('request'));
      if (id !== undefined && changes.removed.has(id)) {
        removedRequests.add(line.get('request_id')?.string ?? '');
        return undefined;
      }
      return id === undefined ? json : putBack(node, withToolResponse(line, changes.results.get(id)));
    }
    if (type === 'control_response')
      return removedRequests.has(line.get('response')?.get('request_id')?.string ?? '') ? undefined : json;
    if (type === 'tool_progress') return changes.removed.has(line.get('tool_use_id')?.string ?? '') ? undefined : json;
    if (type === 'stream_event') return isRemovedDelta(line, changes.removed, removedBlocks) ? undefined : json;
    return type === 'result' ? putBack(node, withFinalText(line, changes)) : json;
  });
}

/** Updates the call id by which an edited or added line of a sub-agent names its parent. */
function withParent(
  node: JsonNode | undefined,
  json: Json | undefined,
  renamed: ReadonlyMap<string, string>,
): Json | undefined {
  if (json === undefined || renamed.size === 0) return json;
  if (node !== undefined) {
    const isOld = renamed.has(lineIn(node).get(PARENT)?.string ?? '');
    return isOld ? withNewIds(reparsed(json), renamed, new Set([PARENT])) : json;
  }
  const { message, [PARENT]: parent, ...rest } = json as JsonFields;
  if (rest['direction'] !== undefined) return { ...rest, message: withParent(node, message, renamed) };
  const id = parent instanceof JsonNode ? renamed.get(parent.string ?? '') : undefined;
  return id === undefined ? json : { ...(json as JsonFields), [PARENT]: id };
}

interface Changes {
  /** Ids of removed calls. */
  readonly removed: ReadonlySet<string>;
  /** New call ids by old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The new texts of results, by call id. */
  readonly results: ReadonlyMap<string, string>;
  /** New texts of the model, by the old ones. */
  readonly texts: ReadonlyMap<string, string>;
}

function changesIn(rows: readonly Row[], before: readonly JsonNode[]): Changes {
  const jsonOf = new Map(rows.map(({ node, json }) => [node, json]));
  const old: Part[] = [];
  const now: Part[] = [];
  const texts = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const node of before) {
    const json = jsonOf.get(node);
    if (json === node) continue;
    const was = partsIn(node);
    const is = json === undefined ? [] : partsIn(reparsed(json));
    addAll(old, was);
    addAll(now, is);
    for (const [id, name] of renamedCalls(callIds(was), callIds(is))) renamed.set(id, name);
    const [oldText, newText] = [joinTexts(was.filter(isText)), joinTexts(is.filter(isText))];
    if (oldText !== newText && newText !== '') texts.set(oldText, newText);
  }
  const lost = old.some(({ type }) => type === 'call');
  const others = rows.flatMap(({ node, json }) => {
    if (node === undefined) return partsIn(reparsed(json));
    return lost && json === node ? partsIn(node) : [];
  });
  const stays = new Set(callIds([...now, ...others]));
  for (const id of renamed.keys()) if (stays.has(id)) renamed.delete(id);
  const removed = callIds(old).filter((id) => !stays.has(id) && !renamed.has(id));
  const results = now.flatMap((part) =>
    part.type === 'result' && part.callId !== undefined ? [[part.callId, joinTexts(part.content)] as const] : [],
  );
  return { removed: new Set(removed), renamed, results: new Map(results), texts };
}

const CALL_IDS = new Set(['id', 'tool_use_id', PARENT]);

function callIds(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'call' && part.callId !== undefined ? [part.callId] : []));
}

function partsIn(node: JsonNode): readonly Part[] {
  const line = lineIn(node);
  const inner = line.get('message');
  return inner?.isObject ? readInner(inner, line.get('type')?.string ?? '').parts : [];
}

function isText(part: Part): part is ContentPart {
  return part.type === 'text';
}

/** The id of the call that a hook or permission request is about. */
function requestCallId(request: JsonNode | undefined): string | undefined {
  return request?.get('tool_use_id')?.string ?? request?.get('input')?.get('tool_use_id')?.string;
}

/** Updates the copy of a result in a hook that ran after the tool. */
function withToolResponse(line: JsonNode, text: string | undefined): Json {
  const request = line.get('request');
  const input = request?.get('input');
  if (text === undefined || request === undefined || input?.get('tool_response') === undefined) return line;
  return patch(line, { request: patch(request, { input: patch(input, { tool_response: text }) }) });
}

/** Updates the copies of the last text and of denied calls in the `result` line. */
function withFinalText(line: JsonNode, { removed, texts }: Changes): Json {
  const text = texts.get(line.get('result')?.string ?? '');
  const isRemoved = (denial: JsonNode) => removed.has(denial.get('tool_use_id')?.string ?? '');
  return patch(line, {
    ...(text === undefined ? {} : { result: text }),
    permission_denials: patchEach(line.get('permission_denials'), (denial) => (isRemoved(denial) ? undefined : denial)),
  });
}

/** Whether a stream event belongs to the content block of a removed call. Tracks open blocks in `removedBlocks`. */
function isRemovedDelta(line: JsonNode, removed: ReadonlySet<string>, removedBlocks: Map<string, number>): boolean {
  const stream = line.get(PARENT)?.string ?? '';
  const event = line.get('event');
  const index = event?.get('index')?.number;
  if (index === undefined) return false;
  if (removed.has(event?.get('content_block')?.get('id')?.string ?? '')) removedBlocks.set(stream, index);
  const isInBlock = removedBlocks.get(stream) === index;
  if (isInBlock && event?.get('type')?.string === 'content_block_stop') removedBlocks.delete(stream);
  return isInBlock;
}
