/**
 * A session of Claude Code under another id: in the folder of its project, named by the id, which stands in each line.
 * Its sub-agents have a folder beside it. As `forkSession` of @anthropic-ai/claude-agent-sdk 0.3.332 does it
 * (2026-11-26), but records keep their ids.
 */
import { type JsonFields, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fork, isIn, settingsBefore } from '../fork.js';
import { lineWith } from '../resume.js';

/** Copies of files are kept under the id of the old session, and these lines name them. */
const OF_THE_OLD = new Set(['file-history-snapshot', 'last-prompt', 'queue-operation']);

/** Lines of Claude Code 2.1.332 that hold until the next of their type (2026-11-26). */
const SETTINGS = [
  'permission-mode',
  'mode',
  'agent-name',
  'agent-setting',
  'worktree-state',
  'custom-title',
  'ai-title',
];

export default {
  agent: 'claude-code',
  idsByTime: false,
  lines(lines, kept, { id, project }) {
    const settings = settingsBefore(lines, kept, SETTINGS);
    const own = lines.filter((line) => settings.includes(line) || (line.node?.isObject === true && isIn(line, kept)));
    const ids = new Set(own.map(({ node }) => node!.get('uuid')?.string));
    const stays = ({ node }: { readonly node: JsonNode | undefined }) => {
      const leaf = node!.get('leafUuid')?.string;
      return !OF_THE_OLD.has(node!.get('type')?.string ?? '') && (leaf === undefined || ids.has(leaf));
    };
    return own.filter(stays).map((line) => {
      const node = line.node!;
      const parent = node.get('parentUuid')?.string;
      const fields: JsonFields = {
        ...(parent !== undefined && !ids.has(parent) ? { parentUuid: null } : {}),
        ...(node.get('sessionId') === undefined ? {} : { sessionId: id }),
        ...markOf(node),
        ...(project === undefined || node.get('cwd') === undefined ? {} : { cwd: project }),
      };
      return lineWith({ ...line, lineBreak: '\n' }, patch(node, fields));
    });
  },
  place({ id, path, project }, home, cwd) {
    const own = /^(.*[\\/]projects[\\/][^\\/]+)[\\/][^\\/]+$/.exec(path)?.[1];
    if (own !== undefined && project === undefined) return `${own}/${id}.jsonl`;
    const root = own?.replace(/[\\/][^\\/]+$/, '') ?? home;
    return `${root}/${(project ?? cwd).replace(/[^A-Za-z\d]/g, '-')}/${id}.jsonl`;
  },
  beside: (path) => path.replace(/\.jsonl$/, ''),
  /** Its tasks; of older versions, its todo list (Claude Code 2.1.332 and 1.0, 2026-11-26). */
  atItsEnd({ path, id }) {
    const [, root, old] = /^(.*)[\\/]projects[\\/][^\\/]+[\\/]([^\\/]+)\.jsonl$/.exec(path) ?? [];
    if (root === undefined) return [];
    const todos = (of: string) => `${root}/todos/${of}-agent-${of}.json`;
    return [
      [`${root}/tasks/${old}`, `${root}/tasks/${id}`],
      [todos(old!), todos(id)],
    ];
  },
} satisfies Fork;

/** As Claude Code marks what it copies. */
function markOf(node: JsonNode): JsonFields {
  const [sessionId, messageUuid] = [node.get('sessionId'), node.get('uuid')];
  return sessionId === undefined || messageUuid === undefined ? {} : { forkedFrom: { sessionId, messageUuid } };
}
