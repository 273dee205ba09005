/** The ledger of a recording against a count of its raw JSON, by readers that share no code with ours. */
import { expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { rawUsage } from '../../../bench/raw-usage.mjs';
import { createLedger } from '../../../src/measure/stats/ledger.js';
import { priced } from '../../../src/measure/stats/request.js';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { openText } from '../../shared/opened.js';
import { fixtures, sharedRecordings } from '../../shared/recordings.js';

/** Only stated costs count here. */
const PRICING = { prices: undefined, at: undefined };

interface Sum {
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly cost: number;
}

function ledgerOf(bytes: Buffer): Sum & { readonly format: string | undefined } {
  const { transcripts } = openText(bytes);
  const ledger = createLedger<undefined>({ price: (record) => priced(record, PRICING) });
  for (const transcript of transcripts) ledger.add(undefined, recordedRequests(transcript, PRICING));
  const { requests, usage, knownCost } = ledger.close().paid;
  return {
    format: transcripts[0]?.format,
    requests,
    input: usage.input,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite5m + usage.cacheWrite1h,
    output: usage.output,
    cost: Number(knownCost) / 1e12,
  };
}

/** Made by hand: their shapes are not those that the raw readers know. */
const OWN = fixtures().filter(({ name }) => /^(?:tau2|langfuse|openhands|pi-session)\//.test(name));

for (const { name, bytes } of [...OWN.filter((file) => !file.name.includes('/hand-')), ...sharedRecordings()])
  it(`counts what is in ${name}`, () => {
    const { format, cost, ...found } = ledgerOf(bytes);
    const { cost: stated, ...raw } = rawUsage(format, bytes.toString('utf8')) as Sum;
    expect(found).toEqual(raw);
    expect(cost).toBeCloseTo(stated, 8);
  });
