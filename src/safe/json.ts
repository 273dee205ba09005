/** JSON output of the same value that cannot control a terminal or a log. */
import { COMMAND, type SafeText, unseenPattern } from './text.js';

/** JSON with invisible characters as escapes. `figure`: formats bigints as exact numbers. */
export function safeJson(value: unknown, indent?: number, figure?: (item: bigint) => SafeText): SafeText {
  const text = JSON.stringify(value, figure === undefined ? undefined : marking(figure), indent);
  const seen = /^[\n -~]*$/.test(text)
    ? text
    : text.replace(unseenPattern(), (unseen, kept) => kept ?? (unseen === '\n' ? unseen : unitsOf(unseen)));
  const plain = figure === undefined ? seen : seen.replace(MARKED, (_, spelled) => spelled ?? '"\\u0000');
  return plain.replace(COMMAND, '#\\u0023') as SafeText;
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
