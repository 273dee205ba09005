/** One spelling for JSON texts that mean the same: what compares calls need not load the scanner. */
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';

/** Whether a member is left out, by its name; level 0 is the outermost object. */
export type LeftOut = (name: string, level: number) => boolean;
const NOTHING: LeftOut = () => false;

/** The same text for calls of one tool with the same arguments, however they are spelled. */
export function callKey({ tool, input }: Pick<CallPart, 'tool' | 'input'>, isLeftOut?: LeftOut): string {
  return `${tool}\n${canonical(textOf(input), isLeftOut)}`;
}

/**
 * A JSON text without spaces, with the members of objects in order of their names, and strings and numbers in one spelling. A text that is no JSON, or is nested deeper than anybody means, is itself; an empty one
 * is an empty object.
 */
export function canonical(text: string, isLeftOut = NOTHING): string {
  if (text.trim() === '') return '{}';
  try {
    return spell(JSON.parse(text.replace(STRING_OR_NUMBER, keepDigits)), 0, isLeftOut);
  } catch {
    return text;
  }
}

/** A string that is not closed goes to the end: to look for another one from each of its quotes would take quadratic time. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** A number that JavaScript cannot hold exactly keeps its own spelling: large ids that differ are not the same. */
function keepDigits(token: string): string {
  if (token.startsWith('"') || (token.match(/\d/g)!.length <= 15 && Number.isFinite(Number(token)))) return token;
  return JSON.stringify(`number ${token}`);
}

/** Functions that call themselves for each level of a value overflow the stack some thousand levels further down. */
const DEEPEST = 500;

function spell(value: unknown, level: number, isLeftOut: LeftOut): string {
  if (level > DEEPEST) throw new RangeError('too deep');
  if (Array.isArray(value)) return `[${value.map((item) => spell(item, level + 1, isLeftOut)).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([name]) => !isLeftOut(name, level));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${spell(member, level + 1, isLeftOut)}`)
    .join()}}`;
}
