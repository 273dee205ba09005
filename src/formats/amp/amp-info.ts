/**
 * What Amp notes between messages (`info`): texts and commands of the user, which it sends as the user's, and the
 * summary of a compaction. It sends the last summary, and what follows it; one that stands in a thread of its own it
 * does not send. As the code of the CLI builds its requests (k8T in the bundle, seen on 2026-11-30).
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { readAs } from '../anthropic/anthropic-messages.js';
import { json } from '../shared/json-fields.js';

const SUMMARY = 'summary';

export function isInfo(raw: JsonNode): boolean {
  return raw.get('role')?.string === 'info';
}

export function readInfo(raw: JsonNode): Message {
  const message = readAs('user', raw);
  const isCompaction = message.parts.some((part) => blockIn(part) !== undefined);
  const parts = message.parts.map(readSummary);
  return isCompaction ? { ...message, parts, keeps: (sent) => sent.filter(({ role }) => role === 'system') } : message;
}

/** The block of a summary. */
function blockIn({ raw }: Part): JsonNode | undefined {
  return raw instanceof JsonNode && raw.get('type')?.string === SUMMARY ? raw : undefined;
}

function readSummary(part: Part): Part {
  const block = blockIn(part);
  const text = block?.get(SUMMARY)?.get(SUMMARY);
  return text?.isString ? { type: 'text', text, raw: block } : part;
}

/** The block of a text that is a summary; undefined for others. */
export function writeSummary(part: Part): Json | undefined {
  const block = blockIn(part);
  if (block === undefined || part.type !== 'text') return block;
  return patch(block, { [SUMMARY]: patch(block.get(SUMMARY)!, { [SUMMARY]: json(part.text) }) });
}
