/** What all layouts of a diff share. */

import { type Beside, besideName, changedUnshown, type Difference, type Side } from '../measure/stats/differences.js';
import type { Totals } from '../measure/stats/facts.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { formatMoneyApart } from '../text/money.js';
import { changeText, costText, fitted, grouped, markedCost, tokensText } from '../text/words.js';
import type { Style } from './report.js';

export interface DiffLayout {
  readonly style: Style;
  /** Columns to fill. */
  readonly width: number;
  readonly sideBySide: boolean;
}

/** Runs of kept messages become one entry. */
export function folded(differences: readonly Difference[]): (Difference | Difference[])[] {
  const entries: (Difference | Difference[])[] = [];
  for (const difference of differences) {
    const last = entries[entries.length - 1];
    if (difference.kind !== 'kept') entries.push(difference);
    else if (Array.isArray(last)) last.push(difference);
    else entries.push([difference]);
  }
  return entries;
}

export function titleOf({ index, role, tools }: Pick<Side, 'index' | 'role' | 'tools'>): SafeText {
  const names = joined([...new Set(tools)].map(shown), ', ');
  const called = names === '' ? names : role === 'tool' ? safe` (${names})` : safe` → ${names}`;
  return safe`#${index} ${shown(role)}${called}`;
}

/** What changed that no text shows, on one line if there is any: `changed: error mark, image`. */
export function unshownLines(difference: Difference): SafeText[] {
  const names = changedUnshown(difference);
  return names.length === 0 ? [] : [safe`changed: ${joined(names.map(shown), ', ')}`];
}

/** `messages 62 → 36, calls 29 → 3, tokens 12,345 → 4,567 (−63 %), $0.03 → $0.01` */
export function totalsLine(before: Totals, after: Totals): SafeText {
  const step = (from: number, to: number) => (from === to ? grouped(from) : safe`${grouped(from)} → ${grouped(to)}`);
  const [old, now] = [before, after].map(({ tokens, tokensSource }) => tokensText(tokens, tokensSource));
  const change = before.tokens === after.tokens ? safe`` : safe` → ${now!}${changeText(before.tokens, after.tokens)}`;
  const messages = step(before.messages, after.messages);
  const calls = step(before.toolCalls, after.toolCalls);
  return safe`messages ${messages}, calls ${calls}, tokens ${old!}${change}${costStep(before, after)}`;
}

/** Nothing where no cost is known. */
function costStep(before: Totals, after: Totals): SafeText {
  if (before.cost === undefined) return safe``;
  if (after.cost === undefined) return safe`, ${costText(before.cost, before.tokensSource)} → unpriced`;
  const [was, is] = formatMoneyApart([before.cost, after.cost]);
  const costs = [markedCost(was!, before.tokensSource), markedCost(is!, after.tokensSource)];
  return safe`, ${joined(costs[0] === costs[1] ? [costs[0]!] : costs, ' → ')}`;
}

/** The longest values that stand on one line with what they became. */
const SHORT = 60;

/** `~ temperature 0.2 → 0.7`, `- seed 7`, `+ stop "END"`; of long values the beginning. */
export function besideLine(beside: Beside): SafeText {
  const { before, after } = beside;
  const name = shown(besideName(beside));
  if (before === undefined) return safe`+ ${name} ${fitted(after!, SHORT)}`;
  if (after === undefined) return safe`- ${name} ${fitted(before, SHORT)}`;
  return safe`~ ${name} ${fitted(before, SHORT)} → ${fitted(after, SHORT)}`;
}

/** Whether a value became another, and that line does not hold both. */
export function isLong({ before, after }: Beside): boolean {
  return before !== undefined && after !== undefined && Math.max(before.length, after.length) > SHORT;
}
