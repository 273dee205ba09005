/** Factors fitted on what recordings say. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { calibrationJson } from '../../../src/documents/stats.js';
import { usageOf } from '../../../src/formats/shared/recorded.js';
import { calibrate, growthOf } from '../../../src/measure/stats/calibrate.js';
import { countings, createCounting } from '../../../src/measure/stats/counting.js';
import { calibrationTable } from '../../../src/reports/calibration.js';
import { PLAIN } from '../../../src/reports/report.js';
import type { Message, Recorded, Role, Transcript } from '../../../src/transcript/types.js';
import { openText } from '../../shared/opened.js';

const countingFor = (model: string) => createCounting(model, () => (text) => text.length, 2);
const prompt = (input: number, rest: Partial<Recorded> = {}): Recorded => ({
  model: 'm',
  usage: usageOf({ input, output: 7 }),
  ...rest,
});

/** Each message counts 2 * (3 + its role + 10) tokens: 34 of a user, 34 of a tool, 44 of an assistant. */
function transcriptOf(...messages: readonly (Role | readonly [Role, Recorded])[]): Transcript {
  const read = messages.map((message): Message => {
    const [role, raw] = typeof message === 'string' ? [message, undefined] : message;
    return { role, parts: [{ type: 'text', text: '0123456789' }], raw };
  });
  return { format: 'test', traits: {}, messages: read, recorded: ({ raw }) => raw as Recorded | undefined };
}

const pairsOf = (transcript: Transcript) =>
  growthOf(transcript, countingFor).flatMap(({ model, pairs }) =>
    pairs.map(({ recorded, counted }) => [model, recorded, counted]),
  );

it('compares what prompts grew by, from reply to reply', () => {
  expect(
    pairsOf(
      transcriptOf('system', 'user', ['assistant', prompt(1000)], 'tool', ['assistant', prompt(1080)], 'tool', 'user', [
        'assistant',
        prompt(1200),
      ]),
    ),
  ).toEqual([
    ['m', 80, 44 + 34],
    ['m', 120, 44 + 34 + 34],
  ]);
  expect(growthOf(transcriptOf(['assistant', prompt(1)], ['assistant', prompt(2)]), countingFor)[0]!.factor).toBe(2);
});

it('adds what was read from a cache and written to one', () => {
  const usage = usageOf({ input: 100, cacheRead: 20, cacheWrite5m: 3, cacheWrite1h: 4, output: 9 });
  expect(pairsOf(transcriptOf(['assistant', prompt(100)], 'user', ['assistant', prompt(0, { usage })]))).toEqual([
    ['m', 27, 78],
  ]);
});

it('takes the pieces of a response, and a count that is repeated, as one', () => {
  const piece = (input: number, responseId: string) => ['assistant', prompt(input, { responseId })] as const;
  expect(
    pairsOf(transcriptOf('user', piece(100, 'a'), piece(100, 'a'), 'tool', piece(200, 'b'), piece(200, 'b'))),
  ).toEqual([['m', 100, 44 + 44 + 34]]);
});

it('finds the reply of a count that stands before it, or behind it', () => {
  const count = (input: number) => ['meta', prompt(input)] as const;
  expect(pairsOf(transcriptOf('user', count(100), 'assistant', 'tool', count(200), 'assistant', 'tool'))).toEqual([
    ['m', 100, 44 + 34],
  ]);
  expect(
    pairsOf(
      transcriptOf('user', 'assistant', 'assistant', count(100), 'tool', 'assistant', 'meta', count(200), 'tool'),
    ),
  ).toEqual([['m', 100, 44 + 44 + 34]]);
});

it('compares no requests of different models, unless all are taken for one', () => {
  const switched = transcriptOf(
    ['assistant', prompt(100)],
    ['assistant', prompt(200, { model: 'n' })],
    ['assistant', prompt(300, { model: 'n' })],
  );
  expect(pairsOf(switched)).toEqual([['n', 100, 44]]);
  expect(growthOf(switched, countingFor, { asModel: 'p' })).toEqual([
    {
      model: 'p',
      factor: 2,
      pairs: [
        { recorded: 100, counted: 44 },
        { recorded: 100, counted: 44 },
      ],
    },
  ]);
});

