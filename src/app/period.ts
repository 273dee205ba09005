/** The days and moments that flags name. */
import { TranscriptError } from '../errors.js';
import { dayIn } from '../stats/groups.js';

/** The day of a moment. Throws TranscriptError for a time zone that nobody knows. */
export function dayFunction(timezone: string): (time: number) => string {
  try {
    return dayIn(timezone);
  } catch {
    throw new TranscriptError('usage', `no time zone \`${timezone}\`; write one such as Europe/Berlin or UTC`);
  }
}

/** Days are whole days of the time zone, both ends included; a moment with its hour is that moment. */
export function periodOf(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  dayOf: (time: number) => string,
): ((time: number) => boolean) | undefined {
  if (since === undefined && until === undefined) return undefined;
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
  priceDate(since, '--since');
  priceDate(until, '--until');
  const fromStart = (time: number) =>
    since === undefined || (isDay(since) ? dayOf(time) >= since : time >= Date.parse(since));
  const toEnd = (time: number) =>
    until === undefined || (isDay(until) ? dayOf(time) <= until : time < Date.parse(until));
  return (time) => fromStart(time) && toEnd(time);
}

/** The day that a flag names, at an hour that has no time-of-day price; undefined where it names none. */
export function priceDate(text: string | undefined, flag: string): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T12:00:00Z` : text);
  if (Number.isNaN(date.getTime()))
    throw new TranscriptError('usage', `${flag} \`${text}\` is no date; expected something like 2026-01-31`);
  return date;
}
