/**
 * Chats of Open WebUI as lists. `history.messages` has all messages by their ids; the transcript is the way from
 * `history.currentId` to the root, and each other branch is a list from where it leaves the others. `messages` repeats
 * the way; in early chats it is all there is.
 */
import type { JsonNode } from '../../json/node.js';
import { parse } from '../../json/node.js';
import { onceFor } from '../../once.js';
import { branchesOf } from '../shared/id-tree.js';
import { tryParse } from '../shared/json-fields.js';
import { fileItems, saidIn } from './open-webui-said.js';

/** A message in a chat, or its system prompt. */
export interface Place {
  /** Undefined for the system prompt, and in a chat without `history` for messages without an id. */
  readonly id: string | undefined;
  readonly node: JsonNode;
  readonly isSystem?: true;
}

export interface Chat {
  readonly node: JsonNode;
  /** The record has the chat as JSON in a string, as a row of the database. */
  readonly isText: boolean;
  readonly byId: ReadonlyMap<string, JsonNode>;
  /** The first is the way to the current message. */
  readonly branches: readonly (readonly Place[])[];
}

/** The chat in a record, or that is the record; undefined if there is none. */
export const chatIn = onceFor((record: JsonNode): Chat | undefined => {
  const member = record.get('chat');
  const node = member?.isString ? textAsChat(member) : (member ?? record);
  const chat = node && branchesIn(node);
  return chat && { ...chat, node: node!, isText: member?.isString === true };
});

function textAsChat(member: JsonNode): JsonNode | undefined {
  return member.text.startsWith('{') ? tryParse(member.text) : undefined;
}

function branchesIn(chat: JsonNode): Pick<Chat, 'byId' | 'branches'> | undefined {
  const messages = chat.get('history')?.get('messages');
  const byId = new Map(messages?.members().map(({ key, value }) => [key.text, value] as const));
  const list = chat.get('messages')?.items() ?? [];
  const system = systemIn(chat);
  if (byId.size > 0) {
    const nodes = [...byId.values()];
    if (!nodes.every((node) => node.isObject) || !nodes.some(isMessage)) return undefined;
    const [main = [], ...others] = ways(byId, chat.get('history')?.get('currentId')?.string);
    return { byId, branches: [[...system, ...main], ...others] };
  }
  if (list.length === 0 && messages?.isObject && system.length > 0) return { byId, branches: [system] };
  if (list.length === 0 || !list.every(isMessage) || !list.some((node) => node.get('childrenIds')?.isArray))
    return undefined;
  return { byId, branches: [[...system, ...list.map((node) => ({ id: node.get('id')?.string, node }))]] };
}

function isMessage(node: JsonNode): boolean {
  return node.isObject && (node.get('role')?.isString ?? false);
}

/** The prompt of the chat goes before that of the settings, which early chats repeat. */
function systemIn(chat: JsonNode): Place[] {
  const node = [chat.get('params')?.get('system'), chat.get('system')].find((text) => text?.string);
  return node === undefined ? [] : [{ id: undefined, node, isSystem: true }];
}

function ways(byId: ReadonlyMap<string, JsonNode>, current: string | undefined): Place[][] {
  const parents = new Set([...byId.values()].flatMap((node) => node.get('parentId')?.string ?? []));
  const leaves = [...byId.keys()].filter((id) => !parents.has(id));
  return branchesOf({ byId, parent: 'parentId', leaves, current });
}

// --- the lists

/** Members of a message that are links, or what it says. The others go with it, so that a conversion can name them. */
const APART = new Set(['id', 'parentId', 'childrenIds', 'content', 'merged', 'output', 'files']);

export function listOf(branch: readonly Place[]): JsonNode {
  return parse(`[${branch.map(elementOf).join(',')}]`);
}

/** `{id, role, …, output}`: a message as `saidIn` reads it. */
function elementOf({ id, node, isSystem }: Place): string {
  if (isSystem) {
    const item = `{"type":"message","role":"system","content":${node.json}}`;
    return `{"id":null,"role":"system","output":[${item}]}`;
  }
  const members = node
    .members()
    .flatMap(({ key, value }) => (APART.has(key.text) || value.isNull ? [] : [`${key.json}:${value.json}`]));
  const items = [...saidIn(node).items, ...fileItems(node)];
  const role = node.get('role') === undefined || node.get('role')!.isNull ? ['"role":null'] : [];
  return `{${[`"id":${JSON.stringify(id ?? null)}`, ...role, ...members, `"output":[${items.join(',')}]`].join(',')}}`;
}
