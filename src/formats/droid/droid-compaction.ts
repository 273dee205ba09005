/**
 * Compactions of Droid (`compaction_state`): a summary is sent in place of the messages up to `anchorMessage`, and of
 * the results behind it, whose calls it replaced. Without an anchor, as in a session that `/compress` began, all that
 * stands before it is sent.
 * https://github.com/inference-sh/agentprotocol (transcript/droid/droid.go, held to what Droid 0.226 sent; 2026-11-30)
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { isResult, joinedText } from '../shared/parts.js';

/** What the agent says of the system, behind the summary. */
const INFO = 'systemInfoText';

export function readCompaction(raw: JsonNode): Message | undefined {
  const summary = raw.get('type')?.string === 'compaction_state' ? raw.get('summaryText') : undefined;
  if (!summary?.isString) return undefined;
  const parts = [summary, raw.get(INFO)].flatMap((text): Part[] =>
    text?.string ? [{ type: 'text', text, raw: text }] : [],
  );
  return { role: 'user', parts, raw, keeps: keptAfter(raw.get('anchorMessage')?.get('id')?.string) };
}

function keptAfter(anchor: string | undefined): NonNullable<Message['keeps']> {
  if (anchor === undefined) return (sent) => sent;
  return (sent) => {
    const at = sent.findIndex(({ raw }) => raw instanceof JsonNode && raw.get('id')?.string === anchor);
    const behind = at < 0 ? [] : sent.slice(at + 1);
    const first = behind.findIndex(({ role, parts }) => role !== 'meta' && !parts.every(isResult));
    return first < 0 ? [] : behind.slice(first);
  };
}

/** A text that was added stands in the summary. */
export function writeCompaction(raw: JsonNode, parts: readonly Part[]): Json {
  const info = raw.get(INFO);
  const isInfo = (part: Part) => info?.is(part.raw) === true;
  const texts = parts.filter((part) => part.type === 'text');
  const written = (old: JsonNode | undefined, some: readonly Part[]) =>
    some.length === 0 && !old?.string ? old : joinedText(some);
  const summaryText = written(
    raw.get('summaryText'),
    texts.filter((part) => !isInfo(part)),
  );
  return patch(raw, { summaryText, [INFO]: written(info, texts.filter(isInfo)) });
}
