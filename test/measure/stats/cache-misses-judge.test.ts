/** Cache misses of real sessions, against scripts that know only their raw usage fields. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stats } from '../../../src/index.js';

const SHARED = '../shared/transcripts';

interface Raw {
  /** The index of the line. */
  readonly line: number;
  readonly agent: string;
  readonly input: number;
  readonly read: number;
  readonly written: number;
  /** Dollars for a token. */
  readonly rates: { readonly input: number; readonly read: number; readonly written: number };
}

interface RawMiss {
  readonly missed: number;
  readonly cost: number;
}

/** With Anthropic, a request can read what the one before it read and wrote. */
function missesOf(requests: readonly Raw[]): RawMiss[] {
  const cached = new Map<string, number>();
  return requests.flatMap(({ agent, input, read, written, rates }) => {
    const missed = Math.max(0, Math.min(cached.get(agent) ?? 0, input + read + written) - read);
    const rewritten = Math.min(missed, written);
    const cost = rewritten * rates.written + (missed - rewritten) * rates.input - missed * rates.read;
    cached.set(agent, read + written);
    return missed > 0 ? [{ missed, cost }] : [];
  });
}

function linesOf(path: string) {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text, line) => ({ line, record: JSON.parse(text) }));
}

/** Of pi: the log holds the cost of each kind of tokens, so no price is needed. */
function rawPi(path: string): Raw[] {
  const replies = linesOf(path).flatMap(({ line, record: { message } }) =>
    message?.role === 'assistant' ? [{ line, usage: message.usage }] : [],
  );
  const rate = (kind: string) => {
    const { usage } = replies.find((reply) => reply.usage[kind] > 0)!;
    return usage.cost[kind] / usage[kind];
  };
  const rates = { input: rate('input'), read: rate('cacheRead'), written: rate('cacheWrite') };
  return replies
    .map(({ line, usage }) => ({
      ...{ line, agent: '', rates },
      ...{ input: usage.input, read: usage.cacheRead, written: usage.cacheWrite },
    }))
    .filter(({ input, read, written }) => input + read + written > 0);
}

/**
 * Of Claude Code, with Claude Sonnet's prices for a million tokens: input 3, cache read 0.30, five-minute cache write
 * 3.75 (https://platform.claude.com/docs/en/about-claude/pricing, read 2026-11). Lines of one message are one request.
 */
function rawClaudeCode(path: string): Raw[] {
  const rates = { input: 3e-6, read: 0.3e-6, written: 3.75e-6 };
  const requests = new Map<string, Raw>();
  for (const { line, record } of linesOf(path)) {
    const { id, role, usage } = record.message ?? {};
    if (role !== 'assistant' || usage === undefined || requests.has(id)) continue;
    requests.set(id, {
      ...{ line, agent: String(record.isSidechain), rates, input: usage.input_tokens },
      ...{ read: usage.cache_read_input_tokens, written: usage.cache_creation_input_tokens },
    });
  }
  return [...requests.values()].filter(({ input, read, written }) => input + read + written > 0);
}

describe.each([
  ['fixtures/formats/pi-session/coding-agent.jsonl', rawPi, 3],
  [`${SHARED}/pi-session/before-compaction.jsonl`, rawPi, 12],
  [`${SHARED}/claude-code/37f83ec9-f2ea-42a9-925e-0d5c105cb6e8.jsonl`, rawClaudeCode, 1],
  [`${SHARED}/claude-code/cb2e607c-c758-415a-8b45-c49e4631906a.jsonl`, rawClaudeCode, 7],
] as const)('%s', (path, read, count) => {
  it.skipIf(!existsSync(path))('misses what its raw usage fields say', async () => {
    const { sessions, totals } = await stats(readFileSync(path, 'utf8'), { cache: true });
    const requests = read(path);
    const misses = missesOf(requests);
    const found = sessions.flatMap((session) => session.misses);
    expect(totals.requests).toBe(requests.length);
    expect(misses).toHaveLength(count);
    expect(found.map(({ missed }) => missed)).toEqual(misses.map(({ missed }) => missed));
    found.forEach(({ missed_cost_usd }, index) => {
      expect(missed_cost_usd).toBeCloseTo(misses[index]!.cost, 9);
    });
    expect(totals.missed_cost_usd).toBeCloseTo(
      misses.reduce((sum, { cost }) => sum + cost, 0),
      9,
    );
  });
});

describe('the longest session', () => {
  const path = `${SHARED}/pi-session/before-compaction.jsonl`;

  it.skipIf(!existsSync(path))('lost most of its missed money right after the user wrote', async () => {
    const { sessions, totals } = await stats(readFileSync(path, 'utf8'), { cache: true });
    const causes = sessions[0]!.causes.map(({ cause, requests, missed }) => [cause, requests, missed]);
    expect(causes).toEqual([
      ['user', 9, 1_007_208],
      ['idle', 1, 151_828],
      ['rewritten', 2, 54_356],
      ['first', 1, 0],
    ]);
    expect(totals).toMatchObject({ requests: 471, missed: 1_213_392, missed_cost_usd: 6.976979 });
  });
});
