/** A diff for people: dropped, added, changed and moved messages; kept ones are folded. Readable without color. */

import { addAll } from '../lists.js';
import { type Beside, besideName, type Difference, type TranscriptDifference } from '../measure/stats/differences.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { widthOf } from '../text/width.js';
import { fitted, grouped, plural, tokensText } from '../text/words.js';
import { sideBySide } from './diff-columns.js';
import { besideLine, type DiffLayout, folded, isLong, titleOf, totalsLine, unshownLines } from './diff-layout.js';
import { type Fragment, wordDiff } from './word-diff.js';
import { type Painted, wrap } from './wrap.js';

/** Lines of a dropped or added message that are shown before the rest is folded. */
const SHOWN_LINES = 3;
const INDENT = safe`    `;
/** Behind the mark of a line. */
const GAP = safe`  `;

export function diffText(facts: TranscriptDifference, layout: DiffLayout): SafeText {
  const { style } = layout;
  const { file, line, id, model } = facts;
  const title = [
    style.name(safe`${shown(file)}:${line}`),
    ...(id === undefined ? [] : [safe`${style.dim(safe`id`)} ${shown(id)}`]),
    ...(model === undefined ? [] : [style.dim(shown(model))]),
  ];
  const lines = [joined(title, '  '), ...facts.beside.flatMap((beside) => besideLines(beside, layout))];
  if (layout.sideBySide) addAll(lines, sideBySide(facts, layout));
  else
    for (const run of folded(facts.differences))
      addAll(
        lines,
        Array.isArray(run) ? [keptLine(run, facts, layout)] : differenceLines(run as Difference, facts, layout),
      );
  lines.push(style.bold(totalsLine(facts.before, facts.after)), safe``);
  return joined(lines, '\n');
}

function besideLines(beside: Beside, layout: DiffLayout): SafeText[] {
  const { before, after } = beside;
  const paint = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  if (!isLong(beside)) return [layout.style[paint](besideLine(beside))];
  const title = layout.style.changed(safe`~ ${shown(besideName(beside))}`);
  return [title, ...changedLines(before!, after!, layout)];
}

function keptLine(run: readonly Difference[], { after }: TranscriptDifference, { style, width }: DiffLayout): SafeText {
  const tokens = run.reduce((sum, { after: side }) => sum + (side?.tokens ?? 0), 0);
  return style.dim(
    spread(safe`  ⋯ ${plural(run.length, 'message')} kept`, tokensText(tokens, after.tokensSource), width),
  );
}

function differenceLines(difference: Difference, facts: TranscriptDifference, layout: DiffLayout): SafeText[] {
  const { before, after, kind } = difference;
  const { style, width } = layout;
  const source = facts.after.tokensSource;
  switch (kind) {
    case 'dropped':
      return [
        style.removed(spread(safe`- ${titleOf(before!)}`, safe`−${grouped(before!.tokens)}`, width)),
        ...preview(before!.text, safe`- `, layout).map(style.removed),
      ];
    case 'added':
      return [
        style.added(spread(safe`+ ${titleOf(after!)}`, safe`+${grouped(after!.tokens)}`, width)),
        ...preview(after!.text, safe`+ `, layout).map(style.added),
      ];
    case 'moved':
      return [
        style.changed(
          spread(safe`> ${titleOf(after!)}, moved from #${before!.index}`, tokensText(after!.tokens, source), width),
        ),
        ...preview(after!.text, safe`> `, layout),
      ];
    case 'changed':
      return [
        style.changed(
          spread(
            safe`~ ${titleOf(before!)}`,
            safe`${tokensText(before!.tokens, source)} → ${tokensText(after!.tokens, source)}`,
            width,
          ),
        ),
        ...unshownLines(difference).map((line) => style.changed(safe`${INDENT}${line}`)),
        ...(before!.text === after!.text ? [] : changedLines(before!.text, after!.text, layout)),
      ];
    default:
      return [];
  }
}

/** The beginning of a text, and how much of it is folded. */
function preview(text: string, mark: SafeText, { width }: DiffLayout): SafeText[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, SHOWN_LINES).map((line) => safe`${mark}${GAP}${fitted(line, width - INDENT.length)}`);
  const more = lines.length - first.length;
  return more > 0 ? [...first, safe`${mark}${GAP}… ${plural(more, 'more line')}`] : first;
}

/** Removed words in [-…-], added words in {+…+}: with color too, as colors may get lost. */
function changedLines(before: string, after: string, { style, width }: DiffLayout): SafeText[] {
  const marked = wordDiff(before, after).map(({ kind, text }: Fragment): Painted => {
    const flat = shown(text);
    return kind === 'removed'
      ? { text: safe`[-${flat}-]`, paint: style.removed }
      : kind === 'added'
        ? { text: safe`{+${flat}+}`, paint: style.added }
        : { text: flat, paint: (plain) => plain };
  });
  return wrap(marked, width - INDENT.length).map((line) => safe`${INDENT}${line}`);
}

/** A text at the left edge, a figure at the right one. */
export function spread(left: SafeText, right: SafeText, width: number): SafeText {
  const room = width - widthOf(right) - 1;
  const text = fitted(left, room);
  return safe`${text}${spaces(Math.max(1, room + 1 - widthOf(text)))}${right}`;
}
