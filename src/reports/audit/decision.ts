/** `audit --explain`: what a policy decides about one message. */
import type { Decision } from '../../policy/decide.js';
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import type { Style } from '../report.js';

export function decisionText(
  { decision, confidence, reason, words, intent, tool, hint, warning }: Decision,
  style: Style,
): SafeText {
  const verdict = (decision === 'allow' ? style.added : style.removed)(shown(decision));
  const rest = { reason, words: words.join(', '), intent, tool, hint, warning };
  const lines = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [lineOf(name, shown(value), style)],
  );
  return joined([lineOf('decision', safe`${verdict} (confidence ${confidence})`, style), ...lines], '');
}

function lineOf(name: string, value: SafeText, style: Style): SafeText {
  return safe`${style.bold(shown(name.padEnd(9)))} ${value}\n`;
}
