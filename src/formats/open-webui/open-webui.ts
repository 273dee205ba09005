/**
 * Chats of Open WebUI: its exports, and rows of its table `chat`. Messages are a tree (open-webui-tree.ts); several
 * models may answer side by side, and each answer is a branch. What a message says stands in `output`, or in its
 * content alone (open-webui-said.ts). Usage is the sum of a message's requests. What was retrieved for a message
 * (`sources`) and the texts of its files stay where they are: only the model's prompt had them, not the history.
 * https://github.com/open-webui/open-webui/blob/main/backend/open_webui/models/chats.py (2026-11-30)
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Recorded, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { metaMessage, present } from '../shared/json-fields.js';
import { costField, recordedOf, timeOf } from '../shared/recorded.js';
import { roundsByResults } from '../shared/rounds.js';
import { table } from '../shared/table.js';
import { START, textsOf } from './open-webui-details.js';
import { itemsAfter, readItem, saidAfter } from './open-webui-said.js';
import { chatIn, listOf } from './open-webui-tree.js';
import { usageIn } from './open-webui-usage.js';
import { closeChat } from './open-webui-write.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant' });

export default defineFormat({
  id: 'open-webui',
  traits: { resultsStandInCalls: true },
  messagePaths: [],
  copies: ['chat', 'history', 'messages'],
  score: (raw) => (['id', 'role'].every((key) => raw.get(key) !== undefined) && raw.get('output')?.isArray ? 1 : 0),
  read(raw) {
    const role = ROLES[raw.get('role')?.string ?? ''];
    if (role === undefined) return metaMessage(raw, false);
    const parts = raw.get('output')?.items().flatMap(readItem) ?? [];
    return { role, parts, raw, model: role === 'assistant' ? modelOf(raw) : undefined };
  },
  write({ raw, role, parts }) {
    if (!(raw instanceof JsonNode))
      return { id: null, role: role === 'tool' ? 'assistant' : role, output: itemsAfter({ role, parts }, undefined) };
    return role === 'meta' ? raw : patch(raw, { output: saidAfter({ role, parts }, raw.get('output')!) });
  },
  rounds: ({ parts }) => roundsByResults(parts),
  recorded(raw): Recorded | undefined {
    if (raw.get('role')?.string !== 'assistant') return undefined;
    const parts = raw.get('output')?.items().flatMap(readItem) ?? [];
    const { usage, isSum } = usageIn(raw);
    const requests = isSum ? roundsByResults(parts).length : 1;
    const error = present(raw, 'error');
    return recordedOf({
      model: modelOf(raw),
      time: timeOf(raw.get('timestamp')),
      usage,
      cost: costField(raw.get('usage'), 'cost'),
      ...(requests > 1 && { billing: { requests } }),
      ...(error !== undefined && error.boolean !== false && { failed: true }),
    });
  },
  describe(record) {
    const chat = chatIn(record)?.node;
    return {
      id: idIn(record, chat),
      title: (present(record, 'title') ?? chat?.get('title'))?.string || undefined,
      model: chat?.get('models')?.items()[0]?.string || undefined,
    };
  },
  envelope: {
    open: (record) => chatIn(record)?.branches.map(listOf),
    holders: ['chat', 'history', 'messages'],
    close: closeChat,
    describe(_list, record, index) {
      if (index === 0) return {};
      const { branches, node } = chatIn(record)!;
      return { id: `${idIn(record, node) ?? ''}/${branches[index]!.at(-1)!.id}` };
    },
  },
  beside: unreadIn,
  explainEmpty: (record) => {
    const messages = (record.get('chat') ?? record).get('history')?.get('messages');
    return messages?.isObject && messages.members().length === 0 ? 'nothing was said in the chat' : undefined;
  },
});

function idIn(record: JsonNode, chat: JsonNode | undefined): string | undefined {
  return (present(record, 'id') ?? chat?.get('id'))?.string || undefined;
}

/** Of a model that stands for several, the one that answered. */
function modelOf(raw: JsonNode): string | undefined {
  return (present(raw, 'selectedModelId') ?? raw.get('model'))?.string || undefined;
}

/** Texts that are not sent: answers that were merged, copies that differ, messages of other roles. */
function unreadIn(record: JsonNode): (JsonNode | undefined)[] {
  const chat = chatIn(record);
  if (chat === undefined) return [];
  const copies = chat.node.get('messages')?.items() ?? [];
  const own = [...chat.byId.values(), ...(chat.byId.size > 0 ? [] : copies)].filter((node) => !isRepeated(node));
  const others = chat.byId.size > 0 ? copies.filter((copy) => !isCopy(copy, chat.byId)) : [];
  const prompts = [chat.node, chat.node.get('params')].map((holder) => holder?.get('system'));
  return [...prompts, ...[...own, ...others].map((node) => node.get('content'))];
}

/** Whether the content is what is shown of `output`, or has been read in pieces. */
function isRepeated(node: JsonNode): boolean {
  const content = node.get('content')?.string ?? '';
  if (content.includes(START)) return true;
  return present(node, 'output') !== undefined && content.trim() === textsOf(node.get('output')!.items()).trim();
}

function isCopy(copy: JsonNode, byId: ReadonlyMap<string, JsonNode>): boolean {
  return byId.get(copy.get('id')?.string ?? '')?.get('content')?.json === copy.get('content')?.json;
}
