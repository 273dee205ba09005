/** Lists of opencode's messages, and files of its parts, of which something went or came: links stay whole, what came is as opencode writes it. */
import { ArrayEdit, amend, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';

/** The parent of an assistant's message is the user's that it answers; a compaction names the first message that it left alone. */
export function mendMessages(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const kept = new Set(rows.flatMap(({ node }) => (node === undefined ? [] : [idOf(node)])));
  const places = new Map(before.map((node, index) => [idOf(node), index]));
  const went = (id: string | undefined): id is string => id !== undefined && places.has(id) && !kept.has(id);
  const near = (id: string, step: 1 | -1, fits = (_: JsonNode) => true) => {
    let at = places.get(id)!;
    while (before[at] !== undefined && !(kept.has(idOf(before[at]!)) && fits(before[at]!))) at += step;
    return before[at] === undefined ? undefined : idOf(before[at]!);
  };
  let user: Json | undefined;
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node === undefined) {
      const added = completed(json as JsonFields, neighbour, before, user);
      if (infoOf(added)['role'] === 'user') user = infoOf(added)['id'];
      return added;
    }
    const info = node.get('info');
    if (info?.get('role')?.string === 'user') user = info.get('id');
    let mended = json;
    const parent = info?.get('parentID')?.string;
    if (went(parent))
      mended = amend(node, mended, {
        info: amend(info!, memberOf(node, mended, 'info')!, { parentID: near(parent, -1, isUsers) }),
      });
    if (
      node
        .get('parts')
        ?.items()
        .some((part) => went(part.get('tail_start_id')?.string))
    ) {
      const list = memberOf(node, mended, 'parts')!;
      const items = (list instanceof ArrayEdit ? list.items : (list as JsonNode).items()).map((part) => {
        const tail = part instanceof JsonNode ? part.get('tail_start_id')?.string : undefined;
        return went(tail) ? patch(part as JsonNode, { tail_start_id: near(tail, 1) }) : part;
      });
      mended = amend(node, mended, { parts: patchItems(node.get('parts')!, items) });
    }
    return mended;
  });
}

function idOf(node: JsonNode): string | undefined {
  return node.get('info')?.get('id')?.string;
}

function isUsers(node: JsonNode): boolean {
  return node.get('info')?.get('role')?.string === 'user';
}

function infoOf(message: JsonFields): JsonFields {
  return message['info'] as JsonFields;
}

function memberOf(node: JsonNode, json: Json, key: string): Json | undefined {
  return json instanceof ObjectEdit && json.fields.has(key) ? json.fields.get(key) : node.get(key);
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/** A message that was added, with every member that its neighbours have: in their order, ids behind the one before it. */
function completed(
  message: JsonFields,
  neighbour: JsonNode | undefined,
  before: readonly JsonNode[],
  user: Json | undefined,
): JsonFields {
  const { role, modelID } = infoOf(message);
  const alike = [neighbour, ...before]
    .map((node) => node?.get('info'))
    .find((info) => info?.get('role')?.string === role);
  const old = neighbour?.get('info');
  const of = (key: string) => alike?.get(key);
  const created = old?.get('time')?.get('completed') ?? old?.get('time')?.get('created') ?? 0;
  const sessionID = old?.get('sessionID');
  const id = added(old?.get('id')?.string ?? 'msg', message['parts']!);
  const assistants = {
    parentID: user,
    mode: of('mode'),
    agent: of('agent'),
    path: of('path'),
    cost: 0,
    tokens: NO_TOKENS,
    modelID: modelID ?? of('modelID'),
    providerID: of('providerID'),
    time: { created, completed: created },
    finish: 'stop',
  };
  const info =
    role === 'assistant'
      ? { role, ...assistants }
      : { role, time: { created }, agent: of('agent'), model: of('model') };
  const last = neighbour?.get('parts')?.items().at(-1)?.get('id')?.string;
  const parts = (message['parts'] as readonly Json[]).map((part) => ({
    ...(part as JsonFields),
    id: added(last ?? 'prt', part),
    sessionID,
    messageID: id,
  }));
  return { info: { ...info, id, sessionID }, parts };
}

/** Ids are in the order of time: one that begins with its neighbour's stands right behind it. */
function added(neighbour: string, content: Json): string {
  return `${neighbour}_${derivedId(neighbour, content).slice(0, 8)}`;
}

/** Among parts, what the assistant says is one; what others say belongs to another message. A file that loses its only part keeps an empty one. */
export function mendParts(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const mended = withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node !== undefined) return json;
    const { info, parts } = json as JsonFields;
    const [part] = parts as readonly JsonFields[];
    if ((info as JsonFields)['role'] !== 'assistant' || part === undefined || neighbour === undefined) return undefined;
    const isAlone = before.length === 1;
    const id = neighbour.get('id')?.string ?? 'prt';
    return {
      id: isAlone ? id : added(id, part),
      sessionID: neighbour.get('sessionID'),
      messageID: neighbour.get('messageID'),
      ...part,
    };
  });
  const isEmpty = before.length === 1 && mended.every((json) => json === undefined);
  return isEmpty ? [...mended, emptied(before[0]!)] : mended;
}

/** What stands for a part that is no more: its file must hold one. */
export function emptied(part: JsonNode): Json {
  return {
    id: part.get('id'),
    sessionID: part.get('sessionID'),
    messageID: part.get('messageID'),
    type: 'text',
    text: '',
  };
}
