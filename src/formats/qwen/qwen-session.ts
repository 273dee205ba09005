/**
 * Sessions of Qwen Code (`~/.qwen/projects/<project>/chats/<id>.jsonl`): lines `{uuid, parentUuid, sessionId, type,
 * message}` whose `message` is a content as in Gemini, with the counts of the response in `usageMetadata` beside it.
 * A `toolCallResult` beside it shows the result again. Before, Qwen Code wrote the files of Gemini CLI. It loads the
 * way from the last line to the root (`reconstructHistory` of its sessionService.ts, 2026-11-30).
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/chatRecordingService.ts (2026-11-26)
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import { defineFormat, type TreeLine } from '../format.js';
import gemini from '../gemini/gemini-contents.js';
import { type Tree, treeOf } from '../shared/branches.js';
import { metaMessage } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import { recordedOf } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { readCompression, syncCompressions, syncShown, writeCompression } from './qwen-compression.js';

const LINK: Link = {
  id: 'uuid',
  parent: 'parentUuid',
  contentKeys: ['message', 'toolCallResult', 'usageMetadata', 'systemPayload'],
  abandonedIn: (before) => {
    const tree = treeIn(before);
    return new Set(before.filter((_, index) => tree?.branchOf[index] !== undefined));
  },
};
const SESSION_FIELDS = ['sessionId', 'cwd', 'version', 'gitBranch'];
const KINDS = table<TreeLine['kind']>({ user: 'prompt', assistant: 'reply', tool_result: 'result' });
const TYPES = table<string>({ assistant: 'assistant', tool: 'tool_result' });

export default defineFormat({
  id: 'qwen-session',
  traits: gemini.traits,
  wraps: { format: 'gemini-contents', inner: messageIn },
  byteHints: gemini.byteHints,
  messagePaths: [],
  score(raw) {
    if (raw.get('uuid') === undefined || raw.get('sessionId') === undefined) return 0;
    if (messageIn(raw) !== undefined) return 1;
    return raw.get('systemPayload') === undefined ? 0 : 0.9;
  },
  read(raw) {
    return readLine(raw);
  },
  write(message) {
    const { raw, role } = message;
    if (!(raw instanceof JsonNode)) return { type: TYPES[role] ?? 'user', message: gemini.write(message) };
    const inner = messageIn(raw);
    if (role === 'meta') return raw;
    if (inner === undefined) return writeCompression(raw, message.parts);
    const written = gemini.write({ ...message, raw: inner });
    return written === inner ? raw : patch(raw, { message: written, ...syncShown(raw, readLine(raw), message) });
  },
  header: (line) => ({ id: line.get('sessionId')?.string, project: line.get('cwd')?.string }),
  recorded: (raw) =>
    recordedOf({ ...gemini.recorded?.(raw), model: raw.get('model')?.string, branch: raw.get('gitBranch')?.string }),
  threads(messages) {
    const tree = treeIn(messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined)));
    return tree && { agentIds: tree.branchOf, branches: tree.branches, order: tree.order };
  },
  beforeWrite: (rows, before) => relink(syncCompressions(rows, before, readLine), before, LINK, SESSION_FIELDS),
});

function treeIn(lines: readonly (JsonNode | undefined)[]): Tree | undefined {
  return treeOf(
    lines.map((line) => {
      const id = line?.get('uuid')?.string;
      const kind = KINDS[line?.get('type')?.string ?? ''];
      return id === undefined ? undefined : { id, parent: line!.get('parentUuid')?.string, kind, group: undefined };
    }),
    { endsAtLine: true, rootsFork: true },
  );
}

function readLine(raw: JsonNode): Message {
  const inner = messageIn(raw);
  if (inner !== undefined) return { ...gemini.read(inner), raw };
  return readCompression(raw) ?? metaMessage(raw, false);
}

function messageIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('message');
  return message?.get('parts')?.isArray && raw.get('type') !== undefined ? message : undefined;
}
