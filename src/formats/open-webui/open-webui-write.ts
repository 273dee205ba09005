/** Writes edited lists back into a chat of Open WebUI: messages, their copies, and the links among them. */
import { type ArrayEdit, amend, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { derivedId } from '../shared/derived-ids.js';
import { keptAbove } from '../shared/links.js';
import { freshFields, messageFields } from './open-webui-message.js';
import { type Chat, chatIn, type Place } from './open-webui-tree.js';

/** A message of an edited list. */
interface Entry {
  readonly id: string | undefined;
  /** Undefined if it was added. */
  readonly was: Place | undefined;
  /** What of it changed, apart from links; all of an added message. */
  readonly fields: JsonFields;
}

export function closeChat(record: JsonNode, lists: readonly Json[]): Json {
  const chat = chatIn(record)!;
  const [first, ...others] = chat.branches.map((branch, index) => entriesOf(branch, lists[index]!));
  const { system, rest } = withoutSystem(first!, chat.branches[0]!);
  const after = [rest, ...others];
  const links = linksOf(chat, after);
  const value = chatAfter(chat, after, system, links);
  if (chat.node === record) return value;
  const current = pointersAfter(record, ['current_message_id'], links);
  return patch(record, { chat: chat.isText ? printed(value) : value, ...current });
}

/** A system prompt at the start is one of the chat. */
function withoutSystem(
  entries: readonly Entry[],
  before: readonly Place[],
): { readonly system: Entry | undefined; readonly rest: readonly Entry[] } {
  const [first] = entries;
  const isNew = first !== undefined && first.was === undefined && first.fields['role'] === 'system';
  const system = entries.find(({ was }) => was?.isSystem) ?? (isNew && !before[0]?.isSystem ? first : undefined);
  return { system, rest: system === undefined ? entries : entries.filter((entry) => entry !== system) };
}

function entriesOf(branch: readonly Place[], list: Json): Entry[] {
  if (list instanceof JsonNode) return branch.map((was) => ({ id: was.id, was, fields: {} }));
  const { base, items } = list as ArrayEdit;
  const index = new Map(base.items().map((item, at) => [item.at, branch[at]!]));
  const entries: Entry[] = [];
  for (const item of items) {
    const source = item instanceof JsonNode ? item : item instanceof ObjectEdit ? item.base : undefined;
    const was = source?.source === base.source ? index.get(source.at) : undefined;
    if (was !== undefined) entries.push({ id: was.id, was, fields: fieldsOf(was, item) });
    else entries.push(added(item, entries, branch));
  }
  return entries;
}

function fieldsOf(was: Place, item: Json): JsonFields {
  if (!(item instanceof ObjectEdit)) return {};
  return messageFields(was, item.base.get('output')!, item.fields.get('output')!);
}

/** An added message has the time, and an answer the model, of the one before it. */
function added(item: Json, entries: readonly Entry[], branch: readonly Place[]): Entry {
  const { role, output } = item as JsonFields;
  const place = `${entries.at(-1)?.id ?? branch[0]?.id ?? ''} ${entries.length}`;
  const known = entries.flatMap(({ was }) => was ?? []).reverse();
  const near = [...known, ...branch].find(({ isSystem }) => !isSystem)?.node;
  const model = [...known, ...branch].find(({ node }) => node.get('model')?.isString)?.node.get('model');
  const fields = {
    ...freshFields(role as string, output!),
    timestamp: near?.get('timestamp'),
    ...(role === 'assistant' ? { model, done: true } : {}),
  };
  return { id: derivedId(place, item), was: undefined, fields };
}

// --- links

interface Links {
  readonly kept: ReadonlySet<string>;
  readonly parentOf: ReadonlyMap<string, string | undefined>;
  readonly parents: ReadonlyMap<string, string | undefined>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** The current message after the edit, where the last of the way changed. */
  readonly last: string | undefined;
  readonly wasLast: string | undefined;
}

function linksOf({ branches, byId }: Chat, after: readonly (readonly Entry[])[]): Links {
  const kept = new Set(after.flatMap((entries) => entries.flatMap(({ id }) => id ?? [])));
  const parentOf = new Map(
    branches.flatMap((branch) =>
      branch.flatMap(({ id, node }) => (id === undefined ? [] : [[id, node.get('parentId')?.string] as const])),
    ),
  );
  const parents = new Map<string, string | undefined>();
  after.forEach((entries, index) => {
    let fresh = false; // the one before was added
    const first = branches[index]!.find(({ id }) => id !== undefined)?.id;
    let parent = first === undefined ? undefined : keptAbove(parentOf.get(first), parentOf, kept);
    for (const { id, was } of entries) {
      if (id === undefined) continue;
      const own = byId.size > 0 || was === undefined || fresh ? parent : keptAbove(parentOf.get(id), parentOf, kept);
      parents.set(id, own);
      [parent, fresh] = [id, was === undefined];
    }
  });
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) if (parent !== undefined) listIn(children, parent).push(id);
  const lastOf = (places: readonly { readonly id: string | undefined }[]) => places.findLast(({ id }) => id)?.id;
  const last = lastOf(after[0]!) ?? after.map(lastOf).findLast((id) => id !== undefined);
  return { kept, parentOf, parents, children, last, wasLast: lastOf(branches[0]!) };
}

