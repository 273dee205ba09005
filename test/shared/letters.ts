/** What a text or value says, however it is spelled: for judges that know no format. */
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';

/** Only letters and digits: notations differ in the rest. */
export function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Fewer letters are found anywhere. */
export const TELLING = 4;

/** The letters of all strings, numbers and keys of a value, those of JSON in its strings too; in two spellings. */
export function lettersIn(value: unknown): readonly string[] {
  return [letters(wordsIn(value).join('\n')), letters(JSON.stringify(value))];
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...(/^\s*[[{"]/.test(value) ? wordsIn(parsed(value)) : [])];
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, member]) => [key, ...wordsIn(member)]);
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts, arguments and results of a part. */
export function saidIn(part: Part): string[] {
  if (part.type === 'result') return part.content.flatMap(saidIn);
  if (part.type === 'call') return leavesIn(parsed(textOf(part.input)) ?? textOf(part.input));
  return (part.type === 'text' || part.type === 'thinking') && part.text !== undefined ? [textOf(part.text)] : [];
}

/** The values of arguments, whose names may change with the tool. */
function leavesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesIn) : [];
}
