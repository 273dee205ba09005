/** One ledger: `stats` and `simulate` say the same of the requests that a recording holds. */
import { expect, it } from 'vitest';
import { recordedOf, simulateAll } from '../../../src/engine/simulate/simulate.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { promptTokens } from '../../../src/transcript/usage.js';
import { openText } from '../../shared/opened.js';
import { byLength, recordedStats } from '../../shared/recorded-stats.js';
import { fixtures, sharedRecordings } from '../../shared/recordings.js';

const PLACE = { file: 'a.jsonl', line: 1 };

function simulated(transcripts: readonly Transcript[]) {
  const recorded = transcripts.map((transcript) => recordedOf(transcript, PLACE, byLength));
  const replay = { scope: 'history', carries: false, cache: 'off', idle: undefined } as const;
  return simulateAll(recorded, { steps: [], written: '' }, replay, byLength);
}

for (const { name, bytes } of [...fixtures(), ...sharedRecordings()])
  it(`counts the same requests in ${name}`, () => {
    const { transcripts } = openText(bytes);
    const stats = recordedStats(bytes).paid;
    const simulation = simulated(transcripts);
    expect(simulation.recorded).toEqual(stats.requests > 0 ? stats : undefined);
    const replayed = simulation.transcripts.flatMap(({ simulation: { requests } }) =>
      requests.flatMap(({ recorded }) => recorded ?? []),
    );
    const prompts = replayed.reduce((sum, usage) => sum + promptTokens(usage), 0);
    expect(prompts).toBeLessThanOrEqual(promptTokens(stats.usage));
  });
