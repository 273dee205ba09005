/** Which lines of a log hold a message, and where: what fills a table from Claude Code's logs and Codex' rollouts. */
import type { Format } from '../../../formats/format.js';
import { ARRAY, OBJECT, TRUE } from '../../../json/scan.js';
import { decodeString, type JsonSource, Keys } from '../../../json/strings.js';
import { ASSISTANT, type MessageTable, SYSTEM, USER } from '../../../transcript/table.js';
import type { Message } from '../../../transcript/types.js';
import { addRow, addText, endRow, type Tabler } from './add.js';
import { anthropicLines, responseItems } from './layouts.js';
import { findIn, isText, kindAt } from './tape.js';

/** The lines of one log. */
export interface Lines {
  readonly messages: Tabler;
  /** Adds the message of a line, if it holds one. Returns whether it fits. */
  add(source: JsonSource, table: MessageTable): boolean;
  /**
   * The order of the lines in their conversation; undefined if they are several. `read`: the lines as messages without
   * parts.
   */
  order(format: Format, read: () => readonly Message[]): Order | undefined;
}

export type Order = 'as they stand' | readonly number[];

/** By the id of the format. */
export const logs: ReadonlyMap<string, () => Lines> = new Map([
  ['claude-code', claudeCodeLines],
  ['codex-rollout', codexLines],
]);

// --- Claude Code

const LINE_KEYS = new Keys([
  ...['type', 'message', 'uuid', 'parentUuid', 'isSidechain', 'sessionId', 'timestamp', 'payload', 'role'],
  'attachment',
]);
const LINE_TYPES = new Keys(['user', 'assistant', 'attachment']);
const QUEUED_KEYS = new Keys(['type', 'prompt']);
const QUEUED = new Keys(['queued_command']);
const INNER_KEYS = new Keys(['role', 'id']);
type LinePlaces = readonly [
  ...[type: number, message: number, id: number, parent: number, isSide: number],
  ...[session: number, time: number, payload: number, role: number, attachment: number],
];

function claudeCodeLines(): Lines {
  const ids = new Set<string>();
  const parents = new Set<string>();
  let isChain = true; // no line has two children or stands before its parent, and none is of a sub-agent
  let reply: string | undefined;

  const addLink = (source: JsonSource, id: number, parent: number, isSide: number): void => {
    if (isSide >= 0 && kindAt(source, isSide) === TRUE) isChain = false;
    if (!isChain || !isText(source, id)) return;
    const own = decodeString(source, id);
    if (ids.has(own)) return; // a copy
    ids.add(own);
    if (parents.has(own)) isChain = false;
    if (!isText(source, parent)) return;
    const above = decodeString(source, parent);
    if (parents.has(above)) isChain = false;
    parents.add(above);
  };

  /** What the user wrote while the agent worked; blocks go by messages. */
  const addQueued = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (at < 0 || kindAt(source, at) !== OBJECT) return true;
    const { 0: type, 1: prompt } = findIn(source, at, QUEUED_KEYS) as unknown as [number, number];
    if (!isText(source, type) || QUEUED.indexOf(source, type) < 0 || prompt < 0) return true;
    if (!isText(source, prompt)) return kindAt(source, prompt) !== ARRAY;
    reply = undefined;
    addTextRow(source, at, prompt, USER, table);
    return true;
  };

  return {
    messages: anthropicLines,
    add(source, table) {
      if (kindAt(source, 0) !== OBJECT) return true;
      const at = findIn(source, 0, LINE_KEYS) as unknown as LinePlaces;
      const { 0: type, 1: message, 2: id, 3: parent, 4: isSide, 5: session, 6: time, 7: payload, 8: role } = at;
      const attachment = at[9];
      addLink(source, id, parent, isSide);
      const kind = isText(source, type) ? LINE_TYPES.indexOf(source, type) : -1;
      if (kind === 2) return addQueued(source, attachment, table);
      if (kind < 0 || message < 0 || kindAt(source, message) !== OBJECT) return true;
      if (payload >= 0 || role >= 0 || (id < 0 && session < 0 && time < 0)) return true;
      const { 0: innerRole, 1: replyId } = findIn(source, message, INNER_KEYS) as unknown as [number, number];
      if (innerRole < 0) return true;
      const group = kind === 1 && isText(source, replyId) ? decodeString(source, replyId) : undefined;
      if (!anthropicLines.add(source, message, table)) return false;
      const { of, length } = table.messages;
      const row = length - 1;
      if (of.role[row] !== USER && of.role[row] !== ASSISTANT) return true; // a run of results ends no reply
      of.goesOn[row] = Number(group !== undefined && group === reply);
      reply = group;
      return true;
    },
    order: (format, read) => (isChain ? 'as they stand' : orderOf(format, read())),
  };
}
function orderOf({ threads }: Format, lines: readonly Message[]): Order | undefined {
  const { agentIds, branches, order = 'as they stand' } = threads?.(lines) ?? {};
  if (agentIds === undefined) return order;
  const agents = new Set(agentIds.filter((_, index) => lines[index]!.role !== 'meta'));
  return agents.size === 1 && (branches?.size ?? 0) === 0 ? order : undefined;
}

