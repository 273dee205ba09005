/** The diff in two columns, for wide terminals. */

import type { Difference, Side, TranscriptDifference } from '../measure/stats/differences.js';
import { type SafeText, safe, spaces, trimmed } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { fitted, grouped, plural } from '../text/words.js';
import { type DiffLayout, folded, titleOf, unshownLines } from './diff-layout.js';

const GAP = safe` │ `;
const SHOWN_LINES = 4;

export function sideBySide({ differences }: TranscriptDifference, layout: DiffLayout): SafeText[] {
  const column = Math.floor((layout.width - GAP.length) / 2);
  return folded(differences).flatMap((entry) => {
    if (Array.isArray(entry)) return [layout.style.dim(safe`⋯ ${plural(entry.length, 'message')} kept`)];
    return rowsOf(entry as Difference, column, layout);
  });
}

function rowsOf(difference: Difference, column: number, { style }: DiffLayout): SafeText[] {
  const { kind, before, after } = difference;
  const left = kind === 'moved' ? [] : cellOf(before, column);
  const [title = safe``, ...lines] = cellOf(after, column);
  const right = [title, ...unshownLines(difference).map((line) => safe`  ${fitted(line, column - 2)}`), ...lines];
  const paintLeft = kind === 'changed' ? style.changed : style.removed;
  const paintRight = kind === 'added' ? style.added : style.changed;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, line) =>
    trimmed(safe`${paintLeft(pad(left[line] ?? safe``, column))}${GAP}${paintRight(right[line] ?? safe``)}`),
  );
}

function cellOf(side: Side | undefined, column: number): SafeText[] {
  if (side === undefined) return [];
  const lines = side.text.split('\n').filter((line) => line.trim() !== '');
  const more = lines.length - SHOWN_LINES;
  return [
    fitted(`${titleOf(side)}  ${grouped(side.tokens)}`, column),
    ...lines.slice(0, SHOWN_LINES).map((line) => safe`  ${fitted(line, column - 2)}`),
    ...(more > 0 ? [safe`  … ${plural(more, 'more line')}`] : []),
  ];
}

function pad(text: SafeText, width: number): SafeText {
  return safe`${text}${spaces(width - widthOf(text))}`;
}
