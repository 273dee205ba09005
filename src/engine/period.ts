/** The days and moments that flags name. */
import { TranscriptError } from '../errors.js';
import { dayIn } from '../measure/stats/groups.js';

/** The day of a moment, by default in the local time zone. Throws TranscriptError for an unknown time zone. */
export function dayFunction(timezone: string | undefined): (time: number) => string {
  try {
    return dayIn(timezone);
  } catch {
    throw new TranscriptError('usage', `no time zone \`${timezone}\`; write one such as Europe/Berlin or UTC`);
  }
}

/**
 * Days are whole days of the time zone, both ends included: `2026-01-31`, `today`, `yesterday`, `7d` (seven days ago),
 * `2w`. A moment with its hour is that moment. `now`: the clock, in milliseconds since 1970.
 */
export function periodOf(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  dayOf: (time: number) => string,
  now: () => number = Date.now,
): ((time: number) => boolean) | undefined {
  if (since === undefined && until === undefined) return undefined;
  const start = boundOf(since, '--since', dayOf, now);
  const end = boundOf(until, '--until', dayOf, now);
  const fromStart = (time: number) =>
    start === undefined || (start.day !== undefined ? dayOf(time) >= start.day : time >= start.moment);
  const toEnd = (time: number) =>
    end === undefined || (end.day !== undefined ? dayOf(time) <= end.day : time < end.moment);
  return (time) => fromStart(time) && toEnd(time);
}

type Bound = { readonly day: string } | { readonly day?: undefined; readonly moment: number };

function boundOf(
  text: string | undefined,
  flag: string,
  dayOf: (time: number) => string,
  now: () => number,
): Bound | undefined {
  if (text === undefined) return undefined;
  const ago = daysAgo(text);
  if (ago !== undefined) return { day: dayBefore(dayOf(now()), ago) };
  const moment = priceDate(text, flag, 'something like 2026-01-31, 7d or yesterday')!.getTime();
  return isDay(text) ? { day: text } : { moment };
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
const DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/** `yesterday` is 1, `7d` is 7, `2w` is 14; undefined for another text. */
function daysAgo(text: string): number | undefined {
  const named = DAYS.get(text);
  if (named !== undefined) return named;
  const [, count, unit] = /^(\d{1,5})([dw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'w' ? 7 : 1);
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** The day that a flag names, at an hour that has no time-of-day price; undefined where it names none. */
export function priceDate(
  text: string | undefined,
  flag: string,
  expected = 'something like 2026-01-31',
): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(isDay(text) ? `${text}T12:00:00Z` : text);
  if (Number.isNaN(date.getTime()))
    throw new TranscriptError('usage', `${flag} \`${text}\` is not a date; expected ${expected}`);
  return date;
}
