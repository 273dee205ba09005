/**
 * The data export of claude.ai, `conversations.json`: conversations with `chat_messages`, each with its `sender` and a
 * `content` of blocks like those of Anthropic Messages. A result stands in the message of its call. `text` repeats the
 * texts of the content; in exports before blocks it is all there is. Messages link to their parents: edits of the user
 * and new answers are branches. Anthropic publishes no schema; this follows
 * https://github.com/Sinity/polylogue/blob/master/docs/providers/claude-ai.md and published exports (2026-11-29).
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Role } from '../../transcript/types.js';
import { type Agents, defineFormat, type TreeLine } from '../format.js';
import { treeOf } from '../shared/branches.js';
import { metaMessage } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import { recordedOf, timeOf } from '../shared/recorded.js';
import { roundsByResults } from '../shared/rounds.js';
import { table } from '../shared/table.js';
import { readFiles, readSaid } from './claude-ai-read.js';
import { freshMessage, writtenFields } from './claude-ai-write.js';

const ROLES = table<Role>({ human: 'user', assistant: 'assistant' });
/** The parent of a first message. */
const ROOT = '00000000-0000-4000-8000-000000000000';
const LINK: Link = {
  id: 'uuid',
  parent: 'parent_message_uuid',
  contentKeys: ['text', 'content', 'attachments', 'files', 'files_v2'],
  abandonedIn,
};

export default defineFormat({
  id: 'claude-ai-export',
  traits: { flagsErrors: true, resultsStandInCalls: true, takesNoSystem: true },
  messagePaths: ['chat_messages'],
  copies: ['text'],
  score: (raw) =>
    roleOf(raw) !== undefined && raw.get('uuid')?.isString && (raw.get('content')?.isArray || raw.get('text')?.isString)
      ? 1
      : 0,
  claimsRecord: (record) => record.get('chat_messages') !== undefined,
  read(raw) {
    const role = roleOf(raw);
    return role === undefined ? metaMessage(raw, false) : { role, parts: [...readFiles(raw), ...readSaid(raw)], raw };
  },
  write(message) {
    const { raw, role } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    return role === 'meta' ? raw : patch(raw, writtenFields(message.parts, raw));
  },
  rounds: ({ parts }) => roundsByResults(parts),
  describe: (record) => ({
    id: record.get('uuid')?.string,
    title: record.get('name')?.string || undefined,
    model: record.get('model')?.string,
  }),
  recorded: (raw) => recordedOf({ time: timeOf(raw.get('created_at')) }),
  threads,
  beforeWrite: (rows, before) => relink(rows, before, LINK, ['created_at', 'updated_at']),
  explainEmpty: (record) =>
    record.get('chat_messages')?.length === 0 ? 'the conversation was exported without messages' : undefined,
});

function roleOf(raw: JsonNode): Role | undefined {
  return ROLES[raw.get('sender')?.string ?? ''];
}

// --- branches

/** The export does not say which branch is shown: the one with the last message. */
function threads(messages: readonly Message[]): Agents | undefined {
  const tree = treeOf(
    messages.map(({ raw }) => (raw instanceof JsonNode ? lineOf(raw) : undefined)),
    { rootsFork: true },
  );
  return tree && { agentIds: tree.branchOf, branches: tree.branches, ...(tree.order && { order: tree.order }) };
}

function lineOf(raw: JsonNode): TreeLine | undefined {
  const parent = raw.get(LINK.parent)?.string;
  if (parent === undefined) return undefined;
  const kind = raw.get('sender')?.string === 'human' ? 'prompt' : 'reply';
  return { id: raw.get('uuid')?.string, parent: parent === ROOT ? undefined : parent, kind, group: undefined };
}

function abandonedIn(before: readonly JsonNode[]): ReadonlySet<JsonNode> {
  const branchOf = treeOf(before.map(lineOf), { rootsFork: true })?.branchOf;
  return new Set(before.filter((_, index) => branchOf?.[index] !== undefined));
}
