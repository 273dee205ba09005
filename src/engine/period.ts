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
 * `2w`. A moment with its hour is that moment, in the time zone unless it names one. `now`: the clock, in milliseconds
 * since 1970.
 */
export function periodOf(
  { since, until, timezone }: Period,
  dayOf: (time: number) => string,
  now: () => number = Date.now,
): ((time: number) => boolean) | undefined {
  if (since === undefined && until === undefined) return undefined;
  const bound = (text: string | undefined, flag: string): Bound | undefined => {
    if (text === undefined) return undefined;
    const ago = daysAgo(text);
    if (ago !== undefined) return { day: dayBefore(dayOf(now()), ago) };
    const moment = priceDate(text, flag, 'something like 2026-01-31, 7d or yesterday')!.getTime();
    return isDay(text) ? { day: text } : { moment: momentIn(timezone, text) ?? moment };
  };
  const [start, end] = [bound(since, '--since'), bound(until, '--until')];
  const fromStart = (time: number) =>
    start === undefined || (start.day !== undefined ? dayOf(time) >= start.day : time >= start.moment);
  const toEnd = (time: number) =>
    end === undefined || (end.day !== undefined ? dayOf(time) <= end.day : time < end.moment);
  return (time) => fromStart(time) && toEnd(time);
}

interface Period {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly timezone?: string | undefined;
}

type Bound = { readonly day: string } | { readonly day?: undefined; readonly moment: number };

const DAY = 86_400_000;
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
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY).toISOString().slice(0, 10);
}

/** The day that a flag names, at an hour that has no time-of-day price; undefined where it names none. */
export function priceDate(
  text: string | undefined,
  flag: string,
  expected = 'something like 2026-01-31',
): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(isDay(text) ? `${text}T12:00:00Z` : text);
  if (Number.isNaN(date.getTime()) || !isInCalendar(text.slice(0, 10)))
    throw new TranscriptError('usage', `${flag} \`${text}\` is not a date; expected ${expected}`);
  return date;
}

/** `Date` takes February 30 for March 2. */
function isInCalendar(day: string): boolean {
  return !isDay(day) || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/**
 * The moment that clocks of a time zone show; undefined for a text that names its own zone. Of two such moments the
 * first; where clocks skip the hour, as if they had not been put forward. Date does the same in the local time zone.
 */
function momentIn(timezone: string | undefined, text: string): number | undefined {
  const [, day, hour] = MOMENT.exec(text) ?? [];
  if (timezone === undefined || day === undefined) return undefined;
  const shown = Date.parse(`${day}T${hour}Z`);
  const clock = clockIn(timezone);
  const [before, after] = [-DAY, DAY].map((way) => shown - (clock(shown + way) - (shown + way)));
  return clock(before!) === shown || clock(after!) !== shown ? before : after;
}

/** What clocks of a time zone show at a moment, as if it were UTC. */
function clockIn(timeZone: string): (time: number) => number {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const [year, month, day] = [parts.get('year')!, parts.get('month')!, parts.get('day')!];
    const [hour, minute, second] = [parts.get('hour')!, parts.get('minute')!, parts.get('second')!];
    return Date.UTC(year, month - 1, day, hour, minute, second) + (time % 1000);
  };
}
