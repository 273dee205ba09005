/** What Claude Code and Codex logs used, by day, against ccusage: fixtures/vectors/ccusage-20.json has its answers. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { groupingBy } from '../../../src/engine/stats/stats.js';
import { dayIn } from '../../../src/measure/stats/groups.js';
import { comparedHome, isEqual } from '../../shared/ccusage-home.js';
import { recordedStats } from '../../shared/recorded-stats.js';
import { fixtures, sharedRecordings } from '../../shared/recordings.js';

interface Day {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly cost_usd: number;
}
type Days = Readonly<Record<string, Day>>;

const { files } = JSON.parse(readFileSync('fixtures/vectors/ccusage-20.json', 'utf8')) as {
  readonly files: Readonly<Record<string, Days>>;
};

/** Logs whose totals differ, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'claude-code/hand-sidechains.jsonl': 'ccusage counts a response twice whose lines have no request id',
  'claude-code/sidechain.jsonl': 'ccusage skips lines whose times have microseconds',
  'claude-code/hand-branch.jsonl': 'ccusage skips lines with spaces between the members',
  'claude-code/hand-tree.jsonl': 'ccusage skips lines with spaces between the members',
  'claude-code/edge_cases.jsonl': 'ccusage skips three of the four lines with usage',
  'codex-rollout/vibe-coding-tracker.jsonl': 'ccusage skips what the totals of a session have, and no event of it',
};
/** Logs whose tokens agree, but not the cost, and why. */
const PRICED_OTHERWISE: Readonly<Record<string, string>> = {
  'claude-code/agent-sessions_small_all-record-types.jsonl': 'ccusage does not price inference in the US',
  'codex-rollout/hand-events.jsonl': 'ccusage takes gpt-5 where no model is recorded',
  'codex-rollout/patched-again.jsonl': 'ccusage takes gpt-5 where no model is recorded',
  'codex-rollout/rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl':
    'ccusage takes gpt-5 where no model is recorded',
  'codex-rollout/vibecodingtracker_codex.jsonl': 'ccusage takes gpt-5 for aide-gpt-5',
};

function daysOf(bytes: Buffer): Days {
  const { groups } = recordedStats(bytes, groupingBy(['day'], dayIn('UTC')));
  const days = groups.flatMap(({ day: name = '', usage, total, knownCost }): (readonly [string, Day])[] => {
    const { input, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage;
    const cost = Number(knownCost) / 1e12;
    return total === 0
      ? [] // a request that failed: ccusage does not list it
      : [[name, { input, cache_read: cacheRead, cache_write: cacheWrite5m + cacheWrite1h, output, cost_usd: cost }]];
  });
  return Object.fromEntries(days);
}

for (const { name, bytes } of [...fixtures(), ...sharedRecordings()]) {
  const expected = files[name];
  if (expected === undefined) continue;
  const difference = DIFFERENCES[name] ?? PRICED_OTHERWISE[name];
  it(`${name} is what ccusage says${difference === undefined ? '' : `, but ${difference}`}`, () => {
    const days = daysOf(bytes);
    if (name in DIFFERENCES) return expect(days).not.toEqual(expected);
    const tokens = (all: Days) => Object.entries(all).map(([day, { cost_usd: _, ...rest }]) => [day, rest]);
    expect(tokens(days)).toEqual(tokens(expected));
    for (const [day, { cost_usd: cost }] of Object.entries(expected))
      if (name in PRICED_OTHERWISE) expect(days[day]!.cost_usd).not.toBeCloseTo(cost, 8);
      else expect(days[day]!.cost_usd).toBeCloseTo(cost, 8);
  });
}

it.skipIf(!existsSync('../shared/transcripts'))(
  'a home by day and session is what ccusage says, or we say why',
  async () => {
    const all = await comparedHome();
    expect(all.filter(isEqual).length).toBeGreaterThan(30);
    for (const one of all)
      expect([one.agent, one.name, one.why !== undefined]).toEqual([one.agent, one.name, !isEqual(one)]);
  },
);
