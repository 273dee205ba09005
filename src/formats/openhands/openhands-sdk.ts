/**
 * Events of the OpenHands Software Agent SDK, on which the OpenHands CLI and OpenHands since 1.0 are built:
 * `{id, timestamp, source, parent_id, …, kind}`. The SDK keeps each in a file of its own, `events/event-<number>-<id>
 * .json`; they are also read as lines, and in the `history` of a benchmark's output. Events link to their parents, so
 * that a log is a tree; older ones do not, and follow each other.
 * https://github.com/OpenHands/software-agent-sdk/tree/main/openhands-sdk/openhands/sdk/event (1.49, 2026-11-30)
 */
import { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { metaMessage } from '../shared/json-fields.js';
import { beforeWrite, treeIn } from './openhands-sdk-list.js';
import { KINDS, readEvent } from './openhands-sdk-read.js';
import { describe, headerOf, recorded } from './openhands-sdk-record.js';
import { freshEvent, writeEvent } from './openhands-sdk-write.js';

const SOURCES = new Set(['agent', 'user', 'environment', 'hook']);

export default defineFormat({
  id: 'openhands-sdk',
  traits: { flagsErrors: true },
  byteHints: { toolCalls: ['"tool_call_id"'], usage: ['"usage_to_metrics"', '"full_state"'] },
  messagePaths: ['history', 'events', 'items'],
  copies: ['action'],
  score(raw) {
    const kind = raw.get('kind')?.string;
    if (kind === undefined || !SOURCES.has(raw.get('source')?.string ?? '')) return 0;
    return kind in KINDS ? 1 : Number(raw.get('id')?.isString && raw.get('timestamp')?.isString) * 0.7;
  },
  read: (raw) => readEvent(raw) ?? metaMessage(raw, false),
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return freshEvent(message);
    return message.role === 'meta' ? raw : writeEvent(message.parts, raw);
  },
  describe,
  header: headerOf,
  recorded,
  threads(messages) {
    const tree = treeIn(messages.map(({ raw }) => (raw instanceof JsonNode ? raw : undefined)));
    return tree && { agentIds: tree.branchOf, branches: tree.branches, order: tree.order };
  },
  beforeWrite,
});
