/** Shortens long texts for reading: the middle of many lines, and the ends of long lines. */
import { safe, shown } from '../../safe/text.js';
import { grouped, plural } from '../../text/words.js';
import type { Style } from '../report.js';
import type { Painted } from '../wrap.js';

export interface Folding {
  readonly style: Style;
  /** Shows everything. */
  readonly full: boolean;
  /** Lines that are never folded: those that a search found. */
  readonly keeps: ((line: string) => boolean) | undefined;
}

/** Lines at the end that are shown too, since errors often come last. */
const LAST_LINES = 3;
const MOST_CHARACTERS = 500;
/** Escape sequences for colors and the cursor, which a terminal recorded. ECMA-48, section 5.4. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]/g;

/** The lines of a text: all if there are about `most`, else the first and the last. */
export function foldedLines(text: string, most: number, folding: Folding): (readonly Painted[])[] {
  const lines = text
    .replace(SEQUENCE, '')
    .replace(/(?:\r?\n)+$/, '')
    .split(/\r?\n/);
  if (folding.full || lines.length <= most + 1) return lines.map((line) => shortened(line, folding));
  const isShown = (line: string, index: number) =>
    folding.keeps?.(line) ?? (index < most - LAST_LINES || index >= lines.length - LAST_LINES);
  const shownLines: (readonly Painted[])[] = [];
  let hidden = 0;
  const close = () => {
    if (hidden > 0) shownLines.push([{ text: safe`… ${plural(hidden, 'more line')}`, paint: folding.style.dim }]);
    hidden = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!isShown(line, index)) hidden++;
    else {
      close();
      shownLines.push(shortened(line, folding));
    }
  }
  close();
  return shownLines;
}

/** A line as it is, tabs as spaces, without its end if it is very long. */
function shortened(line: string, { full, style, keeps }: Folding): readonly Painted[] {
  const text = line.replaceAll('\t', '    ');
  if (full || text.length <= MOST_CHARACTERS || keeps?.(line) === true) return [plain(text)];
  const end = text.codePointAt(MOST_CHARACTERS - 1)! > 0xffff ? MOST_CHARACTERS + 1 : MOST_CHARACTERS;
  const more = safe`… ${grouped(text.length - end)} more characters`;
  return [plain(text.slice(0, end)), { text: more, paint: style.dim }];
}

function plain(text: string): Painted {
  return { text: shown(text), paint: (same) => same };
}
