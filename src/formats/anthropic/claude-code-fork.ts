/**
 * A session of Claude Code under another id: in the folder of its project, named by the id, which stands in each line.
 * Its sub-agents have a folder beside it. As `forkSession` of @anthropic-ai/claude-agent-sdk 0.3.332 does it
 * (2026-11-26), but records keep their ids.
 */
import { type JsonFields, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fork, isIn, settingsBefore } from '../fork.js';
import { type Line, lineWith } from '../resume.js';

/** What these lines name is kept under the id of the old session, or is of it alone: its prompts, costs and end. */
const OF_THE_OLD = new Set([
  ...['file-history-snapshot', 'file-history-delta', 'last-prompt', 'queue-operation', 'bridge-session', 'cost-state'],
  ...['resume-head-vouch', 'continued-in', 'ended-by-model', 'artifact-comment-monitor', 'artifact-autoreact-ledger'],
]);
/** What a message says of the old session: its name in a team, and its plan. `forkSession` takes it out, too. */
const OWN = { teamName: undefined, agentName: undefined, sessionKind: undefined, slug: undefined };

/** Lines of Claude Code 2.1.332 that hold until the next of their type (2026-11-26). */
const SETTINGS = [
  ...['permission-mode', 'mode', 'agent-name', 'agent-color', 'agent-setting', 'worktree-state', 'relocated', 'tag'],
  ...['custom-title', 'ai-title', 'isolation-latch', 'session-owner', 'history-suppression', 'atis-latch'],
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
      const type = node!.get('type')?.string ?? '';
      const isElsewhere = type === 'relocated' && project !== undefined;
      return !OF_THE_OLD.has(type) && !isElsewhere && (leaf === undefined || ids.has(leaf));
    };
    return [...own.filter(stays), ...previewsBeside(lines, own)].map((line) => {
      const node = line.node!;
      const parent = node.get('parentUuid')?.string;
      const fields: JsonFields = {
        ...(parent !== undefined && !ids.has(parent) ? { parentUuid: null } : {}),
        ...(node.get('sessionId') === undefined ? {} : { sessionId: id }),
        ...markOf(node),
        ...(node.get('message') === undefined ? {} : OWN),
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
    const { root, old } = storeOf(path);
    if (root === undefined) return [];
    const todos = (of: string) => `${root}/todos/${of}-agent-${of}.json`;
    return [
      [`${root}/tasks/${old}`, `${root}/tasks/${id}`],
      [todos(old!), todos(id)],
    ];
  },
  /** By the folders that Claude Code 2.1.332 names after a session, or after its plan (2026-11-26). */
  stays({ path }, lines) {
    const { root, old } = storeOf(path);
    if (root === undefined) return [];
    const beside = path.replace(/\.jsonl$/, '');
    const plan = lines.findLast(({ node }) => node?.get('slug')?.isString)?.node?.get('slug')?.string;
    return [
      ['copies of files for going back', `${root}/file-history/${old}`],
      ['long results, where messages name them', `${beside}/tool-results`],
      ['pasted images', `${root}/image-cache/${old}`],
      ['scripts of workflows', `${beside}/workflows`],
      ['agents elsewhere', `${beside}/remote-agents`],
      ['variables of the shell', `${root}/session-env/${old}`],
      ...(plan === undefined ? [] : [['the plan', `${root}/plans/${plan}.md`] as const]),
    ];
  },
} satisfies Fork;

/**
 * Previews that are sent in place of kept results, of lines that are not kept: an agent that goes on without them would
 * send the whole results.
 */
function previewsBeside(lines: readonly Line[], own: readonly Line[]): Line[] {
  const ids = new Set(own.flatMap(({ node }) => resultIdsIn(node!)));
  const isOwn = new Set(own);
  return lines.flatMap((line) => {
    const { node } = line;
    if (isOwn.has(line) || node?.get('type')?.string !== 'content-replacement') return [];
    const previews = node.get('replacements');
    const kept = previews?.isArray ? previews.items().filter((one) => ids.has(one.get('toolUseId')?.string ?? '')) : [];
    if (previews === undefined || kept.length === 0) return [];
    if (kept.length === previews.length) return [line];
    return [lineWith(line, patch(node, { replacements: patchItems(previews, kept) }))];
  });
}

function resultIdsIn(node: JsonNode): string[] {
  const blocks = node.get('message')?.get('content');
  return blocks?.isArray ? blocks.items().flatMap((block) => block.get('tool_use_id')?.string ?? []) : [];
}

function storeOf(path: string): { readonly root?: string; readonly old?: string } {
  const [, root, old] = /^(.*)[\\/]projects[\\/][^\\/]+[\\/]([^\\/]+)\.jsonl$/.exec(path) ?? [];
  return root === undefined ? {} : { root, old: old! };
}

/** As Claude Code marks what it copies. */
function markOf(node: JsonNode): JsonFields {
  const [sessionId, messageUuid] = [node.get('sessionId'), node.get('uuid')];
  return sessionId === undefined || messageUuid === undefined ? {} : { forkedFrom: { sessionId, messageUuid } };
}
