/**
 * What a line of a Claude Code log tells about its request and its agent, without its content. A log has many lines, so
 * each object is searched once for all of its keys.
 */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Recorded } from '../../transcript/types.js';
import type { Agents, LedgerLine, LedgerMessage, ThreadLink } from '../format.js';
import { anthropicBilling } from '../shared/billing.js';
import { treeOf } from '../shared/branches.js';
import { costText, recordedOf, timeOf } from '../shared/recorded.js';
import { NO_MODEL } from './anthropic-usage.js';
import { withIterations } from './iterations.js';

/** `isPaid`: a model wrote the message, not Claude Code itself. */
export function modelOf(name: string | undefined): { readonly model?: string; readonly isPaid: boolean } {
  return name === undefined || name === NO_MODEL ? { isPaid: name === undefined } : { model: name, isPaid: true };
}

// --- what a line holds, found once

const LINE = {
  type: 0,
  message: 1,
  uuid: 2,
  parentUuid: 3,
  sessionId: 4,
  requestId: 5,
  timestamp: 6,
  isSidechain: 7,
  agentId: 8,
  costUSD: 9,
  payload: 10,
  role: 11,
  isMeta: 12,
  gitBranch: 13,
  data: 14,
} as const;
const LINE_KEYS = new Keys(Object.keys(LINE));
const INNER = { id: 0, model: 1, usage: 2, role: 3, content: 4 } as const;
const INNER_KEYS = new Keys(Object.keys(INNER));
const NOWHERE = new Int32Array(INNER_KEYS.names.length).fill(-1);

/** A line, its message, and where their members are. It holds until the next line is found. */
interface Found {
  readonly line: JsonNode;
  readonly at: Int32Array;
  readonly inner: JsonNode | undefined;
  readonly innerAt: Int32Array;
  readonly model: ReturnType<typeof modelOf>;
}

function foundIn(line: JsonNode): Found {
  const at = line.find(LINE_KEYS);
  const inner = line.nodeAt(at[LINE.message]!);
  const innerAt = inner?.find(INNER_KEYS) ?? NOWHERE;
  return { line, at, inner, innerAt, model: modelOf(inner?.stringAt(innerAt[INNER.model]!)) };
}

/** All that the ledger needs of a line. */
export function ledgerLine(line: JsonNode): LedgerLine {
  const found = foundIn(line);
  return { message: outlineOf(found), link: linkIn(found), recorded: recordedOrTold(found) };
}

// --- requests

/** Usage, model, time and cost of the request behind a line. */
export function recorded(line: JsonNode): Recorded | undefined {
  return recordedOrTold(foundIn(line));
}

/** A line may repeat a sub-agent's reply. Its own file, which may be gone, has the same ids, so it counts once. */
function recordedOrTold(found: Found): Recorded | undefined {
  const data = found.line.nodeAt(found.at[LINE.data]!);
  if (data?.get('type')?.string !== 'agent_progress') return recordedIn(found);
  const own = { ...recordedIn(found), agent: `agent-${data.get('agentId')?.string ?? ''}` };
  const told = data.get('message');
  if (told?.get('type')?.string !== 'assistant') return own;
  const { sessionId, ...reply } = recordedIn(foundIn(told)) ?? {};
  return { ...own, ...reply };
}

function recordedIn({ line, at, inner, innerAt, model: { model, isPaid } }: Found): Recorded | undefined {
  const usage = isPaid ? inner?.nodeAt(innerAt[INNER.usage]!) : undefined;
  const paid = withIterations(usage, model);
  return recordedOf({
    responseId: inner?.stringAt(innerAt[INNER.id]!),
    requestId: line.stringAt(at[LINE.requestId]!),
    sessionId: line.stringAt(at[LINE.sessionId]!),
    branch: line.stringAt(at[LINE.gitBranch]!) || undefined,
    model,
    time: timeOf(line.nodeAt(at[LINE.timestamp]!)),
    usage: paid.usage,
    beside: paid.beside,
    cost: costText(line.nodeAt(at[LINE.costUSD]!)),
    billing: anthropicBilling(usage),
    failed: isPaid ? undefined : true,
  });
}

// --- lines without their content

const OWN = {
  uuid: 0,
  sessionId: 1,
  isSidechain: 2,
  type: 3,
  message: 4,
  payload: 5,
  role: 6,
  leafUuid: 7,
  messageId: 8,
  traceSchema: 9, // of OpenClaw
} as const;
const OWN_KEYS = new Keys(Object.keys(OWN));
const MESSAGE_TYPES = new Keys(['user', 'assistant']);

/**
 * `own`: no other format has such lines. `beside`: a line without a message that may stand among them. Undefined: other
 * formats have to be considered.
 */
export function recognize(line: JsonNode): 'own' | 'beside' | undefined {
  const at = line.find(OWN_KEYS);
  const isString = (index: number) => line.nodeAt(at[index]!)?.isString === true;
  if (!isString(OWN.type) || at[OWN.payload]! >= 0 || at[OWN.role]! >= 0 || at[OWN.traceSchema]! >= 0) return undefined;
  const hasIds = isString(OWN.uuid) && isString(OWN.sessionId) && at[OWN.isSidechain]! >= 0;
  const isMessage = line.nameAt(at[OWN.type]!, MESSAGE_TYPES) >= 0;
  if (hasIds && isMessage && line.nodeAt(at[OWN.message]!)?.get('role')?.isString) return 'own';
  if (at[OWN.message]! >= 0) return undefined;
  return isString(OWN.sessionId) || isString(OWN.leafUuid) || isString(OWN.messageId) ? 'beside' : undefined;
}

