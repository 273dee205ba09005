/**
 * Recorded bills judge the replay: without a policy it costs what the recording says, and no policy is recommended that
 * the error against the recording does not carry.
 */
import { expect, it } from 'vitest';
import { recordedOf, simulateAll, sweepAll } from '../../../src/engine/simulate/simulate.js';
import { stepsOf } from '../../../src/engine/steps.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import type { Prediction, Simulation } from '../../../src/measure/simulation/simulate.js';
import { candidatesOf } from '../../../src/measure/simulation/sweep.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { promptTokens } from '../../../src/transcript/usage.js';
import { openText } from '../../shared/opened.js';
import { byLength, recordedStats } from '../../shared/recorded-stats.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';

const SETTINGS = { scope: 'all', carries: false, cache: 'auto', idle: undefined } as const;
const prices = await loadPrices();
const CONTEXT = { ...byLength, prices };
/** A shorter session may be off by more: one request is much of it. */
const SHORT = 20;

/** Recordings whose bill the replay cannot reach, with the reason. */
const OUTSIDE = new Map([
  ['sidechain.jsonl', 'made for a test of another program: its last request reads three times what was ever sent'],
  ['hand-', 'written by hand: its usage fits no conversation'],
]);
const isOutside = (name: string) => [...OUTSIDE.keys()].some((part) => name.includes(part));

const placed = (transcripts: readonly Transcript[]) =>
  transcripts.map((transcript) => recordedOf(transcript, { file: 'a.jsonl', line: 1 }, CONTEXT));

const recordings = sampled([...fixtures(), ...sharedRecordings()], 'replays');

const AXES = [
  { name: 'max-tool-calls', steps: [0], key: 'maxToolCalls', values: [0, 10] },
  { name: 'every', steps: [0], key: 'every', values: [1, 20] },
];
const CANDIDATES = candidatesOf(stepsOf(['filter:max-tool-calls=1']), AXES);

let recommendations = 0;

for (const { name, bytes } of recordings)
  if (recordedStats(bytes).paid.requests > 0)
    it(`replays ${name} as it was billed, and recommends only what surely saves`, () => {
      const recorded = placed(openText(bytes).transcripts);
      const { transcripts } = simulateAll(recorded, { steps: [], written: '' }, SETTINGS, CONTEXT);
      const simulations = transcripts.map(({ simulation }) => simulation);
      if (!isOutside(name)) for (const { prediction } of simulations) expectBilled(prediction);
      if (simulations.every(({ totals }) => totals.resultsBefore === 0)) return;
      const { recommended, outcomes } = sweepAll(
        recorded,
        { candidates: CANDIDATES, budget: undefined },
        SETTINGS,
        CONTEXT,
      );
      if (recommended === undefined) return;
      recommendations++;
      const error = readError(simulations);
      expect(error).toBeLessThan(0.2);
      expect(Number(recommended.totals.with.cost) * (1 + error)).toBeLessThan(Number(outcomes[0]!.totals.with.cost));
      expect(recommended.totals.resultsKept).toBeGreaterThan(0);
    });

it('recommends something for some of them', () => {
  expect(recommendations).toBeGreaterThan(0);
});

function expectBilled(prediction: Prediction | undefined): void {
  const { recordedCost, predictedCost, requests = 0 } = prediction ?? {};
  if (recordedCost === undefined || predictedCost === undefined || recordedCost === 0n) return;
  const error = Math.abs(Number(predictedCost - recordedCost) / Number(recordedCost));
  expect(error).toBeLessThan(requests >= SHORT ? 0.1 : 0.2);
}

/** The error of the replayed cache reads against the recorded ones, from single requests. */
function readError(simulations: readonly Simulation[]): number {
  const known = simulations.flatMap(({ requests }) =>
    requests.flatMap(({ without, recorded: usage }) => (usage === undefined ? [] : [{ without, usage }])),
  );
  const sum = (of: (request: (typeof known)[number]) => number) => known.reduce((all, request) => all + of(request), 0);
  const read = sum(({ usage }) => usage.cacheRead);
  const prompts = sum(({ usage }) => promptTokens(usage));
  return prompts === 0 ? 0 : Math.abs(sum(({ without }) => without.usage.cacheRead) - read) / prompts;
}
