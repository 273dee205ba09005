/**
 * Compactions in a Codex rollout (`compacted`): from there on, a summary is sent in place of what was said before. Its
 * `replacement_history` holds what goes on beside it; early rollouts have none, and the user's messages go on. A
 * summary that the provider wrote is encrypted, and no message.
 * https://github.com/openai/codex/blob/main/codex-rs/core/src/session/rollout_reconstruction.rs (2026-11-29)
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import responses from '../openai/openai-responses.js';
import { joinedText } from '../shared/parts.js';
import { tryRead } from '../shared/sync-copies.js';
import { marksOf } from './codex-duplicates.js';

export function isCompaction(line: JsonNode): boolean {
  return line.get('type')?.string === 'compacted' && line.get('payload')?.isObject === true;
}

export function readCompaction(raw: JsonNode): Message | undefined {
  if (!isCompaction(raw)) return undefined;
  const payload = raw.get('payload')!;
  const text = payload.get('message');
  const parts: Part[] = text?.string ? [{ type: 'text', text, raw: text }] : [];
  for (const item of itemsIn(payload)) if (isEncrypted(item)) parts.push({ type: 'opaque', text: item, raw: item });
  return {
    role: text?.isString ? 'user' : 'meta',
    parts: text?.isString ? parts : [],
    raw,
    keeps: keptBy(payload),
  };
}

function itemsIn(payload: JsonNode): readonly JsonNode[] {
  return payload.get('replacement_history')?.items() ?? [];
}

function isEncrypted(item: JsonNode): boolean {
  return /^compaction(_summary)?$/.test(item.get('type')?.string ?? '');
}

/** The instructions at the head of a rollout are in no history, and always sent. */
function keptBy(payload: JsonNode): NonNullable<Message['keeps']> {
  const history = payload.get('replacement_history');
  return (sent) => {
    const kept = history?.isArray
      ? new Set(history.items().flatMap((item) => marksIn(item, tryRead(item, responses))))
      : undefined;
    return sent.filter((earlier) => {
      const line = earlier.raw instanceof JsonNode ? earlier.raw : undefined;
      if (line?.get('type')?.string === 'session_meta') return true;
      if (kept === undefined)
        return earlier.role !== 'assistant' && earlier.role !== 'tool' && earlier.keeps === undefined;
      return marksIn(line?.get('payload') ?? line, earlier).some((mark) => kept.has(mark));
    });
  };
}

function marksIn(item: JsonNode | undefined, message: Message | undefined): string[] {
  return item?.isObject && message !== undefined ? marksOf(item, message) : [];
}

/** With another summary, in the history, too. */
export function writeCompaction(raw: JsonNode, parts: readonly Part[]): Json {
  const payload = raw.get('payload')!;
  const old = payload.get('message')!;
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  const isSame = first === undefined ? old.string === '' : texts.length === 1 && old.is(first.text);
  const message = isSame ? old : joinedText(texts);
  const items = itemsIn(payload).flatMap((item): Json[] => {
    if (isEncrypted(item)) return parts.some((part) => item.is(part.raw)) ? [item] : [];
    return [isSame ? item : withSummary(item, old.text, message)];
  });
  const history = payload.get('replacement_history');
  const changes: JsonFields = history?.isArray ? { replacement_history: patchItems(history, items) } : {};
  return patch(raw, { payload: patch(payload, { message, ...changes }) });
}

function withSummary(item: JsonNode, old: string, text: Json): Json {
  const content = item.get('content');
  if (!content?.isArray) return item;
  const isOld = (block: JsonNode) => block.get('text')?.string === old;
  return patch(item, {
    content: patchItems(
      content,
      content.items().map((block) => (isOld(block) ? patch(block, { text }) : block)),
    ),
  });
}
