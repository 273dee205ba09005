/**
 * The costs that recordings state, against our prices of the same tokens. `npm run ledger` writes the table of all
 * shared recordings to bench/LEDGER.md.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Picodollars } from '../../../src/decimals.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { createLedger } from '../../../src/measure/stats/ledger.js';
import { computedCost, priced, type RequestFacts } from '../../../src/measure/stats/request.js';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { comparedHome, homeTable } from '../../shared/ccusage-home.js';
import { openText } from '../../shared/opened.js';
import { fixtures, sharedRecordings } from '../../shared/recordings.js';
import { storesTable } from '../../shared/stores.js';

const PRICING = { prices: await loadPrices(), at: undefined };

/** Recordings whose stated costs are not our prices, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'claude-code/ccusage_alpha_chat.jsonl': 'made-up costs of a test',
  'cline/session.messages.json': 'Cline adds 5 % and pays for cache writes that it does not record',
  'langfuse/langgraph-python.trace.json': 'this Langfuse has its own price: $1 for a million tokens',
  'langfuse-trace/langgraph-python-2025-08-22.trace.json': 'this Langfuse has its own price: $1 for a million tokens',
};

interface Bill {
  readonly name: string;
  readonly format: string;
  readonly requests: readonly RequestFacts[];
}

function billOf(name: string, bytes: Buffer): Bill {
  const requests: RequestFacts[] = [];
  const ledger = createLedger<undefined>({
    price: (record) => priced(record, PRICING),
    settled: (_, own) => void requests.push(...own),
  });
  const { transcripts } = openText(bytes);
  for (const transcript of transcripts) ledger.add(undefined, recordedRequests(transcript, PRICING));
  ledger.close();
  return { name, format: transcripts[0]?.format ?? '', requests };
}

/** Requests with a stated cost and a price of ours. */
function comparable({ requests }: Bill): { readonly stated: Picodollars; readonly ours: Picodollars }[] {
  return requests.flatMap((request) => {
    const ours = computedCost(request, PRICING);
    return request.costSource !== 'recorded' || request.cost === 0n || ours === undefined
      ? []
      : [{ stated: request.cost!, ours }];
  });
}

/** Half a millionth of a dollar: logs round to six digits. */
const ROUNDING = 500_000n;

function isEqual({ stated, ours }: { readonly stated: Picodollars; readonly ours: Picodollars }): boolean {
  const off = stated - ours;
  return off <= ROUNDING && off >= -ROUNDING;
}

const shared = sharedRecordings().map(({ name, bytes }) => billOf(name, bytes));
const own = fixtures()
  .filter(({ name }) => !name.includes('/hand-')) // their costs are made up
  .map(({ name, bytes }) => billOf(name, bytes));

describe.each([...own, ...shared].filter((bill) => comparable(bill).length > 0))('$name', (bill) => {
  const why = DIFFERENCES[bill.name];
  it(why === undefined ? 'cost what it states, request by request' : `states other costs: ${why}`, () => {
    const wrong = comparable(bill).filter((pair) => !isEqual(pair));
    if (why === undefined) expect(wrong).toEqual([]);
    else expect(wrong).not.toEqual([]);
  });
});

const sum = (amounts: readonly Picodollars[]) => amounts.reduce((total, amount) => total + amount, 0n);
const dollars = (amount: Picodollars) => (Number(amount) / 1e12).toFixed(4);

/** The notes of a row: differences, requests without a price, and rests of stated totals. */
function notesOf(bills: readonly Bill[]): string {
  const requests = bills.flatMap((bill) => bill.requests);
  const unpriced = requests.filter((request) => computedCost(request, PRICING) === undefined);
  const tierOf = ({ billing }: RequestFacts) => (billing?.tier === undefined ? '' : ` (${billing.tier})`);
  const models = [...new Set(unpriced.map((request) => `${request.model ?? 'no model'}${tierOf(request)}`))].sort();
  const rests = requests.filter(({ isRemainder }) => isRemainder).length;
  return [
    ...bills.flatMap(({ name }) => DIFFERENCES[name] ?? []),
    ...(unpriced.length === 0 ? [] : [`no price: ${models.join(', ')}`]),
    ...(rests === 0 ? [] : [`${rests} stated totals with a rest`]),
  ].join('; ');
}

function rowOf(format: string, bills: readonly Bill[]): string {
  const counted = bills.flatMap((bill) => bill.requests).reduce((total, { requests }) => total + requests, 0);
  const pairs = bills.flatMap(comparable);
  const stated = pairs.map((pair) => pair.stated);
  const all = bills.flatMap((bill) => bill.requests);
  const cost = dollars(sum(all.map((request) => request.cost ?? 0n)));
  const cells =
    pairs.length === 0
      ? ['0', '', '']
      : [String(pairs.length), dollars(sum(stated)), dollars(sum(pairs.map(({ ours }) => ours)))];
  return `| ${[format, bills.length, counted, cost, ...cells, notesOf(bills)].join(' | ')} |`;
}

it.skipIf(!existsSync('../shared/transcripts'))('the table of all shared recordings is bench/LEDGER.md', async () => {
  const byFormat = new Map<string, Bill[]>();
  for (const bill of shared.filter(({ requests }) => requests.length > 0))
    byFormat.set(bill.format, [...(byFormat.get(bill.format) ?? []), bill]);
  const rows = [...byFormat].sort(([a], [b]) => (a < b ? -1 : 1)).map(([format, bills]) => rowOf(format, bills));
  const text = [
    '# What the recordings cost',
    '',
    'Written by `npm run ledger`. Requests with recorded usage in the shared recordings, and their cost in US dollars.',
    '“Billed” are requests whose cost the recording states and whose model has a known price: their stated cost, and',
    'ours for the same tokens.',
    '',
    '| format | recordings | requests | cost | billed | stated | ours | notes |',
    '| --- | --: | --: | --: | --: | --: | --: | --- |',
    ...rows,
    '',
    ...storesTable(),
    '',
    ...homeTable(await comparedHome()),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot('../../../bench/LEDGER.md');
});
