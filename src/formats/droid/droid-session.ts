/**
 * Sessions of Factory's Droid (`~/.factory/sessions/<project>/<id>.jsonl`): a line `session_start`, then lines
 * `{type: "message", id, timestamp, message: {role, content}}` with blocks as in Anthropic Messages. Model and usage of
 * all requests together stand in `<id>.settings.json`, which this format reads too.
 * https://docs.factory.ai/reference/cli-reference, seen in versions to 2026-09 (2026-11-26)
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Recorded } from '../../transcript/types.js';
import anthropic from '../anthropic/anthropic-messages.js';
import { defineFormat } from '../format.js';
import { metaMessage } from '../shared/json-fields.js';
import { type Link, relink } from '../shared/links.js';
import { recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { readCompaction, writeCompaction } from './droid-compaction.js';

const LINK: Link = { id: 'id', parent: 'parentId', contentKeys: ['message'] };
const ROLES = new Set(['user', 'assistant', 'system']);
/** Lines without a message. */
const META_LINES = new Set(['session_start', 'todo_state', 'compaction_state', 'session_end']);

export default defineFormat({
  id: 'droid-session',
  traits: { flagsErrors: true, resultsShareMessage: true, resultsLeadText: true },
  wraps: { format: 'anthropic-messages', inner: messageIn },
  messagePaths: [],
  score(raw) {
    if (raw.get('type')?.string === 'session_start') return raw.get('cwd') === undefined ? 0 : 1;
    if (META_LINES.has(raw.get('type')?.string ?? '')) return raw.get('id') === undefined ? 0 : 0.9;
    return messageIn(raw) === undefined ? 0 : 1;
  },
  read(raw) {
    const inner = messageIn(raw);
    if (inner === undefined) return readCompaction(raw) ?? metaMessage(raw, false);
    return isSent(inner) ? { ...anthropic.read(inner), raw } : metaMessage(raw, false);
  },
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return { type: 'message', message: anthropic.write(message) };
    const inner = messageIn(raw);
    if (message.role === 'meta') return raw;
    if (inner === undefined) return writeCompaction(raw, message.parts);
    const written = anthropic.write({ ...message, raw: inner });
    return written === inner ? raw : patch(raw, { message: written });
  },
  header: (line) =>
    line.get('type')?.string === 'session_start'
      ? { id: line.get('id')?.string, project: line.get('cwd')?.string, title: line.get('title')?.string }
      : {},
  recorded: (raw) => recordedOf(totalIn(raw) ?? { time: timeOf(raw.get('timestamp')) }),
  beforeWrite: (rows, before) => relink(rows, before, LINK, []),
});

/** pi's lines look alike, but its messages say when and by whom they were written. */
function messageIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('type')?.string === 'message' ? raw.get('message') : undefined;
  const isPis = message?.get('timestamp') !== undefined || message?.get('provider') !== undefined;
  return !isPis && ROLES.has(message?.get('role')?.string ?? '') ? message : undefined;
}

/** What hooks say is for the user alone. */
function isSent(message: JsonNode): boolean {
  return message.get('visibility')?.string !== 'user_only';
}

/** Of the settings: `outputTokens` includes `thinkingTokens`. */
function totalIn(raw: JsonNode): Recorded | undefined {
  const usage = raw.get('tokenUsage');
  if (usage === undefined) return undefined;
  const cacheRead = tokens(usage, 'cacheReadTokens') ?? 0;
  const cacheWrite5m = tokens(usage, 'cacheCreationTokens') ?? 0;
  const reasoning = tokens(usage, 'thinkingTokens') ?? 0;
  return {
    model: raw.get('model')?.string,
    running: usageFromUncached(tokens(usage, 'inputTokens'), tokens(usage, 'outputTokens'), {
      cacheRead,
      cacheWrite5m,
      reasoning,
    }),
  };
}
