/** Times and spans of time. The page shows the times of the machine that wrote it, and says of which zone they are. */
import { type HtmlText, html, htmlText } from '../../safe/formats.js';

export function timeOf(time: number): HtmlText {
  const date = new Date(time);
  const [day, clock] = [dayText(date), clockText(date)];
  return html`<time datetime="${htmlText(date.toISOString())}">${htmlText(`${day} ${clock}`)}</time>`;
}

/** `2026-01-31 10:02 to 11:40`; empty without times. */
export function spanOf(times: readonly (number | undefined)[]): HtmlText | undefined {
  const known = times.filter((time) => time !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return undefined;
  const [first, last] = [new Date(known[0]!), new Date(known.at(-1)!)];
  const [from, to] = [dayText(first), dayText(last)];
  const end = from === to ? clockText(last).slice(0, 5) : `${to} ${clockText(last).slice(0, 5)}`;
  return htmlText(`${from} ${clockText(first).slice(0, 5)} to ${end}`);
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

function dayText(date: Date): string {
  return [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(twoDigits)].join('-');
}

function clockText(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** The zone of all times on the page. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
