/**
 * How the lines of a Qwen Code session link: it goes on after the last line of the conversation, and sends what is on
 * the way from there to the root. After a rewind, the next line hangs on the one before the prompt that was taken back.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/utils/transcript-records.ts (0.24.4, 2026-11-30)
 */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { Agents, TreeLine } from '../format.js';
import { treeOf } from '../shared/branches.js';
import type { Link } from '../shared/links.js';
import { table } from '../shared/table.js';
import { isOfConversation, isSide } from './qwen-lines.js';

export const LINK: Link = {
  id: 'uuid',
  parent: 'parentUuid',
  contentKeys: ['message', 'toolCallResult', 'usageMetadata', 'systemPayload'],
  abandonedIn,
};
const KINDS = table<TreeLine['kind']>({ user: 'prompt', assistant: 'reply', tool_result: 'result' });

/** The sub-agents and the abandoned branches. A sub-agent has a file of its own. */
export function threads(messages: readonly Message[]): Agents | undefined {
  const lines = messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined));
  const agents = lines.map((line) => (line && isSide(line) ? `agent-${line.get('agentId')?.string ?? ''}` : undefined));
  const tree = treeIn(lines);
  if (tree === undefined && agents.every((agent) => agent === undefined)) return undefined;
  return {
    agentIds: agents.map((agent, index) => agent ?? tree?.branchOf[index]),
    branches: tree?.branches,
    order: tree?.order,
  };
}

function treeIn(lines: readonly (JsonNode | undefined)[]) {
  return treeOf(
    lines.map((line) => (line !== undefined && isOfConversation(line) ? treeLine(line) : undefined)),
    { endsAtLine: true, rootsFork: true },
  );
}

function treeLine(line: JsonNode): TreeLine {
  const kind = line.get('message') === undefined ? undefined : KINDS[line.get('type')?.string ?? ''];
  return {
    id: line.get('uuid')?.string,
    parent: line.get('parentUuid')?.string,
    kind: kind === 'prompt' && line.get('subtype') !== undefined ? 'note' : kind,
    group: undefined,
    isSide: isSide(line),
  };
}

function abandonedIn(before: readonly JsonNode[]): ReadonlySet<JsonNode> {
  const tree = treeIn(before);
  return new Set(before.filter((_, index) => tree?.branchOf[index] !== undefined));
}