it('finds the growth that a log of Codex records', () => {
  const texts = countings(() => (text) => Math.ceil(text.length / 4));
  const { transcripts } = openText(readFileSync('fixtures/formats/codex-rollout/vibe-coding-tracker.jsonl'));
  expect(
    transcripts
      .flatMap((transcript) => growthOf(transcript, texts))
      .map(({ model, pairs }) => [model, pairs.map(({ recorded }) => recorded)]),
  ).toEqual([['aide-gpt-5', [5822 - 5645, 6565 - 5822, 22279 - 6565]]]);
});

const GROWTHS = [
  {
    model: 'm',
    factor: 1.2,
    pairs: [
      { recorded: 110, counted: 100 },
      { recorded: 240, counted: 200 },
      { recorded: 900, counted: 100 },
    ],
  },
  { model: 'n', factor: 1, pairs: [{ recorded: 5, counted: 5 }] },
  {
    model: 'm',
    factor: 1.2,
    pairs: [
      { recorded: 100, counted: 100 },
      { recorded: -5000, counted: 100 },
      { recorded: 10, counted: 0 },
    ],
  },
  { model: 'shrunk', factor: 1, pairs: [{ recorded: -1, counted: 5 }] },
];

it('fits the median ratio by tokens, without prompts that shrank', () => {
  const [m, n, ...rest] = calibrate(GROWTHS);
  expect(m).toEqual({
    model: 'm',
    pairs: 4,
    dropped: 2,
    recorded: 1350,
    factor: 1.2,
    fitted: 1.2 * 1.2,
    ratio: { median: 1.2, low: 1, high: 9 },
    error: 850 / 1350,
    errorLeft: (20 + 10 + 0 + 780) / 1350,
  });
  expect(n).toMatchObject({ model: 'n', pairs: 1, fitted: 1, error: 0, errorLeft: 0 });
  expect(rest).toEqual([]);
});

it('is told as a table of 80 columns', async () => {
  const style = PLAIN;
  const model = 'accounts/fireworks/models/llama-v3p1-405b-instruct';
  const table = calibrationTable(
    calibrate([...GROWTHS, { model, factor: 1.2345, pairs: [{ recorded: 1_234_567, counted: 100_000 }] }]),
    style,
  );
  expect(table.split('\n')).toEqual([
    'model                   pairs     tokens        factor        ratio      error',
    'accounts/fireworks/mo…      1  1,234,567  1.23 → 15.24  12.35–12.35   92 → 0 %',
    'm                           4      1,350   1.20 → 1.44    1.00–9.00  63 → 60 %',
    'n                           1          5   1.00 → 1.00    1.00–1.00    0 → 0 %',
    '',
    'ratio: recorded tokens per counted token, 10th to 90th percentile',
    'error: mean error of request pairs, with the old factor and with the fitted one',
    '',
  ]);
  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(calibrationTable([], style)).toBe(
    'nothing to calibrate: no model has two consecutive requests with recorded input tokens\n',
  );
});

it('is told as JSON', () => {
  expect(calibrate(GROWTHS).map(calibrationJson)).toEqual([
    {
      model: 'm',
      pairs: 4,
      dropped: 2,
      recorded_tokens: 1350,
      factor: 1.2,
      fitted_factor: 1.44,
      ratio: 1.2,
      ratio_p10: 1,
      ratio_p90: 9,
      error: 0.63,
      error_left: 0.6,
    },
    {
      model: 'n',
      pairs: 1,
      dropped: 0,
      recorded_tokens: 5,
      factor: 1,
      fitted_factor: 1,
      ratio: 1,
      ratio_p10: 1,
      ratio_p90: 1,
      error: 0,
      error_left: 0,
    },
  ]);
});
