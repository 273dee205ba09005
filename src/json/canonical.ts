/** A canonical form of JSON texts, to compare calls. It does without the scanner, so that comparing loads less code. */
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';

/** Whether to leave out a member of this name; level 0 is the outermost object. */
export type LeftOut = (name: string, level: number) => boolean;
const NOTHING: LeftOut = () => false;

/** A key that is equal for calls of one tool with the same arguments. */
export function callKey({ tool, input }: Pick<CallPart, 'tool' | 'input'>, isLeftOut?: LeftOut): string {
  return `${tool}\n${canonical(textOf(input), isLeftOut)}`;
}

/**
 * The JSON text without white space, with sorted members, and strings and numbers in one notation. Text that is not
 * JSON, or is nested too deeply, does not change; an empty text is an empty object.
 */
export function canonical(text: string, isLeftOut = NOTHING): string {
  if (text.trim() === '') return '{}';
  try {
    return canonicalValue(JSON.parse(text.replace(STRING_OR_NUMBER, keepDigits)), 0, isLeftOut);
  } catch {
    return text;
  }
}

/**
 * An unclosed string extends to the end, because a search for another one from each quote would take quadratic time.
 */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** A number that a double cannot hold exactly keeps its notation, so that different large ids stay different. */
function keepDigits(token: string): string {
  if (token.startsWith('"') || (token.match(/\d/g)!.length <= 15 && Number.isFinite(Number(token)))) return token;
  return JSON.stringify(`number ${token}`);
}

/** Deeper values could overflow the stack. */
const DEEPEST = 500;

function canonicalValue(value: unknown, level: number, isLeftOut: LeftOut): string {
  if (level > DEEPEST) throw new RangeError('too deep');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalValue(item, level + 1, isLeftOut)).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([name]) => !isLeftOut(name, level));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalValue(member, level + 1, isLeftOut)}`)
    .join()}}`;
}