/** The links of a message, or of a copy of it, that are not what they should be. */
function linkFields(id: string | undefined, node: JsonNode, { parents, children, kept, parentOf }: Links): JsonFields {
  if (id === undefined) return {};
  const parent = parents.get(id);
  const old = node.get('childrenIds');
  const ids = old?.items().flatMap((child) => child.string ?? []) ?? [];
  const own = children.get(id) ?? [];
  const listed = new Set(ids);
  const isHere = (child: string) => parents.get(child) === id || !(parentOf.has(child) || kept.has(child));
  const now = [...ids.filter(isHere), ...own.filter((child) => !listed.has(child))];
  const isSame = now.length === ids.length && ids.every((child, at) => child === now[at]);
  return {
    ...(node.get('parentId') === undefined || (node.get('parentId')!.string ?? undefined) === parent
      ? {}
      : { parentId: parent ?? null }),
    ...(old?.isArray && !isSame ? { childrenIds: now } : {}),
  };
}

/** Members that name a message: the current one becomes the last of the way. */
function pointersAfter(node: JsonNode, keys: readonly string[], links: Links): JsonFields {
  const { kept, parentOf, last, wasLast } = links;
  const fields = keys.flatMap((key): [string, Json][] => {
    const id = node.get(key)?.string;
    const isEmpty = wasLast === undefined && node.get(key)?.isNull;
    if (id === undefined) return isEmpty && last !== undefined ? [[key, last]] : [];
    const now = id === wasLast ? last : keptAbove(id, parentOf, kept);
    return now === id ? [] : [[key, now ?? null]];
  });
  return Object.fromEntries(fields);
}

// --- the chat

function chatAfter(chat: Chat, after: readonly (readonly Entry[])[], system: Entry | undefined, links: Links): Json {
  const { node, byId } = chat;
  const history = node.get('history');
  const isTree = byId.size > 0 || (links.wasLast === undefined && history?.get('messages')?.isObject);
  const list = node.get('messages');
  return patch(node, {
    ...systemFields(chat, system),
    ...(isTree ? { history: historyAfter(history!, chat, after, links) } : {}),
    ...(list?.isArray ? { messages: listAfter(list, chat, after, links) } : {}),
    ...pointersAfter(node, ['currentId', 'branchPointMessageId'], links),
  });
}

function historyAfter(history: JsonNode, chat: Chat, after: readonly (readonly Entry[])[], links: Links): Json {
  const changes = changesIn(chat, after, links);
  const messages = history.get('messages')!;
  return patch(history, {
    messages: changes.size === 0 ? messages : new ObjectEdit(messages, changes),
    ...pointersAfter(history, ['currentId'], links),
  });
}

/** The system prompt, and the same text where the chat repeats it. */
function systemFields({ node, branches }: Chat, system: Entry | undefined): JsonFields {
  const old = branches[0]![0]?.isSystem ? branches[0]![0].node : undefined;
  const text = system === undefined ? undefined : (system.fields['content'] ?? old);
  const params = node.get('params');
  if (text === old) return {};
  if (old === undefined) return { params: params?.isObject ? patch(params, { system: text }) : { system: text } };
  const repeats = (holder: JsonNode | undefined) => holder?.get('system')?.string === old.text;
  return {
    ...(repeats(node) ? { system: text } : {}),
    ...(repeats(params) ? { params: patch(params!, { system: text }) } : {}),
  };
}

/** The messages that changed, by their ids: of a long chat, `patch` would look for each. */
function changesIn(
  { byId }: Chat,
  after: readonly (readonly Entry[])[],
  links: Links,
): ReadonlyMap<string, Json | undefined> {
  const changes = new Map<string, Json | undefined>();
  for (const id of byId.keys()) if (!links.kept.has(id)) changes.set(id, undefined);
  for (const entries of after)
    for (const entry of entries) {
      const message = messageAfter(entry, links);
      if (message !== entry.was?.node) changes.set(entry.id!, message);
    }
  return changes;
}

function messageAfter({ id, was, fields }: Entry, links: Links, node = was?.node): Json {
  if (node === undefined || id === undefined) {
    if (node !== undefined) return patch(node, fields);
    const { parents, children } = links;
    return { id, parentId: parents.get(id!) ?? null, childrenIds: children.get(id!) ?? [], ...fields };
  }
  return amend(node, patch(node, fields), linkFields(id, node, links));
}

/** The list: its messages as those in the map, and added ones behind the one before them. */
function listAfter(list: JsonNode, { byId }: Chat, after: readonly (readonly Entry[])[], links: Links): Json {
  const [main = []] = after;
  if (byId.size === 0)
    return patchItems(
      list,
      main.map((entry) => messageAfter(entry, links)),
    );
  const entryOf = new Map(after.flatMap((entries) => entries.map((entry) => [entry.id!, entry] as const)));
  const behind = addedBehind(main);
  const items = list.items().flatMap((copy): Json[] => {
    const id = copy.get('id')?.string;
    const entry = id === undefined ? undefined : entryOf.get(id);
    if (entry === undefined) return id !== undefined && byId.has(id) ? [] : [copy];
    return [messageAfter(entry, links, copy), ...(behind.get(id) ?? []).map((one) => messageAfter(one, links))];
  });
  return patchItems(list, [...(behind.get(undefined) ?? []).map((one) => messageAfter(one, links)), ...items]);
}

/** By the id of the message before them, which was there. */
function addedBehind(main: readonly Entry[]): ReadonlyMap<string | undefined, Entry[]> {
  const behind = new Map<string | undefined, Entry[]>();
  let before: string | undefined;
  for (const entry of main) {
    if (entry.was === undefined) listIn(behind, before).push(entry);
    else before = entry.id;
  }
  return behind;
}
