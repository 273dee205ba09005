/**
 * Compactions in a Copilot CLI log (`session.compaction_complete`): from there on, a summary is sent in place of all
 * before its `session.compaction_start`, beside what the user said. One that failed, or found nothing to sum up, has
 * none. After `session.context_cleared` only the system prompt is sent.
 * https://github.com/inference-sh/agentprotocol (transcript/copilot, held to what Copilot CLI 1.0.88 sent; 2026-11-30)
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { joinedText } from '../shared/parts.js';

const START = 'session.compaction_start';
const COMPLETE = 'session.compaction_complete';
const KEY = 'summaryContent';

/** Of an event of the main agent. */
export function readCompaction(raw: JsonNode, data: JsonNode): Message | undefined {
  const type = typeOf(raw);
  if (type === 'session.context_cleared')
    return { role: 'meta', parts: [], raw, keeps: (sent) => sent.filter(({ role }) => role === 'system') };
  const text = type === COMPLETE && data.get('success')?.boolean !== false ? data.get(KEY) : undefined;
  if (!text?.isString) return undefined;
  return { role: 'user', parts: text.string === '' ? [] : [{ type: 'text', text, raw: text }], raw, keeps };
}

/** What was said while the summary was written is not in it. */
function keeps(sent: readonly Message[]): readonly Message[] {
  const start = sent.findLastIndex(({ raw }) => typeOf(raw) === START);
  const isLater = (at: number) => start >= 0 && at > start;
  return sent.filter(
    ({ role, raw }, at) => isLater(at) || role === 'system' || (role === 'user' && typeOf(raw) !== COMPLETE),
  );
}

function typeOf(raw: unknown): string | undefined {
  return raw instanceof JsonNode ? raw.get('type')?.string : undefined;
}

export function isCompaction(raw: JsonNode | undefined): boolean {
  return typeOf(raw) === COMPLETE;
}

export function writeCompaction(data: JsonNode, parts: readonly Part[]): Json {
  const texts = parts.filter((part) => part.type === 'text');
  const old = data.get(KEY);
  return texts.length === 0 && old?.string === '' ? data : patch(data, { [KEY]: joinedText(texts) });
}
