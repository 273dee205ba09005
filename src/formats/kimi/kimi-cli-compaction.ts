/**
 * Compactions in Kimi CLI's wire logs (`context.apply_compaction`): from there on, what the user said goes on, and a
 * summary in place of all else. Of earlier versions, whose records do not say how many messages go on, the summary is
 * not read. After `context.clear` nothing goes on.
 * https://github.com/MoonshotAI/kimi-code (packages/agent-core-v2/src/agent/contextMemory/compactionHandoff.ts,
 * 2026-11-30)
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Part } from '../../transcript/types.js';
import { writeContent } from './kimi-cli-write.js';

const COMPACTION = 'context.apply_compaction';
const KEYS = ['contextSummary', 'summary'] as const;

/** The words that are sent in place of what was summed up. */
export function summaryIn(line: JsonNode): JsonNode | undefined {
  return line.get('type')?.string === COMPACTION ? line.get(keyIn(line)) : undefined;
}

function keyIn(line: JsonNode): string {
  return KEYS.find((key) => line.get(key)?.isString) ?? 'summary';
}

export function readCompaction(raw: JsonNode): Message | undefined {
  if (raw.get('type')?.string === 'context.clear')
    return { role: 'meta', parts: [], raw, keeps: (sent) => sent.filter(({ role }) => role === 'system') };
  const text = summaryIn(raw);
  const kept = raw.get('keptUserMessageCount')?.number;
  if (!text?.isString || kept === undefined) return undefined;
  const head = raw.get('keptHeadUserMessageCount')?.number ?? 0;
  return { role: 'user', parts: [{ type: 'text', text, raw: text }], raw, keeps: keptOf(head, kept - head) };
}

export function writeCompaction(raw: JsonNode, parts: readonly Part[]): Json {
  const key = keyIn(raw);
  return patch(raw, { [key]: writeContent(parts, raw.get(key)) });
}

/** The first and the last of what the user said; of the outermost of them it may be a part. */
function keptOf(head: number, tail: number): NonNullable<Message['keeps']> {
  return (sent) => {
    const said = sent.filter(isSaid);
    const kept = new Set([...said.slice(0, head), ...said.slice(Math.max(head, said.length - tail))]);
    return sent.filter((message) => message.role === 'system' || kept.has(message));
  };
}

const BY_USER = new Set(['skill_activation', 'plugin_command']);

/** Neither what the agent adds, such as reminders, nor a summary. */
function isSaid({ role, raw }: Message): boolean {
  if (role !== 'user' || !(raw instanceof JsonNode) || raw.get('type')?.string === COMPACTION) return false;
  const origin = raw.get('message')?.get('origin');
  const kind = origin?.get('kind')?.string;
  return (
    kind === undefined || kind === 'user' || (BY_USER.has(kind) && origin?.get('trigger')?.string === 'user-slash')
  );
}
