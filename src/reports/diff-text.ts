/** A diff for people: what was dropped, added, changed and moved, kept messages folded, readable at 80 columns and without colour. */
import type { Difference, TranscriptDifference } from '../stats/differences.js';
import { sideBySide } from './diff-columns.js';
import { type DiffLayout, folded, titleOf, totalsLine } from './diff-layout.js';
import { widthOf } from './width.js';
import { type Fragment, wordDiff } from './word-diff.js';
import { fitted, grouped, plural, tokensText, visible } from './words.js';

/** Lines of a dropped or added message that are shown before the rest is folded. */
const SHOWN_LINES = 3;
const INDENT = '    ';

export function diffText(facts: TranscriptDifference, layout: DiffLayout): string {
  const { style } = layout;
  const lines = [
    `${style.name(`${facts.file}:${facts.line}`)}${facts.id === undefined ? '' : `  ${visible(facts.id)}`}${facts.model === undefined ? '' : style.dim(`  ${facts.model}`)}`,
  ];
  if (layout.sideBySide) lines.push(...sideBySide(facts, layout));
  else
    for (const run of folded(facts.differences))
      lines.push(
        ...(Array.isArray(run) ? [keptLine(run, facts, layout)] : differenceLines(run as Difference, facts, layout)),
      );
  lines.push(style.bold(totalsLine(facts.before, facts.after)), '');
  return lines.join('\n');
}

function keptLine(run: readonly Difference[], { after }: TranscriptDifference, { style, width }: DiffLayout): string {
  const tokens = run.reduce((sum, { after: side }) => sum + (side?.tokens ?? 0), 0);
  return style.dim(spread(`  ⋯ ${plural(run.length, 'message')} kept`, tokensText(tokens, after.tokensSource), width));
}

function differenceLines(difference: Difference, facts: TranscriptDifference, layout: DiffLayout): string[] {
  const { before, after, kind } = difference;
  const { style, width } = layout;
  const source = facts.after.tokensSource;
  switch (kind) {
    case 'dropped':
      return [
        style.gone(spread(`- ${titleOf(before!)}`, `−${grouped(before!.tokens)}`, width)),
        ...preview(before!.text, '- ', layout).map(style.gone),
      ];
    case 'added':
      return [
        style.come(spread(`+ ${titleOf(after!)}`, `+${grouped(after!.tokens)}`, width)),
        ...preview(after!.text, '+ ', layout).map(style.come),
      ];
    case 'moved':
      return [
        style.changed(
          spread(`> ${titleOf(after!)}, moved from #${before!.index}`, tokensText(after!.tokens, source), width),
        ),
        ...preview(after!.text, '> ', layout),
      ];
    case 'changed':
      return [
        style.changed(
          spread(
            `~ ${titleOf(before!)}`,
            `${tokensText(before!.tokens, source)} → ${tokensText(after!.tokens, source)}`,
            width,
          ),
        ),
        ...changedLines(before!.text, after!.text, layout),
      ];
    default:
      return [];
  }
}

/** The beginning of a text, and how much of it is folded. */
function preview(text: string, mark: string, { width }: DiffLayout): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => mark + INDENT.slice(2) + fitted(line, width - INDENT.length));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${mark}${INDENT.slice(2)}… ${plural(more, 'more line')}`] : shown;
}

/** Words that went in [-…-], words that came in {+…+}; with colour the marks stay, as colour may not arrive. */
function changedLines(before: string, after: string, { style, width }: DiffLayout): string[] {
  const marked = wordDiff(before, after).map(({ kind, text }: Fragment) => {
    const flat = visible(text);
    return kind === 'gone'
      ? { text: `[-${flat}-]`, paint: style.gone }
      : kind === 'come'
        ? { text: `{+${flat}+}`, paint: style.come }
        : { text: flat, paint: (plain: string) => plain };
  });
  return wrap(marked, width - INDENT.length).map((line) => INDENT + line);
}

/** Breaks painted pieces into lines of a width, between words where it can. */
function wrap(pieces: readonly { text: string; paint: (text: string) => string }[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { text, paint } of pieces) {
    for (const word of text.split(/(?<= )/).flatMap((long) => chop(long, width))) {
      const size = widthOf(word.trimEnd());
      if (used > 0 && used + size > width) {
        lines.push(line.trimEnd());
        line = '';
        used = 0;
      }
      line += paint(word);
      used += widthOf(word);
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

/** A word that is wider than a line, in pieces that fit. */
function chop(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (widthOf(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** A text at the left edge, a figure at the right one. */
export function spread(left: string, right: string, width: number): string {
  const room = width - widthOf(right) - 1;
  const text = fitted(left, room);
  return `${text}${' '.repeat(Math.max(1, room + 1 - widthOf(text)))}${right}`;
}
