/**
 * Codex CLI rollouts: a line `{timestamp, type, payload}`, of which those of type `response_item` hold an item of OpenAI Responses
 * in `payload`. Lines of other types are no messages; what `event_msg` lines show repeats the items, and goes and changes with them
 * (codex-echoes.ts). `token_count` events say what a request used, `turn_context` lines which model is asked from there on. Early rollouts have the items
 * themselves as lines, behind a line about the session and with lines of state between them.
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
 */
import { type Json, type JsonFields, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { mapParts } from '../../transcript/edit.js';
import type { Message, Usage } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import responses from '../openai/openai-responses.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { metaMessage } from '../shared/json-fields.js';
import { recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { echoes } from './codex-duplicates.js';

const ITEM = 'response_item';
/** Types of lines that hold no item. */
const RECORDS = new Set([
  'session_meta',
  'session_state',
  'turn_context',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
]);
/** Items that Codex keeps for itself: the model never sees them. */
const OWN_ITEMS = new Set(['ghost_snapshot']);
/** Events that tell the user interface of what stands in items, or of how it goes: not what the user said, usage, or the state of a thread. */
const SPARE_EVENTS =
  /^(agent_message|agent_reasoning|exec_command|patch_apply|mcp_tool_call|dynamic_tool_call|web_search|image_generation|view_image_tool_call|guardian_assessment|background_event|stream_error)/;
/** A bare item may stand in any list of items: only beside other lines of a rollout is it one of ours. */
const BARE = 0.9;

export default defineFormat({
  id: 'codex-rollout',
  traits: responses.traits,
  wraps: { format: 'openai-responses', inner: itemIn },
  byteHints: { usage: ['"token_count"', '"turn_context"', '"session_meta"'] },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type !== undefined && (type === ITEM || RECORDS.has(type))) return raw.get('payload')?.isObject ? 1 : 0;
    if (raw.get('payload') !== undefined) return 0;
    if (isState(raw) || isHead(raw)) return 1;
    const sure = responses.score(raw);
    return sure > 0.7 ? sure * BARE : Math.min(sure, 0);
  },
  read(raw) {
    const item = itemIn(raw);
    return item === undefined
      ? metaMessage(
          raw,
          raw.get('type')?.string === 'event_msg' && SPARE_EVENTS.test(raw.get('payload')?.get('type')?.string ?? ''),
        )
      : { ...responses.read(item), raw };
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: ITEM, payload: responses.write(withCodexKinds(message)) };
    const item = message.role === 'meta' ? undefined : itemIn(raw);
    if (item === undefined) return raw;
    const written = responses.write({ ...message, raw: item } satisfies Message);
    return item === raw ? written : patch(raw, { payload: written });
  },
  header(line) {
    const type = line.get('type')?.string;
    const payload = line.get('payload');
    if (type === 'turn_context') return { model: payload?.get('model')?.string };
    const head = type === 'session_meta' ? payload : isHead(line) ? line : undefined;
    const tools = head?.get('dynamic_tools');
    return { id: head?.get('id')?.string, tools: tools?.isArray && tools.length > 0 ? tools : undefined };
  },
  recorded(raw) {
    const type = raw.get('type')?.string;
    const payload = raw.get('payload');
    const info = payload?.get('type')?.string === 'token_count' ? payload.get('info') : undefined;
    return recordedOf({
      sessionId: type === 'session_meta' ? payload?.get('id')?.string : undefined,
      model: type === 'turn_context' ? payload?.get('model')?.string : info?.get('model')?.string,
      time: timeOf(raw.get('timestamp')),
      usage: usageIn(info?.get('last_token_usage')),
      running: usageIn(info?.get('total_token_usage')),
    });
  },
  beforeWrite,
});

/** Input holds what was read from a cache and written to one, output holds the reasoning. Equal counts in a row are one, written twice. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  return usageFromTotals(tokens(usage, 'input_tokens'), tokens(usage, 'output_tokens'), {
    cacheRead: tokens(usage, 'cached_input_tokens'),
    cacheWrite5m: tokens(usage, 'cache_write_input_tokens'),
    reasoning: tokens(usage, 'reasoning_output_tokens'),
  });
}

/** To Codex, what answers a call of the local shell is a function's output. */
function withCodexKinds(message: Message): Message {
  return mapParts(message, (part) =>
    part.type === 'result' && part.kind === 'local_shell_call' ? { ...part, kind: undefined } : part,
  );
}

/** The item that a line holds, or is. */
function itemIn(raw: JsonNode): JsonNode | undefined {
  const payload = raw.get('payload');
  const item = payload === undefined ? raw : raw.get('type')?.string === ITEM ? payload : undefined;
  if (!item?.isObject || OWN_ITEMS.has(item.get('type')?.string ?? '')) return undefined;
  return item === raw && responses.score(raw) === 0 ? undefined : item;
}

/** A line of state, between the items of an early rollout. */
function isState(raw: JsonNode): boolean {
  return raw.get('record_type')?.isString === true && raw.get('type') === undefined;
}

/** The first line of an early rollout. */
function isHead(raw: JsonNode): boolean {
  const keys = raw.members().map(({ key }) => key.text);
  return (
    ['id', 'timestamp', 'instructions'].every((key) => keys.includes(key)) &&
    keys.every((key) => key === 'git' || key === 'id' || key === 'timestamp' || key === 'instructions')
  );
}

/** A line that was added has the time of the line before it; among bare items it is one. What repeats an item follows it. */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const bare = before.every((node) => node.get('payload') === undefined);
  const follow = echoes(rows, before, itemIn);
  return withAdjacentRecords(rows, before).map(({ node, json, adjacent: neighbour }) => {
    if (node !== undefined) return json === node && itemIn(node) === undefined ? follow(node) : json;
    const { payload, ...rest } = json as JsonFields;
    if (payload === undefined) return json;
    return bare ? payload : { timestamp: neighbour?.get('timestamp'), ...rest, payload };
  });
}
