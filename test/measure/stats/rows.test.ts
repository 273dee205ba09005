/** Tables add up: over any requests, the rows of every `--by` sum up to the totals, in every output format. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/documents/print.js';
import { statsEnd } from '../../../src/documents/stats.js';
import type { StatsReport } from '../../../src/documents/types.js';
import { periodOf } from '../../../src/engine/period.js';
import { rowsNamed } from '../../../src/engine/stats/order.js';
import { createStats, groupingBy } from '../../../src/engine/stats/stats.js';
import { usageRows } from '../../../src/engine/stats/usage-rows.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { type AuditFacts, createGatherer } from '../../../src/measure/stats/audit.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import type { TranscriptFacts } from '../../../src/measure/stats/facts.js';
import { addedUp, dayIn } from '../../../src/measure/stats/groups.js';
import type { RequestFacts } from '../../../src/measure/stats/request.js';
import { PLAIN } from '../../../src/reports/report.js';
import { renderCsv, renderTable, tableWidth } from '../../../src/reports/rows.js';
import { groupColumns, withTotal } from '../../../src/reports/stats-rows.js';
import { USAGE_COLUMNS } from '../../../src/reports/usage-columns.js';
import { USD } from '../../../src/text/money.js';
import { fitted, fittedEnd } from '../../../src/text/words.js';
import { cases } from '../../shared/effort.js';
import { openText } from '../../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';

const dayOf = dayIn('UTC');
const KINDS = [
  ...[undefined, 'request', 'turn', 'model', 'session', 'project', 'agent', 'file', 'day', 'week', 'month'],
  ...['day,model', 'project,agent', 'session,month'],
];

function expectSums({ groups, paid }: AuditFacts, by: string): void {
  const { names: _, share: __, window: ___, unexplained: ____, ...sum } = addedUp([], groups);
  const { unexplained: _____, ...whole } = paid;
  expect(sum, by).toMatchObject(whole);
}

describe('the rows of every --by add up to the totals', async () => {
  const prices = await loadPrices();
  const countingFor = (model: string | undefined) => createCounting(model, () => (text) => text.length, 1);
  const context = { tokenizer: () => (text: string) => text.length, countingFor, prices, at: undefined };
  for (const { name, bytes } of sampled([...fixtures(), ...sharedRecordings()], 'rows'))
    it(`of ${name}`, () => {
      const { transcripts } = openText(bytes);
      for (const kind of KINDS) {
        const stats = createStats({
          context,
          ...{ recorded: true, calibrates: false, carries: false, keepsMessages: false },
          ...{ within: undefined, settled: undefined, grouping: groupingBy(rowsNamed(kind), dayOf) },
        });
        for (const transcript of transcripts) stats.add(transcript, { file: name, line: 1 });
        expectSums(stats.close().facts, String(kind));
      }
    });
});

const count = fc.nat(2_000_000);
const request: fc.Arbitrary<RequestFacts> = fc.record({
  key: fc.constant(undefined),
  index: fc.nat(9),
  model: fc.constantFrom('a', 'b', 'c', undefined),
  session: fc.constantFrom('one', 'two', undefined),
  time: fc.option(fc.integer({ min: 1.7e12, max: 1.71e12 }), { nil: undefined }),
  usage: fc.record({
    ...{ input: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count, output: count, reasoning: count },
  }),
  requests: fc.nat(3),
  agent: fc.constant(undefined),
  isUnanswered: fc.boolean(),
  isRemainder: fc.boolean(),
  billing: fc.constant(undefined),
  tokensSource: fc.constantFrom('recorded', 'exact', 'estimated'),
  recordedCost: fc.constant(undefined),
  cost: fc.option(fc.bigInt(0n, 10n ** 16n), { nil: undefined }),
  costSource: fc.constant('computed'),
});
const pricedRequest = request.map(
  (facts): RequestFacts => ({ ...facts, costSource: facts.cost === undefined ? 'unpriced' : 'computed' }),
);

const OF: Omit<TranscriptFacts, 'file'> = {
  ...{ line: 1, id: undefined, format: 'claude-code', model: undefined, contextWindow: undefined, messages: [] },
  ...{ roles: [], tools: [], definitionTokens: 0, requestTokens: 0, hints: [], turnStarts: [0, 4] },
  totals: {
    ...{ messages: 1, toolCalls: 0, toolResults: 0, tokens: 1 },
    ...{ cost: 0n, costSource: 'estimated', tokensSource: 'exact' },
  },
};

const sumOf = (texts: readonly (string | undefined)[]) =>
  texts.reduce((sum, text) => sum + Number((text ?? '').replace(/[^\d.]/g, '') || 0), 0);

it('random requests add up in the table, in CSV and in JSON', async () => {
  const style = PLAIN;
  const files = fc.array(fc.array(pricedRequest, { maxLength: 6 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(files, fc.constantFrom(...KINDS), fc.option(fc.nat(3), { nil: undefined }), (lists, kind, top) => {
      const by = rowsNamed(kind);
      const gathering = { within: undefined, settled: undefined, grouping: groupingBy(by, dayOf) };
      const gatherer = createGatherer<RequestFacts>(gathering, { carries: false, price: (facts) => facts });
      lists.forEach((requests, at) => void gatherer.add({ ...OF, file: `folder/${at}.jsonl` }, requests));
      const facts = gatherer.facts();
      expectSums(facts, String(kind));
      const input = facts.paid.usage.input;
      const cost = Number(facts.paid.knownCost) / 1e12;

      const rows = usageRows(facts, { by });
      const [head = '', ...csv] = renderCsv(USAGE_COLUMNS, rows).trim().split('\n');
      const cells = (key: string) => csv.map((line) => line.split(',')[head.split(',').indexOf(key)]);
      expect(sumOf(cells('input'))).toBe(input);
      expect(cells('cost_usd').reduce((sum, cell) => sum + Number(cell), 0)).toBeCloseTo(cost, 6);

      const end = { rows, top: undefined, carries: false, calibrations: undefined };
      const json = plain<Pick<StatsReport, 'rows' | 'totals'>>(statsEnd(facts, end));
      expect(json.rows.reduce((sum, { input }) => sum + input!, 0)).toBe(json.totals.input);
      expect(json.totals.cost_usd ?? 0).toBeCloseTo(cost, 6);

      const shown = withTotal(by, facts.groups.slice(0, top), facts.groups);
      if (shown.length < 2) return;
      const columns = groupColumns({ by, paid: facts.paid, currency: USD, room: Number.POSITIVE_INFINITY }, shown);
      const lines = renderTable(columns, shown, style).trimEnd().split('\n').slice(-shown.length);
      const at = columns.findIndex(({ title }) => title === 'input') - columns.length;
      const inputs = lines.map((line) => line.replaceAll(' %', '%').trim().split(/ {2,}/).at(at));
      expect(sumOf(inputs.slice(0, -1))).toBe(input);
      expect(sumOf(inputs.slice(-1))).toBe(input);
    }),
    { numRuns: cases(50, 300, 'CTX_TRIM_FUZZ') },
  );
});

describe('--since and --until', () => {
  const now = () => Date.parse('2026-03-02T01:30:00Z');
  const within = (since: string, time: string, zone = 'UTC') =>
    periodOf({ since }, dayIn(zone), now)!(Date.parse(time));

  it.each([
    ['today', '2026-03-02T00:00:00Z', '2026-03-01T23:59:59Z'],
    ['yesterday', '2026-03-01T00:00:00Z', '2026-02-28T23:59:59Z'],
    ['7d', '2026-02-23T00:00:00Z', '2026-02-22T23:59:59Z'],
    ['2w', '2026-02-16T00:00:00Z', '2026-02-15T23:59:59Z'],
  ])('take %s as a day', (since, first, before) => {
    expect([within(since, first), within(since, before)]).toEqual([true, false]);
  });

  it('take days of the time zone: in New York it is still the day before', () => {
    expect(within('today', '2026-03-01T05:00:00Z', 'America/New_York')).toBe(true);
    expect(within('today', '2026-03-01T04:59:59Z', 'America/New_York')).toBe(false);
  });
});

it('a table of 80 columns fits, and cuts no two names to the same text', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '-', '1'), minLength: 1, maxLength: 12 });
  const long = fc.tuple(fc.constantFrom('', 'claude-sonnet-', 'x'.repeat(20)), name, fc.constantFrom('', '-20250514'));
  const models = fc.uniqueArray(
    long.map((parts) => parts.join('')),
    { minLength: 2, maxLength: 6 },
  );
  fc.assert(
    fc.property(models, fc.constantFrom('model', 'day,model', 'model,project'), pricedRequest, (names, kind, one) => {
      const by = rowsNamed(kind);
      const gathering = { within: undefined, settled: undefined, grouping: groupingBy(by, dayOf) };
      const gatherer = createGatherer<RequestFacts>(gathering, { carries: false, price: (facts) => facts });
      gatherer.add(
        { ...OF, file: 'folder/a.jsonl' },
        names.map((model, index) => ({ ...one, model, index, requests: 1, isRemainder: false })),
      );
      const { groups, paid } = gatherer.facts();
      const rows = withTotal(by, groups, groups);
      const columns = groupColumns({ by, paid, currency: USD, room: 80 }, rows);
      expect(tableWidth(columns, rows)).toBeLessThanOrEqual(80);
      const at = columns.find(({ title }) => title === 'model')!;
      const seen = groups.map((row) => renderedIn(at.width, at.keeps, at.text(row)));
      expect(new Set(seen).size).toBe(names.length);
    }),
    { numRuns: cases(50, 300, 'CTX_TRIM_FUZZ') },
  );
});

function renderedIn(width: number | undefined, keeps: 'start' | 'end' | undefined, text: string): string {
  if (width === undefined) return text;
  return keeps === 'end' ? fittedEnd(text, width) : fitted(text, width);
}
