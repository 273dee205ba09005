/** Formats numbers and texts for people. */

import { greatest } from '../lists.js';
import { pieces, type SafeText, safe, shown, sliced } from '../safe/text.js';
import { graphemeStarts, graphemes } from '../transcript/graphemes.js';
import { grouped as groupedText } from '../transcript/text.js';
import { type Currency, formatMoney, formatMoneyInRow, USD } from './money.js';
import { widthOf } from './width.js';

/** A whole number with thousands separators: `12,345`. */
export function grouped(count: number): SafeText {
  return shown(groupedText(count));
}

/** Tokens; `~` marks an estimate. */
export function tokensText(count: number, source: 'exact' | 'estimated'): SafeText {
  return source === 'estimated' ? safe`~${grouped(count)}` : grouped(count);
}

/** A cost; `~` marks estimated tokens; `unpriced` without a price. */
export function costText(cost: bigint | undefined, source: 'exact' | 'estimated', currency: Currency = USD): SafeText {
  return cost === undefined ? safe`unpriced` : markedCost(formatMoney(cost, currency), source);
}

/** The same for a column of a table. */
export function costInRow(cost: bigint | undefined, source: 'exact' | 'estimated', currency: Currency = USD): SafeText {
  return cost === undefined ? safe`unpriced` : markedCost(formatMoneyInRow(cost, currency), source);
}

/** A formatted cost; `~` marks estimated tokens. */
export function markedCost(text: SafeText, source: 'exact' | 'estimated'): SafeText {
  return source === 'estimated' && !text.startsWith('<') ? safe`~${text}` : text;
}

/** A cost, and the part of it with known prices. */
interface Paid {
  readonly cost: bigint | undefined;
  readonly knownCost: bigint;
  readonly tokensSource: 'recorded' | 'exact' | 'estimated' | undefined;
}

/** A cost; `~` marks estimated tokens, `≥` missing prices. */
export function paidText(
  { cost, knownCost, tokensSource }: Paid,
  currency: Currency = USD,
  written = costText,
): SafeText {
  const text = written(
    cost ?? (knownCost > 0n ? knownCost : undefined),
    tokensSource === 'estimated' ? 'estimated' : 'exact',
    currency,
  );
  if (cost !== undefined || knownCost === 0n) return text;
  return text.startsWith('<') ? safe`>${written(0n, 'exact', currency)}` : safe`\u2265${text}`;
}

/** The same for a column whose amounts `money` formats. */
export function paidInColumn(paid: Paid, money: (amount: bigint) => SafeText): SafeText {
  return paidText(paid, USD, (cost, source) => (cost === undefined ? safe`unpriced` : markedCost(money(cost), source)));
}

/** `12,345`, `1.23M`: short enough for a table. */
export function shortCount(count: number): SafeText {
  if (count < 100_000) return grouped(count);
  const units: readonly (readonly [number, string])[] = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  const [size, unit] = units.find(([least]) => count >= least)!;
  const value = count / size;
  return shown(`${value >= 100 ? Math.round(value) : value.toPrecision(3)}${unit}`);
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `width` columns for a share of 0 to 1. */
export function bar(share: number, width: number): SafeText {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  return shown(`${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8]}`.padEnd(width, '·'));
}

const LEVELS = [...'▁▂▃▄▅▆▇█'];

/**
 * A chart of at most `width` columns; a column shows the highest of its values. `scale`: the least value of a full
 * column.
 */
export function sparkline(figures: readonly number[], width: number, scale = 1): SafeText {
  const columns = Math.min(width, figures.length);
  const most = greatest(figures, scale);
  const levels = Array.from({ length: columns }, (_, column) => {
    const part = figures.slice(
      Math.floor((column * figures.length) / columns),
      Math.floor(((column + 1) * figures.length) / columns),
    );
    return LEVELS[Math.min(LEVELS.length - 1, Math.floor((greatest(part) / most) * LEVELS.length))];
  });
  return shown(levels.join(''));
}

export function percent(share: number): SafeText {
  const value = share * 100;
  return value > 0 && value < 0.1 ? safe`<0.1 %` : safe`${shown(value.toFixed(1))} %`;
}

/** `−63 %`, `+2 %`; empty if nothing changed. */
export function changeText(before: number, after: number): SafeText {
  if (before === after || before === 0) return safe``;
  const change = Math.round(((after - before) / before) * 100);
  return change === 0 ? safe` (\u00b10 %)` : safe` (${change < 0 ? safe`\u2212` : safe`+`}${Math.abs(change)} %)`;
}

export function plural(count: number, noun: string): SafeText {
  return safe`${grouped(count)} ${shown(noun)}${count === 1 ? safe`` : safe`s`}`;
}

/** The grapheme clusters of a text. */
export function clusters(text: SafeText): SafeText[] {
  const starts = graphemeStarts(text);
  return starts.map((start, index) => sliced(text, start, starts[index + 1]));
}

/**
 * No common cluster has more UTF-16 units per column (a family emoji of four has 5.5), so a longer text is too wide.
 */
const UNITS_PER_COLUMN = 8;

/** A text on one line of at most `width` columns; `…` marks a cut end. */
export function fitted(text: string, width: number): SafeText {
  const line = shown(text);
  const most = width * UNITS_PER_COLUMN;
  if (line.length * 2 <= width || (line.length <= most && widthOf(line) <= width)) return line;
  if (width > 0 && isPlain(line.slice(0, width))) return safe`${sliced(line, 0, width - 1)}\u2026`;
  let used = 0;
  let end = 0;
  for (const segment of graphemes(line.slice(0, most))) {
    used += widthOf(segment);
    if (used > width - 1) break;
    end += segment.length;
  }
  return safe`${sliced(line, 0, end)}\u2026`;
}

/** Whether each character takes a column, and joins no other one. */
function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** The name of a model without what most of its kind share: `sonnet-4-5` of `claude-sonnet-4-5-20250929`. */
export function shortModel(model: string): string {
  return model.replace(/^(?:.*\/)?(?:claude-)?/, '').replace(/-20\d{6}$/, '');
}

/** Longer folders are told by their last two names. */
export const LONGEST_FOLDER = 20;

export function shortFolder(path: string): string {
  const names = path.split(/[\\/]/).filter((name) => name !== '');
  return path.length <= LONGEST_FOLDER || names.length < 3 ? path : `\u2026/${names.slice(-2).join('/')}`;
}

/** Of replies in a session whose other replies state what they used. */
export function unstatedText(replies: number): SafeText {
  return replies === 1
    ? safe`1 reply states no usage: figures are without it`
    : safe`${grouped(replies)} replies state no usage: figures are without them`;
}

/** The same as `fitted`, but cuts the beginning. */
export function fittedEnd(text: string, width: number): SafeText {
  const line = shown(text);
  const most = width * UNITS_PER_COLUMN;
  if (line.length <= most && widthOf(line) <= width) return line;
  const segments = graphemes(line.slice(-most));
  let kept = '';
  while (segments.length > 0 && widthOf(segments[segments.length - 1]! + kept) <= width - 1)
    kept = segments.pop()! + kept;
  return safe`\u2026${sliced(line, line.length - kept.length)}`;
}

/** Wraps a text between words; longer words are cut. `indent`: columns of each line that are not available. */
export function wrapped(text: string, width: number, indent = 0): SafeText[] {
  const room = Math.max(20, width - indent);
  const lines: SafeText[] = [];
  let line = safe``;
  for (const word of pieces(shown(text), ' ')) {
    const longer = line === '' ? word : safe`${line} ${word}`;
    if (line !== '' && widthOf(longer) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].map((each) => fitted(each, room));
}
