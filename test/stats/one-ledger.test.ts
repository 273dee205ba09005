/** One ledger: `stats` and `simulate` say the same of the requests that a recording holds. */
import { expect, it } from 'vitest';
import type { Context } from '../../src/app/context.js';
import { recordedOf, simulateAll } from '../../src/app/simulate/simulate.js';
import { createStats } from '../../src/app/stats/stats.js';
import { loadPrices } from '../../src/pricing/cost.js';
import { createCounting } from '../../src/stats/counting.js';
import type { RequestSum } from '../../src/stats/groups.js';
import type { Transcript } from '../../src/transcript/types.js';
import { promptTokens } from '../../src/transcript/usage.js';
import { openText } from '../shared/opened.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const byLength = (model: string | undefined) => createCounting(model, () => (text) => text.length, 1);
const context: Context = {
  model: undefined,
  tokenizer: () => (text) => text.length,
  countingFor: byLength,
  prices: await loadPrices(),
  at: undefined,
};
const PLACE = { file: 'a.jsonl', line: 1 };

function statsOf(transcripts: readonly Transcript[]): RequestSum {
  const stats = createStats({
    context,
    recorded: true,
    calibrates: false,
    carries: false,
    keepsMessages: false,
    within: undefined,
    grouping: undefined,
    settled: undefined,
  });
  for (const transcript of transcripts) stats.add(transcript, PLACE);
  return stats.close().facts.paid;
}

function simulated(transcripts: readonly Transcript[]) {
  const recorded = transcripts.map((transcript) => recordedOf(transcript, PLACE, context));
  const replay = { scope: 'history', carries: false, cache: 'off', idle: undefined } as const;
  return simulateAll(recorded, { steps: [], written: '' }, replay, context);
}

for (const { name, bytes } of [...fixtures(), ...sharedRecordings()])
  it(`counts the same requests in ${name}`, () => {
    const { transcripts } = openText(bytes);
    const stats = statsOf(transcripts);
    const simulation = simulated(transcripts);
    expect(simulation.recorded).toEqual(stats.requests > 0 ? stats : undefined);
    const replayed = simulation.transcripts.flatMap(({ simulation: { requests } }) =>
      requests.flatMap(({ recorded }) => recorded ?? []),
    );
    const prompts = replayed.reduce((sum, usage) => sum + promptTokens(usage), 0);
    expect(prompts).toBeLessThanOrEqual(promptTokens(stats.usage));
  });