// --- Codex

const ROLLOUT_KEYS = new Keys(['type', 'payload']);
const ROLLOUT_TYPES = new Keys(['response_item', 'event_msg', 'session_meta', 'compacted']);
const PAYLOAD_KEYS = new Keys(['type', 'item', 'base_instructions', 'message']);
const LOCAL_ITEMS = new Keys(['ghost_snapshot']);
const [SAYS, THINKS, TAKES_BACK] = [1, 2, 4];
const EVENTS = { user_message: SAYS, agent_message: SAYS, agent_reasoning: THINKS, thread_rolled_back: TAKES_BACK };
const EVENT_TYPES = new Keys(Object.keys(EVENTS));
const EVENT_KINDS = Object.values(EVENTS);
const TURN_TYPES = new Keys(['UserMessage', 'AgentMessage', 'Reasoning']);
const TURN_KINDS = [SAYS, SAYS, THINKS];

function codexLines(): Lines {
  let said = 0; // by items
  let told = 0; // by events: a message only where no item says it
  let hasInstructions = false;

  const addItem = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (!responseItems.add(source, at, table)) return false;
    const { of, length } = table.messages;
    if (of.thinks[length - 1] === 1) said |= THINKS;
    else if (of.role[length - 1] === ASSISTANT && of.text[length - 1]! > 0) said |= SAYS;
    return true;
  };

  const hear = (source: JsonSource, type: number, item: number): void => {
    const event = isText(source, type) ? EVENT_TYPES.indexOf(source, type) : -1;
    if (event >= 0) told |= EVENT_KINDS[event]!;
    if (item < 0 || kindAt(source, item) !== OBJECT) return;
    const turn = findIn(source, item, PAYLOAD_KEYS)[0]!;
    const kind = isText(source, turn) ? TURN_TYPES.indexOf(source, turn) : -1;
    if (kind >= 0) told |= TURN_KINDS[kind]!;
  };

  const addInstructions = (source: JsonSource, at: number, table: MessageTable): void => {
    const text = at >= 0 && kindAt(source, at) === OBJECT ? findIn(source, at, TEXT)[0]! : -1;
    if (hasInstructions || !isText(source, text) || source.tape[text + 2]! - source.tape[text + 1]! === 2) return;
    hasInstructions = true;
    addTextRow(source, at, text, SYSTEM, table);
  };

  return {
    messages: responseItems,
    add(source, table) {
      if (kindAt(source, 0) !== OBJECT) return true;
      const { 0: type, 1: payload } = findIn(source, 0, ROLLOUT_KEYS) as unknown as [number, number];
      if (payload < 0) return false; // in early rollouts, lines are items
      const kind = isText(source, type) ? ROLLOUT_TYPES.indexOf(source, type) : -1;
      if (kind < 0 || kindAt(source, payload) !== OBJECT) return true;
      const {
        0: inner,
        1: item,
        2: base,
        3: summary,
      } = findIn(source, payload, PAYLOAD_KEYS) as unknown as [number, number, number, number];
      if (kind === 1) hear(source, inner, item);
      else if (kind === 2) addInstructions(source, base, table);
      else if (kind === 3) addSummary(source, summary, table);
      else if (!isText(source, inner) || LOCAL_ITEMS.indexOf(source, inner) < 0) return addItem(source, payload, table);
      return true;
    },
    order: () => ((told & ~said) === 0 ? 'as they stand' : undefined),
  };
}

function addSummary(source: JsonSource, text: number, table: MessageTable): void {
  if (isText(source, text)) addTextRow(source, text, text, USER, table);
}

function addTextRow(source: JsonSource, ...[at, text, role, table]: [number, number, number, MessageTable]): void {
  const row = addRow(source, at, role, table);
  addText(source, text, table);
  endRow(row, table);
}

const TEXT = new Keys(['text']);
