/** Tokens, requests and costs of the transcripts of an input, or why prompt caches missed. */

import { TranscriptError } from '../../errors.js';
import type { Settled } from '../../measure/stats/audit.js';
import type { Omissions } from '../../omissions.js';
import { OPENING, rejectWrongOptions, type Shape } from '../../options/arguments.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import { INPUT_NAME, type Input, readInput } from '../input.js';
import { dayFunction, periodOf } from '../period.js';
import { loadContext, PRICING, type PriceOptions } from '../settings.js';
import { createCacheStats } from './cache.js';
import { rejectWrongSort, rowsNamed } from './order.js';
import { createStats, groupingBy, type Stats } from './stats.js';
import { usageRows } from './usage-rows.js';

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

/** These list or group other figures. */
const NOT_WITH_CACHE = ['by', 'sort', 'top', 'tools', 'calibrate'] as const;

/** Throws TranscriptError (rejects) for a wrong option and for an input that cannot be read. */
export async function cacheMissesIn(input: Input, options: StatsOptions) {
  rejectWrongOptions(options, STATS);
  const wrong = NOT_WITH_CACHE.find((key) => options[key] !== undefined && options[key] !== false);
  if (wrong !== undefined)
    throw new TranscriptError('usage', `the option \`${wrong}\` has no effect with \`cache\`; leave one out`, {
      path: `options.${wrong}`,
    });
  const within = periodOf(options, dayFunction(options.timezone));
  const misses = createCacheStats({ context: await loadContext(options), within });
  const omissions = addAllOf(input, options, misses.add);
  return { ...misses.close(), omissions };
}

/** The same. */
export async function statisticsOf(input: Input, options: StatsOptions) {
  rejectWrongOptions(options, STATS);
  const { sort, top, tools: carries = false, calibrate: calibrates = false } = options;
  const by = rowsNamed(options.by, 'options.by');
  const choice = { by, sort, top };
  rejectWrongSort(choice);
  const dayOf = dayFunction(options.timezone);
  const transcripts: Parameters<Settled>[] = [];
  const gathered = createStats({
    context: await loadContext(options),
    within: periodOf(options, dayOf),
    grouping: groupingBy(by, dayOf),
    settled: (...facts) => transcripts.push(facts),
    recorded: false,
    calibrates,
    carries,
    keepsMessages: true,
  });
  const omissions = addAllOf(input, options, gathered.add);
  const { facts: sums, calibrations } = gathered.close();
  const facts = { ...sums, omissions };
  const end = { rows: usageRows(facts, choice), top, carries, calibrations: calibrates ? calibrations : undefined };
  return { transcripts, facts, ...end };
}

/** Adds each transcript of the input. Returns what no message holds. */
function addAllOf(input: Input, options: StatsOptions, add: Stats['add']): Omissions {
  const { transcripts, omissions } = readInput(input, options);
  for (const { transcript, piece } of transcripts) add(transcript, { file: INPUT_NAME, line: piece.line });
  return omissions();
}
