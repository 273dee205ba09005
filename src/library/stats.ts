/** `stats`: tokens, requests and costs of transcripts, as `ctx-trim stats --format json` prints them. */
import { dayFunction, periodOf } from '../app/period.js';
import { ROWS, type Rows, rejectWrongSort } from '../app/stats/order.js';
import { createStats, groupingBy } from '../app/stats/stats.js';
import { createStatsJson } from '../reports/stats-json.js';
import { usageRows } from '../reports/usage-rows.js';
import type { DetectOptions } from '../source/detect/detection.js';
import { OPENING, rejectWrongOptions, type Shape } from './arguments.js';
import { loadContext, PRICING, type PriceOptions } from './context.js';
import type { StatsReport } from './documents.js';
import { INPUT_NAME, type Input, transcriptsIn } from './input.js';

export interface StatsOptions extends DetectOptions, PriceOptions {
  /** What a row of `rows` is; `message` (the default) gives no rows. */
  readonly by?: Rows;
  /** A column to sort `rows` by. */
  readonly sort?: string;
  /** Only the first rows. */
  readonly top?: number;
  /** Follow each tool result through the requests that carry it: `carried` and `tools`. */
  readonly tools?: boolean;
  /** Fit the factor of each estimated model on recorded usage, and count with it. */
  readonly calibrate?: boolean;
  /** Only requests from this day (2026-01-31) or moment on. */
  readonly since?: string;
  readonly until?: string;
  /** The time zone of days: `UTC` by default. */
  readonly timezone?: string;
}

const STATS: Shape = {
  ...OPENING,
  ...PRICING,
  by: ROWS,
  sort: 'text',
  top: 'whole',
  tools: 'flag',
  calibrate: 'flag',
  since: 'text',
  until: 'text',
  timezone: 'text',
};

/** Throws TranscriptError (rejects) for a wrong option and for an input that cannot be read. */
export async function stats(input: Input, options: StatsOptions = {}): Promise<StatsReport> {
  rejectWrongOptions(options, STATS);
  const { by = 'message', sort, top, tools: carries = false, calibrate: calibrates = false } = options;
  const choice = { by, sort, top };
  rejectWrongSort(choice);
  const dayOf = dayFunction(options.timezone ?? 'UTC');
  const json = createStatsJson();
  const texts: string[] = [];
  const statistics = createStats({
    context: await loadContext(options),
    within: periodOf(options, dayOf),
    grouping: groupingBy(by, dayOf),
    settled: (transcript, requests, carried) =>
      texts.push(json.transcript(transcript, requests, carries ? carried : undefined)),
    recorded: false,
    calibrates,
    carries,
    keepsMessages: true,
  });
  for (const { transcript, piece } of transcriptsIn(input, options))
    statistics.add(transcript, { file: INPUT_NAME, line: piece.line });
  const { facts, calibrations } = statistics.close();
  texts.push(
    json.end(facts, {
      rows: by === 'message' ? undefined : usageRows(facts, choice),
      carries,
      calibrations: calibrates ? calibrations : undefined,
    }),
  );
  return JSON.parse(texts.join(''));
}
