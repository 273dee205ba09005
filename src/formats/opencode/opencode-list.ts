/** opencode's messages and parts after a transform: links to removed messages are replaced, additions are completed. */
import { ArrayEdit, amend, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { fieldsOf } from '../shared/fields.js';

/**
 * Replaces links to removed messages by links to their nearest neighbors. An assistant's message links to the user's
 * message that it answers, a compaction to the first message that it left uncompacted.
 */
export function relinkMessages(rows: readonly Row[], before: readonly JsonNode[]): readonly Json[] {
  const kept = new Set(rows.flatMap(({ node }) => (node === undefined ? [] : [messageIdOf(node)])));
  const indexOf = new Map(before.map((node, index) => [messageIdOf(node), index]));
  const isRemoved = (id: string | undefined): id is string => id !== undefined && indexOf.has(id) && !kept.has(id);
  const nearestKept = (id: string, step: 1 | -1, fits = (_: JsonNode) => true) => {
    let at = indexOf.get(id)!;
    while (before[at] !== undefined && !(kept.has(messageIdOf(before[at]!)) && fits(before[at]!))) at += step;
    return before[at] === undefined ? undefined : messageIdOf(before[at]!);
  };
  let user: Json | undefined;
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent }) => {
    if (node === undefined) {
      const added = completeMessage(json as JsonFields, adjacent, before, user);
      if (infoOf(added)['role'] === 'user') user = infoOf(added)['id'];
      return added;
    }
    const info = node.get('info');
    if (info?.get('role')?.string === 'user') user = info.get('id');
    let linked = json;
    const parent = info?.get('parentID')?.string;
    if (isRemoved(parent))
      linked = amend(node, linked, {
        info: amend(info!, memberOf(node, linked, 'info')!, { parentID: nearestKept(parent, -1, isUsersMessage) }),
      });
    const list = node.get('parts');
    if (list?.items().some((part) => isRemoved(part.get('tail_start_id')?.string))) {
      const edited = memberOf(node, linked, 'parts')!;
      const items = (edited instanceof ArrayEdit ? edited.items : (edited as JsonNode).items()).map((part) => {
        const tail = part instanceof JsonNode ? part.get('tail_start_id')?.string : undefined;
        return isRemoved(tail) ? patch(part as JsonNode, { tail_start_id: nearestKept(tail, 1) }) : part;
      });
      linked = amend(node, linked, { parts: patchItems(list, items) });
    }
    return linked;
  });
}

function messageIdOf(node: JsonNode): string | undefined {
  return node.get('info')?.get('id')?.string;
}

function isUsersMessage(node: JsonNode): boolean {
  return node.get('info')?.get('role')?.string === 'user';
}

function infoOf(message: JsonFields): JsonFields {
  return message['info'] as JsonFields;
}

function memberOf(node: JsonNode, json: Json, key: string): Json | undefined {
  return json instanceof ObjectEdit && json.fields.has(key) ? json.fields.get(key) : node.get(key);
}

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/**
 * A message that was added, with every member that the messages around it have, and with ids that sort behind theirs.
 */
function completeMessage(
  message: JsonFields,
  adjacent: JsonNode | undefined,
  before: readonly JsonNode[],
  user: Json | undefined,
): JsonFields {
  const { role, modelID } = infoOf(message);
  const ofSameRole = [adjacent, ...before]
    .map((node) => node?.get('info'))
    .find((info) => info?.get('role')?.string === role);
  const old = adjacent?.get('info');
  const shared = (key: string) => ofSameRole?.get(key);
  const created = old?.get('time')?.get('completed') ?? old?.get('time')?.get('created') ?? 0;
  const sessionID = old?.get('sessionID');
  const id = idBehind(old?.get('id')?.string ?? 'msg', message['parts']!);
  const assistantInfo = {
    parentID: user,
    mode: shared('mode'),
    agent: shared('agent'),
    path: shared('path'),
    cost: 0,
    tokens: NO_TOKENS,
    modelID: modelID ?? shared('modelID'),
    providerID: shared('providerID'),
    time: { created, completed: created },
    finish: 'stop',
  };
  const info =
    role === 'assistant'
      ? { role, ...assistantInfo }
      : { role, time: { created }, agent: shared('agent'), model: shared('model') };
  const last = adjacent?.get('parts')?.items().at(-1)?.get('id')?.string;
  const parts = (message['parts'] as readonly Json[]).map((part) => ({
    ...fieldsOf(part),
    id: idBehind(last ?? 'prt', part),
    sessionID,
    messageID: id,
  }));
  return { info: { ...info, id, sessionID }, parts };
}

/** An id that sorts right behind another one: opencode sorts by id. */
function idBehind(id: string, content: Json): string {
  return `${id}_${derivedId(id, content).slice(0, 8)}`;
}

/**
 * Completes parts that were added to files of parts. Only an assistant's message can be added there, as one part:
 * others belong to another file. A file that lost its only part gets an empty one.
 */
export function completeParts(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const completed = withAdjacentRecords(rows, before).map(({ node, json, adjacent }) => {
    if (node !== undefined) return json;
    const { info, parts } = json as JsonFields;
    const [first] = parts as readonly Json[];
    const part = first === undefined ? undefined : fieldsOf(first);
    if ((info as JsonFields)['role'] !== 'assistant' || part === undefined || adjacent === undefined) return undefined;
    const isAlone = before.length === 1;
    const id = adjacent.get('id')?.string ?? 'prt';
    const own = {
      id: isAlone ? id : idBehind(id, part),
      sessionID: adjacent.get('sessionID'),
      messageID: adjacent.get('messageID'),
    };
    return { ...own, ...part, ...own }; // a part that was read elsewhere has ids, too
  });
  const isEmpty = before.length === 1 && completed.every((json) => json === undefined);
  return isEmpty ? [...completed, emptiedPart(before[0]!)] : completed;
}

/** An empty text in place of a removed part: a file must hold one. */
export function emptiedPart(part: JsonNode): Json {
  return {
    id: part.get('id'),
    sessionID: part.get('sessionID'),
    messageID: part.get('messageID'),
    type: 'text',
    text: '',
  };
}
