/** `stats`: tokens, requests and costs of transcripts, as `ctx-trim stats --format json` prints them. */

import { cacheDocument } from '../documents/cache.js';
import { plain } from '../documents/print.js';
import { statsEnd, statsTranscript } from '../documents/stats.js';
import type { CacheReport, StatsReport } from '../documents/types.js';
import { dayFunction, periodOf } from '../engine/period.js';
import { createCacheStats } from '../engine/stats/cache.js';
import { rejectWrongSort, rowsNamed } from '../engine/stats/order.js';
import { createStats, groupingBy } from '../engine/stats/stats.js';
import { usageRows } from '../engine/stats/usage-rows.js';
import { TranscriptError } from '../errors.js';
import type { DetectOptions } from '../source/detect/detection.js';
import { OPENING, rejectWrongOptions, type Shape } from './arguments.js';
import { loadContext, PRICING, type PriceOptions } from './context.js';
import { INPUT_NAME, type Input, readInput } from './input.js';

export interface StatsOptions extends DetectOptions, PriceOptions {
  /** What a row of `rows` is: `day`, `model`, `day,model`; by default a transcript. */
  readonly by?: string;
  /** A column to sort `rows` by. */
  readonly sort?: string;
  /** Only the first rows. */
  readonly top?: number;
  /** Follow each tool result through the requests that carry it: `carried` and `tools`. */
  readonly tools?: boolean;
  /** Fit the factor of each estimated model on recorded usage, and count with it. */
  readonly calibrate?: boolean;
  /** Instead of all this, why prompt caches missed: gives a `CacheReport`. */
  readonly cache?: boolean;
  /** Only requests from this day (2026-01-31) or moment on. */
  readonly since?: string;
  readonly until?: string;
  /** The time zone of days; by default the local one. */
  readonly timezone?: string;
}

const STATS: Shape = {
  ...OPENING,
  ...PRICING,
  by: 'text',
  sort: 'text',
  top: 'whole',
  tools: 'flag',
  calibrate: 'flag',
  cache: 'flag',
  since: 'text',
  until: 'text',
  timezone: 'text',
};

/** Throws TranscriptError (rejects) for a wrong option and for an input that cannot be read. */
export function stats(input: Input, options: StatsOptions & { readonly cache: true }): Promise<CacheReport>;
export function stats(input: Input, options?: StatsOptions & { readonly cache?: false }): Promise<StatsReport>;
export function stats(input: Input, options?: StatsOptions): Promise<StatsReport | CacheReport>;
export async function stats(input: Input, options: StatsOptions = {}): Promise<StatsReport | CacheReport> {
  rejectWrongOptions(options, STATS);
  return options.cache === true ? cacheMisses(input, options) : statistics(input, options);
}

/** These list or group other figures. */
const NOT_WITH_CACHE = ['by', 'sort', 'top', 'tools', 'calibrate'] as const;

async function cacheMisses(input: Input, options: StatsOptions): Promise<CacheReport> {
  const wrong = NOT_WITH_CACHE.find((key) => options[key] !== undefined && options[key] !== false);
  if (wrong !== undefined)
    throw new TranscriptError('usage', `the option \`${wrong}\` has no effect with \`cache\`; leave one out`, {
      path: `options.${wrong}`,
    });
  const within = periodOf(options, dayFunction(options.timezone));
  const misses = createCacheStats({ context: await loadContext(options), within });
  const { transcripts, omissions } = readInput(input, options);
  for (const { transcript, piece } of transcripts) misses.add(transcript, { file: INPUT_NAME, line: piece.line });
  return plain<CacheReport>(cacheDocument({ ...misses.close(), omissions: omissions() }));
}

async function statistics(input: Input, options: StatsOptions): Promise<StatsReport> {
  const { sort, top, tools: carries = false, calibrate: calibrates = false } = options;
  const by = rowsNamed(options.by, 'options.by');
  const choice = { by, sort, top };
  rejectWrongSort(choice);
  const dayOf = dayFunction(options.timezone);
  const listed: ReturnType<typeof statsTranscript>[] = [];
  const gathered = createStats({
    context: await loadContext(options),
    within: periodOf(options, dayOf),
    grouping: groupingBy(by, dayOf),
    settled: (transcript, requests, carried) =>
      listed.push(statsTranscript(transcript, requests, carries ? carried : undefined)),
    recorded: false,
    calibrates,
    carries,
    keepsMessages: true,
  });
  const { transcripts, omissions } = readInput(input, options);
  for (const { transcript, piece } of transcripts) gathered.add(transcript, { file: INPUT_NAME, line: piece.line });
  const { facts: gatheredFacts, calibrations } = gathered.close();
  const facts = { ...gatheredFacts, omissions: omissions() };
  const end = { rows: usageRows(facts, choice), top, carries, calibrations: calibrates ? calibrations : undefined };
  return plain<StatsReport>({ version: 2, transcripts: listed, ...statsEnd(facts, end) });
}
