/**
 * What a line of a Claude Code log tells about its request and its agent, without its content. A log has many lines, so
 * each object is searched once for all of its keys.
 */
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Message, Recorded } from '../../transcript/types.js';
import type { Agents, ThreadLink } from '../format.js';
import { anthropicBilling } from '../shared/billing.js';
import { anthropicUsage, costText, recordedOf, timeOf } from '../shared/recorded.js';
import { NO_MODEL } from './claude-code-sync.js';

/** `isPaid`: a model wrote the message, not Claude Code itself. */
export function modelOf(name: string | undefined): { readonly model?: string; readonly isPaid: boolean } {
  return name === undefined || name === NO_MODEL ? { isPaid: name === undefined } : { model: name, isPaid: true };
}

// --- requests

const LINE = { message: 0, requestId: 1, sessionId: 2, timestamp: 3, costUSD: 4 } as const;
const LINE_KEYS = new Keys(Object.keys(LINE));
const MESSAGE = { id: 0, model: 1, usage: 2 } as const;
const MESSAGE_KEYS = new Keys(Object.keys(MESSAGE));

/** Usage, model, time and cost of the request behind a line. */
export function recorded(line: JsonNode): Recorded | undefined {
  const at = line.find(LINE_KEYS);
  const inner = line.nodeAt(at[LINE.message]!);
  const innerAt = inner?.find(MESSAGE_KEYS) ?? NOWHERE;
  const { model, isPaid } = modelOf(inner?.stringAt(innerAt[MESSAGE.model]!));
  const usage = isPaid ? inner?.nodeAt(innerAt[MESSAGE.usage]!) : undefined;
  return recordedOf({
    responseId: inner?.stringAt(innerAt[MESSAGE.id]!),
    requestId: line.stringAt(at[LINE.requestId]!),
    sessionId: line.stringAt(at[LINE.sessionId]!),
    model,
    time: timeOf(line.nodeAt(at[LINE.timestamp]!)),
    usage: anthropicUsage(usage),
    cost: costText(line.nodeAt(at[LINE.costUSD]!)),
    billing: anthropicBilling(usage),
    failed: isPaid ? undefined : true,
  });
}

const NOWHERE = new Int32Array(MESSAGE_KEYS.names.length).fill(-1);

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
  if (!isString(OWN.type) || at[OWN.payload]! >= 0 || at[OWN.role]! >= 0) return undefined;
  const hasIds = isString(OWN.uuid) && isString(OWN.sessionId) && at[OWN.isSidechain]! >= 0;
  const isMessage = line.nameAt(at[OWN.type]!, MESSAGE_TYPES) >= 0;
  if (hasIds && isMessage && line.nodeAt(at[OWN.message]!)?.get('role')?.isString) return 'own';
  if (at[OWN.message]! >= 0) return undefined;
  return isString(OWN.sessionId) || isString(OWN.leafUuid) || isString(OWN.messageId) ? 'beside' : undefined;
}

const REPLY = { type: 0, message: 1, uuid: 2, payload: 3, role: 4 } as const;
const REPLY_KEYS = new Keys(Object.keys(REPLY));
const INNER = { role: 0, model: 1, content: 2 } as const;
const INNER_KEYS = new Keys(Object.keys(INNER));
const ASSISTANT = new Keys(['assistant']);

/** A reply as `read` reads it, without its parts; undefined where `read` has to judge. */
export function outline(line: JsonNode): Message | undefined {
  const at = line.find(REPLY_KEYS);
  const isReply = line.nameAt(at[REPLY.type]!, ASSISTANT) === 0 && at[REPLY.uuid]! >= 0;
  const inner = line.nodeAt(at[REPLY.message]!);
  if (!isReply || inner === undefined || at[REPLY.payload]! >= 0 || at[REPLY.role]! >= 0) return undefined;
  const innerAt = inner.find(INNER_KEYS);
  const content = inner.nodeAt(innerAt[INNER.content]!);
  if (inner.nameAt(innerAt[INNER.role]!, ASSISTANT) !== 0 || content?.isArray !== true) return undefined;
  if (!content.items().every(isUsual)) return undefined;
  return { role: 'assistant', parts: [], model: modelOf(inner.stringAt(innerAt[INNER.model]!)).model };
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

// --- sub-agents

const THREAD = { uuid: 0, parentUuid: 1, isSidechain: 2, agentId: 3 } as const;
const THREAD_KEYS = new Keys(Object.keys(THREAD));

export function linkOf(line: JsonNode): ThreadLink {
  const at = line.find(THREAD_KEYS);
  return {
    id: line.stringAt(at[THREAD.uuid]!),
    parent: line.stringAt(at[THREAD.parentUuid]!),
    isSide: line.nodeAt(at[THREAD.isSidechain]!)?.boolean === true,
    agent: line.stringAt(at[THREAD.agentId]!),
  };
}

/**
 * Lines of sub-agents have `isSidechain`, newer ones also `agentId`. Without `agentId`, lines that lead to the same
 * root by `parentUuid` belong to one agent; a line whose parent is missing belongs to the agent of the line before.
 */
export function threads(lines: readonly (ThreadLink | undefined)[]): Agents | undefined {
  if (!lines.some((line) => line?.isSide)) return undefined;
  const byId = new Map(lines.map((line) => [line?.id, line]));
  const agentOf = new Map<ThreadLink | undefined, string>();
  let agent: string | undefined;
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
    agent = agentOf.get(root) ?? agentName(root, byId.has(root.parent) ? undefined : agent);
    for (const one of path) agentOf.set(one, agent);
  }
  return { agentIds: lines.map((line) => agentOf.get(line)) };
}

/** The agent that starts with a line, or `before` if the parent of the line is missing. */
function agentName({ agent, id, parent }: ThreadLink, before: string | undefined): string {
  if (agent !== undefined) return `agent-${agent}`;
  const isMissing = parent !== undefined && before !== undefined;
  return isMissing ? before : `sidechain-${id ?? ''}`;
}
