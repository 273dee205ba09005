/**
 * Recordings whose cost depends on tier, region and tools, against what the providers' pages say. The judge reads raw
 * JSON and knows only published prices, in US dollars per million tokens.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toNumber } from '../../../src/decimals.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import type { Billing } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';
import { recordedStats } from '../../shared/recorded-stats.js';

const FOLDER = 'fixtures/cases/cost';
const SHARED = '../shared/cases/cost';
const prices = await loadPrices();

interface Case {
  readonly model: string;
  readonly at: string;
  readonly input: number;
  readonly cacheRead?: number;
  readonly output: number;
  readonly billing: Billing;
  /** In US dollars, for all requests of the file. */
  readonly cost: number;
  readonly requests?: number;
}

// https://platform.claude.com/docs/en/about-claude/pricing: Claude Opus 4.6, $5 input, $25 output
const OPUS = { model: 'claude-opus-4-6', at: '2026-05-09T10:00:01Z', input: 1000, output: 1000 } as const;
const OPUS_COST = (1000 * 5 + 1000 * 25) / 1e6;
// https://developers.openai.com/api/docs/pricing: GPT-5, $1.25 input, $0.125 cached input, $10 output; batch and flex
// $0.625, $0.0625, $5; https://openai.com/api-priority-processing/: $2.50, $0.25, $20
const GPT5 = { model: 'gpt-5-2025-08-07', at: '2026-05-05T17:33:20Z', input: 10_000, output: 1000 } as const;
const CACHED = { ...GPT5, input: 5904, cacheRead: 4096 } as const;
const STANDARD = (10_000 * 1.25 + 1000 * 10) / 1e6;
const FLEX = (10_000 * 0.625 + 1000 * 5) / 1e6;
const FLEX_CACHED = (5904 * 0.625 + 4096 * 0.0625 + 1000 * 5) / 1e6;
const PRIORITY = (10_000 * 2.5 + 1000 * 20) / 1e6;

const CASES: Readonly<Record<string, Case>> = {
  'plain.jsonl': { ...OPUS, billing: {}, cost: OPUS_COST },
  'fast.jsonl': { ...OPUS, billing: { tier: 'fast' }, cost: (1000 * 30 + 1000 * 150) / 1e6 },
  'geo.jsonl': { ...OPUS, billing: { region: 'us' }, cost: (1000 * 5.5 + 1000 * 27.5) / 1e6 },
  'prio.jsonl': { ...OPUS, billing: { tier: 'priority' }, cost: OPUS_COST },
  'batch.jsonl': { ...OPUS, billing: { tier: 'batch' }, cost: (1000 * 2.5 + 1000 * 12.5) / 1e6 },
  'web.jsonl': { ...OPUS, billing: { toolUses: { web_search: 10, web_fetch: 0 } }, cost: OPUS_COST + (10 * 10) / 1000 },
  'anthropic-batch.jsonl': { ...OPUS, billing: { tier: 'batch' }, cost: (1000 * 2.5 + 1000 * 12.5) / 1e6 },
  'oai-default.json': { ...GPT5, billing: {}, cost: STANDARD },
  'oai-flex.json': { ...GPT5, billing: { tier: 'flex' }, cost: FLEX },
  'oai-batch.json': { ...GPT5, billing: { tier: 'batch' }, cost: FLEX },
  'oai-priority.json': { ...GPT5, billing: { tier: 'priority' }, cost: PRIORITY },
  'chat-default.json': { ...GPT5, billing: {}, cost: STANDARD },
  'chat-flex.json': { ...GPT5, billing: { tier: 'flex' }, cost: FLEX },
  'chat-batch.json': { ...GPT5, billing: { tier: 'batch' }, cost: FLEX },
  'chat-priority.json': { ...GPT5, billing: { tier: 'priority' }, cost: PRIORITY },
  'resp.jsonl': { ...CACHED, billing: { tier: 'flex' }, cost: 2 * FLEX_CACHED, requests: 2 },
  'batch-out.jsonl': { ...CACHED, billing: { tier: 'flex' }, cost: FLEX_CACHED },
};
const files = Object.entries(CASES);

describe('the price book', () => {
  it.each(files)('prices what %s states as published', (_, { model, at, billing, cost, requests = 1, ...tokens }) => {
    const usage = { ...NO_USAGE, input: tokens.input, cacheRead: tokens.cacheRead ?? 0, output: tokens.output };
    const { usd } = prices.cost(model, usage, new Date(at), billing);
    expect(toNumber(usd!) * requests).toBeCloseTo(cost, 12);
  });

  it.each(files)('is asked what %s records', (file, { billing }) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const states = (pattern: RegExp) => pattern.exec(text)?.[1];
    expect(text).toMatch(/"(?:input|prompt)_tokens": ?10000?,/);
    expect(states(/"service_tier": ?"(batch|flex|priority)"/) ?? states(/"speed": ?"(fast)"/)).toBe(billing.tier);
    expect(states(/"inference_geo": ?"(\w+)"/)).toBe(billing.region);
    expect(Number(states(/"web_search_requests": ?(\d+)/) ?? 0)).toBe(billing.toolUses?.web_search ?? 0);
  });
});

describe('the ledger', () => {
  it.each(files)('says the same of %s', (file, { cost, requests = 1 }) => {
    const { paid } = recordedStats(readFileSync(`${FOLDER}/${file}`));
    expect(paid.requests).toBe(requests);
    expect(toNumber(paid.cost!)).toBeCloseTo(cost, 12);
  });
});

it('takes the tier from a name that states it: what Cline paid for a request, with its 5 %', () => {
  const usage = { ...NO_USAGE, input: 2, cacheWrite5m: 34_332, output: 741 };
  const cost = prices.cost('anthropic/claude-opus-4.8-fast', usage, new Date('2026-06-05T00:00:00Z')).usd!;
  expect(toNumber(cost) * 1.05).toBeCloseTo(0.489531, 9);
});

if (existsSync(SHARED))
  it('knows every case whose price depends on more than tokens', () => {
    const others = ['codex-min.jsonl', 'ollama-pi.jsonl']; // of repeated records, not of prices
    expect(
      readdirSync(SHARED)
        .filter((file) => !others.includes(file))
        .sort(),
    ).toEqual(Object.keys(CASES).sort());
  });
else it.skip(`knows every case of ${SHARED}: the folder is missing`);
