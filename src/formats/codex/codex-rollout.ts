/**
 * Codex CLI rollouts: lines `{timestamp, type, payload}`. The payload of a `response_item` is an item of OpenAI
 * Responses. Lines of other types are not messages, except for what no item says (codex-events.ts): `event_msg` lines
 * repeat items and are synced with them (codex-duplicates.ts), `token_count` events state usage, `turn_context` lines
 * the model of the requests that follow, `thread_settings_applied` events their model and tier, `thread_rolled_back`
 * events that turns were taken back (codex-rollbacks.ts).
 * In early rollouts the lines are the items themselves, after a line about the session and with lines of state in
 * between.
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import { mapParts } from '../../transcript/edit.js';
import type { Message, Usage } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import responses from '../openai/openai-responses.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { tierNamed } from '../shared/billing.js';
import { metaMessage } from '../shared/json-fields.js';
import { recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { isCompaction, readCompaction, writeCompaction } from './codex-compaction.js';
import { duplicateSync, joinedIn, marksOf, repeatsJoined } from './codex-duplicates.js';
import { freshEvent, isSaid, readEvent, sourcesIn, writeEvent } from './codex-events.js';
import { threads } from './codex-rollbacks.js';

const ITEM = 'response_item';
/** Types of lines without an item. */
const META_LINES = commaSet(`
  session_meta, session_state, turn_context, event_msg, compacted, world_state, token_usage_record,
  inter_agent_communication, inter_agent_communication_metadata
`);
/** Items that Codex does not send to the model. */
const LOCAL_ITEMS = new Set(['ghost_snapshot']);
/** Events for the user interface that repeat items or show progress. Not: user input, usage, or thread state. */
const DISCARDABLE_EVENTS = new RegExp(
  '^(agent_message|agent_reasoning|exec_command|patch_apply|mcp_tool_call|dynamic_tool_call|web_search|' +
    'image_generation|view_image_tool_call|guardian_assessment|background_event|stream_error)',
);
/** Factor on the score of a bare item: without other rollout lines it could be from any list of items. */
const BARE_ITEM = 0.9;

export default defineFormat({
  id: 'codex-rollout',
  traits: responses.traits,
  wraps: { format: 'openai-responses', inner: itemIn },
  byteHints: { usage: ['"token_count"', '"turn_context"', '"session_meta"', '"thread_settings"'] },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type !== undefined && (type === ITEM || META_LINES.has(type))) return raw.get('payload')?.isObject ? 1 : 0;
    if (raw.get('payload') !== undefined) return 0;
    if (isState(raw) || earlyHeader(raw) !== undefined) return 1;
    const score = responses.score(raw);
    return score > 0.7 ? score * BARE_ITEM : Math.min(score, 0);
  },
  read(raw) {
    return readLine(raw) ?? withoutMessage(raw);
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: ITEM, payload: freshItem(message) };
    if (message.role === 'meta') return raw;
    const item = itemIn(raw);
    if (item === undefined)
      return isCompaction(raw) ? writeCompaction(raw, message.parts) : writeEvent(raw, message.parts);
    const written = responses.write({ ...message, raw: item } satisfies Message);
    return item === raw ? written : patch(raw, { payload: written });
  },
  header(line) {
    const type = line.get('type')?.string;
    const payload = line.get('payload');
    if (type === 'turn_context') return { model: payload?.get('model')?.string };
    const head = type === 'session_meta' ? payload : earlyHeader(line);
    const tools = head?.get('dynamic_tools');
    const project = head?.get('cwd')?.string;
    return {
      id: head?.get('id')?.string,
      project,
      forkOf: head?.get('forked_from_id')?.string,
      tools: tools?.isArray && tools.length > 0 ? tools : undefined,
    };
  },
  recorded(raw) {
    const type = raw.get('type')?.string;
    const payload = raw.get('payload');
    const info = payload?.get('type')?.string === 'token_count' ? payload.get('info') : undefined;
    const settings = payload?.get('thread_settings');
    return recordedOf({
      sessionId: type === 'session_meta' ? payload?.get('id')?.string : undefined,
      branch: payload?.get('git')?.get('branch')?.string,
      model: ((type === 'turn_context' ? payload : settings) ?? info)?.get('model')?.string,
      time: timeOf(raw.get('timestamp')),
      usage: usageIn(info?.get('last_token_usage')),
      running: usageIn(info?.get('total_token_usage')),
      billing: settings && { tier: tierNamed(settings.get('service_tier')?.string) },
    });
  },
  afterRead(messages) {
    const said = isSaid(messages);
    return messages.every(said)
      ? messages
      : messages.map((message) => (said(message) ? message : withoutMessage(message.raw as JsonNode)));
  },
  threads,
  beforeWrite,
  echoes: {
    marks(line) {
      const item = itemIn(line);
      return { anywhere: [], beside: item === undefined ? [] : marksOf(item, responses.read(item)) };
    },
    repeats: isCompaction,
    mayRepeat: (line, marks) => repeatsJoined(line.get('payload'), marks),
    joined: (line) => joinedIn(line.get('payload')),
    areShared: true,
  },
});

