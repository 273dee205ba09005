/** JSON output of the same value that cannot control a terminal or a log. */
import { COMMAND, PLAIN, type SafeText, unseenPattern } from './text.js';

/** JSON with invisible characters as escapes. `figure`: formats bigints as exact numbers. */
export function safeJson(value: unknown, indent?: number, figure?: (item: bigint) => SafeText): SafeText {
  const text = JSON.stringify(value, figure === undefined ? undefined : marking(figure), indent);
  const seen = PLAIN.test(text) ? text : text.split('\n').map(seenLine).join('\n');
  const plain = figure === undefined ? seen : seen.replace(MARKED, (_, spelled) => spelled ?? '"\\u0000');
  return plain.replace(COMMAND, '#\\u0023') as SafeText;
}

/** JSON has no raw line break in a string, so most lines of a long text are plain. */
function seenLine(line: string): string {
  return PLAIN.test(line) ? line : line.replace(unseenPattern(), (unseen, kept) => kept ?? unitsOf(unseen));
}

/** Bigints become strings between marks, which are removed later; a string that starts with a mark gets one more. */
const marking = (figure: (item: bigint) => SafeText) => (_: string, item: unknown) =>
  typeof item === 'bigint'
    ? `\0${figure(item)}\0`
    : typeof item === 'string' && item.startsWith('\0')
      ? `\0${item}`
      : item;
const MARKED = /(?<!\\)"\\u0000(?:\\u0000|([^"\\]*)\\u0000")/g;

function unitsOf(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
