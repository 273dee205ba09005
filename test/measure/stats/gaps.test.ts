/** A request that a Codex log has lost shows in the running totals: what it used is counted, and said to be so. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recordedStats } from '../../shared/recorded-stats.js';

const ROLLOUT = 'rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl';
const FILE = `../shared/transcripts/codex-rollout/${ROLLOUT}`;

/** Tokens of input, read from the cache, and of output. */
type Counts = readonly [input: number, cached: number, output: number];

const counts = ([input_tokens, cached_input_tokens, output_tokens]: Counts) => ({
  ...{ input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens: 0 },
});

/** What a session of requests logs; `lost`: those whose events are missing. */
function rollout(requests: readonly Counts[], lost: readonly number[] = []): string {
  let total: Counts = [0, 0, 0];
  const events = requests.flatMap((last, index) => {
    total = [total[0] + last[0], total[1] + last[1], total[2] + last[2]];
    const info = { total_token_usage: counts(total), last_token_usage: counts(last) };
    const timestamp = `2026-05-01T10:00:0${index}.000Z`;
    return lost.includes(index) ? [] : [{ timestamp, type: 'event_msg', payload: { type: 'token_count', info } }];
  });
  const head = { timestamp: '2026-05-01T10:00:00.000Z', type: 'session_meta', payload: { id: 's', cwd: '/w' } };
  return [head, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const REQUESTS: readonly Counts[] = [
  [100, 0, 10],
  [200, 90, 20],
  [300, 180, 30],
  [400, 270, 40],
];

it.each([[[1]], [[2]], [[1, 2]]])('of request %j', (lost) => {
  const whole = recordedStats(rollout(REQUESTS)).paid;
  expect(whole.unexplained).toBeUndefined();
  const { usage, requests, unexplained } = recordedStats(rollout(REQUESTS, lost)).paid;
  expect(usage).toEqual(whole.usage);
  expect(requests).toBe(whole.requests - lost.length);
  const sum = (at: 0 | 1 | 2) => lost.reduce((all, index) => all + REQUESTS[index]![at], 0);
  expect(unexplained?.usage).toMatchObject({ input: sum(0) - sum(1), cacheRead: sum(1), output: sum(2) });
});

it('not where the log begins, nor where the totals begin anew', () => {
  expect(recordedStats(rollout(REQUESTS, [0])).paid.unexplained).toBeUndefined();
  const again = rollout(REQUESTS.slice(2)).split('\n').slice(1).join('\n');
  expect(recordedStats(rollout(REQUESTS) + again).paid.unexplained).toBeUndefined();
});

it('an event that is logged again says nothing new', () => {
  const text = rollout(REQUESTS);
  const twice = text.split('\n').flatMap((line) => [line, line]);
  expect(recordedStats(twice.slice(1).join('\n')).paid.unexplained).toBeUndefined();
});

it.skipIf(!existsSync(FILE))('and a session of 456 requests has none', () => {
  expect(recordedStats(readFileSync(FILE)).paid).toMatchObject({ requests: 456, unexplained: undefined });
});