/** The message of a line: of its item, of a compaction, or of an event, if no item says it. */
function readLine(raw: JsonNode): Message | undefined {
  const item = itemIn(raw);
  return item === undefined ? (readCompaction(raw) ?? readEvent(raw)) : { ...responses.read(item), raw };
}

function withoutMessage(raw: JsonNode): Message {
  const type = raw.get('type')?.string === 'event_msg' ? raw.get('payload')?.get('type')?.string : undefined;
  return metaMessage(raw, DISCARDABLE_EVENTS.test(type ?? ''));
}

/** Input includes cache reads and writes, output includes reasoning. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(usage, 'input_tokens'), tokens(usage, 'output_tokens'), {
    cacheRead: tokens(usage, 'cached_input_tokens'),
    cacheWrite5m: tokens(usage, 'cache_write_input_tokens'),
    reasoning: tokens(usage, 'reasoning_output_tokens'),
  });
}

/** An added item. Codex passes over a message whose content is no list (0.169.0, 2026-11-26). */
export function freshItem(message: Message): Json {
  const item = responses.write(withCodexKinds(message)) as JsonFields;
  const { type, role, content } = item;
  if (type !== 'message' || content === undefined || Array.isArray(content)) return item;
  return { ...item, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }] };
}

/** Codex writes the output of a local shell call as that of a function. */
function withCodexKinds(message: Message): Message {
  return mapParts(message, (part) =>
    part.type === 'result' && part.kind === 'local_shell_call' ? { ...part, kind: undefined } : part,
  );
}

/** The item in a line, or the line itself in early rollouts. */
function itemIn(raw: JsonNode): JsonNode | undefined {
  const payload = raw.get('payload');
  if (payload !== undefined && raw.get('type')?.string !== ITEM) return undefined;
  const item = payload ?? raw;
  if (!item.isObject || LOCAL_ITEMS.has(item.get('type')?.string ?? '')) return undefined;
  return item === raw && responses.score(raw) === 0 ? undefined : item;
}

/** Whether this is a line of state in an early rollout. */
function isState(raw: JsonNode): boolean {
  return raw.get('record_type')?.isString === true && raw.get('type') === undefined;
}

const HEADER_KEYS = new Set(['id', 'timestamp', 'instructions', 'git']);

/** The first line of an early rollout; undefined for other lines. */
function earlyHeader(raw: JsonNode): JsonNode | undefined {
  const keys = raw.members().map(({ key }) => key.text);
  const isHeader = ['id', 'timestamp'].every((key) => keys.includes(key)) && keys.length > 2;
  return isHeader && keys.every((key) => HEADER_KEYS.has(key)) ? raw : undefined;
}

/**
 * Added lines get the time of the adjacent line, or become bare items in an early rollout, or events where their kind
 * is read from events. Syncs lines that repeat items. In a part of a log nothing is said by events.
 */
function beforeWrite(
  rows: readonly Row[],
  before: readonly JsonNode[],
  placeOf?: ReadonlyMap<JsonNode, number>,
): readonly (Json | undefined)[] {
  const bare = before.every((node) => node.get('payload') === undefined);
  const messages = before.map((node) => readLine(node));
  const spoken = new Map(before.map((node, index) => [node, messages[index]]));
  const heard = messages.flatMap((message) => message ?? []);
  const sources = sourcesIn(heard);
  const said =
    placeOf === undefined ? isSaid(heard, sources) : ({ raw }: Message) => itemIn(raw as JsonNode) !== undefined;
  const sync = duplicateSync(rows, placeOf ?? new Map(before.map((node, index) => [node, index])), (line) => {
    const message = spoken.has(line) ? spoken.get(line) : readLine(line);
    const isOwn =
      message !== undefined && message.role !== 'system' && !isCompaction(line) && (!spoken.has(line) || said(message));
    return isOwn ? { item: itemIn(line) ?? line.get('payload')!, message } : undefined;
  });
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent, message }) => {
    if (node !== undefined)
      return isCompaction(node) || (json === node && itemIn(node) === undefined) ? sync(node, json) : json;
    const { payload, ...rest } = json as JsonFields;
    if (payload === undefined) return json;
    if (bare) return payload;
    const event = freshEvent(message, sources);
    const line = event === undefined ? { ...rest, payload } : { type: 'event_msg', payload: event };
    return { timestamp: adjacent?.get('timestamp'), ...line };
  });
}
