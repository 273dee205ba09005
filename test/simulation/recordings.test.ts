/**
 * Recorded bills judge the replay: without a policy it costs what the recording says, and no policy is recommended that
 * the error against the recording does not carry.
 */
import { expect, it } from 'vitest';
import { recordedOf, simulateAll, sweepAll } from '../../src/app/simulate/simulate.js';
import { stepsOf } from '../../src/library/run.js';
import { loadPrices } from '../../src/pricing/cost.js';
import { candidatesOf } from '../../src/simulation/sweep.js';
import type { Transcript } from '../../src/transcript/types.js';
import { promptTokens } from '../../src/transcript/usage.js';
import { openText } from '../shared/opened.js';
import { byLength } from '../shared/recorded-stats.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const SETTINGS = { scope: 'all', carries: false, cache: 'auto', idle: undefined } as const;
const prices = await loadPrices();
const CONTEXT = { ...byLength, prices };
/** Nobody recommends by less: a replay of so few requests is a sum of roundings. */
const SHORT = 20;

/** Recordings whose bill the replay cannot reach, with the reason. */
const OUTSIDE = new Map([
  ['sidechain.jsonl', 'made for a test of another program: its last request reads three times what was ever sent'],
  ['hand-', 'written by hand: its usage fits no conversation'],
]);
const isOutside = (name: string) => [...OUTSIDE.keys()].some((part) => name.includes(part));

const placed = (transcripts: readonly Transcript[]) =>
  transcripts.map((transcript) => recordedOf(transcript, { file: 'a.jsonl', line: 1 }, CONTEXT));

const recordings = [...fixtures(), ...sharedRecordings()];

for (const { name, bytes } of recordings.filter((recording) => !isOutside(recording.name)))
  it(`costs what ${name} says without a policy`, () => {
    const facts = simulateAll(placed(openText(bytes).transcripts), { steps: [], written: '' }, SETTINGS, CONTEXT);
    for (const { simulation } of facts.transcripts) {
      const { recordedCost, predictedCost, requests } = simulation.prediction ?? {};
      if (recordedCost === undefined || predictedCost === undefined || recordedCost === 0n) continue;
      const error = Math.abs(Number(predictedCost - recordedCost) / Number(recordedCost));
      expect(error).toBeLessThan(requests! >= SHORT ? 0.1 : 0.2);
    }
  });

const AXES = [
  { name: 'max-tool-calls', steps: [0], key: 'maxToolCalls', values: [0, 3, 10] },
  { name: 'every', steps: [0], key: 'every', values: [1, 20] },
];

for (const { name, bytes } of recordings)
  it(`recommends only what surely saves in ${name}`, () => {
    const sweep = { candidates: candidatesOf(stepsOf(['filter:max-tool-calls=1']), AXES), budget: undefined };
    const recorded = placed(openText(bytes).transcripts);
    const facts = sweepAll(recorded, sweep, SETTINGS, CONTEXT);
    const { recommended } = facts;
    if (recommended === undefined) return;
    const without = Number(facts.outcomes[0]!.totals.with.cost);
    const error = billError(recorded);
    expect(error).toBeLessThan(0.2);
    expect(Number(recommended.totals.with.cost) * (1 + error)).toBeLessThan(without);
    expect(recommended.totals.resultsKept).toBeGreaterThan(0);
  });

/** The error of the replayed bill against the recorded one, from single requests. */
function billError(recorded: ReturnType<typeof placed>): number {
  const facts = simulateAll(recorded, { steps: [], written: '' }, SETTINGS, CONTEXT);
  const known = facts.transcripts.flatMap(({ simulation }) =>
    simulation.requests.flatMap(({ without, recorded: usage }) => (usage === undefined ? [] : [{ without, usage }])),
  );
  const sum = (of: (request: (typeof known)[number]) => number) => known.reduce((all, request) => all + of(request), 0);
  const read = sum(({ usage }) => usage.cacheRead);
  const prompts = sum(({ usage }) => promptTokens(usage));
  return prompts === 0 ? 0 : Math.abs(sum(({ without }) => without.usage.cacheRead) - read) / prompts;
}