const ASSISTANT = new Keys(['assistant']);

/** A reply as `read` reads it, without its parts; undefined where `read` has to judge. */
function outlineOf({ line, at, inner, innerAt, model: { model } }: Found): LedgerMessage | undefined {
  const isReply = line.nameAt(at[LINE.type]!, ASSISTANT) === 0 && at[LINE.uuid]! >= 0;
  if (!isReply || inner === undefined || at[LINE.payload]! >= 0 || at[LINE.role]! >= 0) return undefined;
  const content = inner.nodeAt(innerAt[INNER.content]!);
  if (inner.nameAt(innerAt[INNER.role]!, ASSISTANT) !== 0 || content?.isArray !== true) return undefined;
  return content.items().every(isUsual) ? { role: 'assistant', model } : undefined;
}

const BLOCK = { type: 0, text: 1, id: 2, name: 3 } as const;
const BLOCK_KEYS = new Keys(Object.keys(BLOCK));
const TYPES = ['text', 'tool_use', 'thinking'] as const;
const TYPE_NAMES = new Keys(TYPES);

/** Whether a block is no result, and has what its type needs. */
function isUsual(block: JsonNode): boolean {
  const at = block.find(BLOCK_KEYS);
  const type = TYPES[block.nameAt(at[BLOCK.type]!, TYPE_NAMES)];
  if (type === 'text') return block.nodeAt(at[BLOCK.text]!)?.isString === true;
  if (type === 'tool_use')
    return block.nodeAt(at[BLOCK.id]!)?.isString === true && block.nodeAt(at[BLOCK.name]!)?.isString === true;
  return type === 'thinking';
}

// --- sub-agents and branches

export function linkOf(line: JsonNode): ThreadLink {
  return linkIn(foundIn(line));
}

function linkIn({ line, at, inner, innerAt }: Found): ThreadLink {
  const kind = inner?.isObject ? kindIn({ line, at, inner, innerAt }) : undefined;
  return {
    id: line.stringAt(at[LINE.uuid]!),
    parent: line.stringAt(at[LINE.parentUuid]!),
    isSide: line.nodeAt(at[LINE.isSidechain]!)?.boolean === true,
    agent: line.stringAt(at[LINE.agentId]!),
    kind,
    group: kind === 'reply' ? inner!.stringAt(innerAt[INNER.id]!) || undefined : undefined,
  };
}

const LINE_TYPES = new Keys(['assistant', 'user']);

function kindIn({ line, at, inner, innerAt }: Omit<Found, 'model'>): ThreadLink['kind'] {
  const type = line.nameAt(at[LINE.type]!, LINE_TYPES);
  if (type < 0) return undefined;
  if (type === 0) return 'reply';
  const blocks = inner!.nodeAt(innerAt[INNER.content]!)?.items() ?? [];
  if (blocks.some((block) => block.get('type')?.string === 'tool_result')) return 'result';
  return line.nodeAt(at[LINE.isMeta]!)?.boolean === true ? 'note' : 'prompt';
}

type Links = readonly (ThreadLink | undefined)[];

export function threads(lines: Links): Agents | undefined {
  const agentOf = lines.some((line) => line?.isSide) ? agentsIn(lines) : undefined;
  const tree = treeOf(lines);
  if (agentOf === undefined && tree === undefined) return undefined;
  return {
    agentIds: lines.map((line, index) => agentOf?.get(line) ?? tree?.branchOf[index]),
    branches: tree?.branches,
    order: tree?.order,
  };
}

/**
 * Lines of sub-agents have `isSidechain`, newer ones also `agentId`. Without `agentId`, lines that lead to the same
 * root by `parentUuid` belong to one agent; a line whose parent is missing belongs to the only agent before it, or
 * where there are several to an agent of its own.
 */
function agentsIn(lines: Links): ReadonlyMap<ThreadLink | undefined, string> {
  const byId = new Map(lines.map((line) => [line?.id, line]));
  const agentOf = new Map<ThreadLink | undefined, string>();
  const agents = new Set<string>();
  for (const line of lines) {
    if (line?.isSide !== true) continue;
    const path = new Set<ThreadLink>();
    let root = line;
    for (
      let at: ThreadLink | undefined = line;
      at?.isSide === true && !path.has(at) && !agentOf.has(root);
      at = byId.get(root.parent)
    ) {
      root = at;
      path.add(root);
    }
    const agent = agentOf.get(root) ?? agentName(root, byId.has(root.parent) ? undefined : agents);
    agents.add(agent);
    for (const one of path) agentOf.set(one, agent);
  }
  return agentOf;
}

/** The agent that starts with a line. `before`: the agents before it, if the parent of the line is missing. */
function agentName({ agent, id, parent }: ThreadLink, before: ReadonlySet<string> | undefined): string {
  if (agent !== undefined) return `agent-${agent}`;
  const isMissing = parent !== undefined && before !== undefined && before.size > 0;
  const [only] = before ?? [];
  return isMissing && before.size === 1 ? only! : `sidechain-${(isMissing ? parent : id) ?? ''}`;
}
