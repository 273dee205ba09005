/** One spelling for JSON that means the same. It works on text, so that comparing calls need not load the scanner. */
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';

/** Whether to ignore a member, by its name; level 0 is the outermost object. */
export type LeftOut = (name: string, level: number) => boolean;
const NOTHING: LeftOut = () => false;

/** A key that calls of one tool with the same arguments share, however the arguments are spelled. */
export function callKey({ tool, input }: Pick<CallPart, 'tool' | 'input'>, isLeftOut?: LeftOut): string {
  return `${tool}\n${canonical(textOf(input), isLeftOut)}`;
}

/**
 * A JSON text without spaces, with members sorted by name and one spelling for strings and numbers. An empty text
 * counts as an empty object. Text that is not JSON, or is nested too deeply, is returned unchanged.
 */
export function canonical(text: string, isLeftOut = NOTHING): string {
  if (text.trim() === '') return '{}';
  return (MAY_LOSE.test(text) ? undefined : spelled(text, isLeftOut)) ?? spelled(withDigits(text), isLeftOut) ?? text;
}

/** Undefined if it is no JSON, or nested too deeply. */
function spelled(text: string, isLeftOut: LeftOut): string | undefined {
  try {
    return spell(JSON.parse(text), 0, isLeftOut);
  } catch {
    return undefined;
  }
}

/**
 * The same for a value, which may already have lost digits of large numbers. Values nested too deeply count as equal.
 */
export function canonicalValue(value: unknown): string {
  return spell(value, 0, NOTHING, '…');
}

/** An unclosed string ends with the text: looking for another string from each of its quotes would be quadratic. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** A number that JavaScript cannot hold is at least so long, or has an exponent. */
const MAY_LOSE = /[\d.eE+-]{16}|\d[eE]/;

function withDigits(text: string): string {
  return text.replace(STRING_OR_NUMBER, keepDigits);
}

/** A number that JavaScript cannot hold exactly keeps its spelling: large ids that differ are not equal. */
function keepDigits(token: string): string {
  if (token.startsWith('"') || (token.match(/\d/g)!.length <= 15 && Number.isFinite(Number(token)))) return token;
  return JSON.stringify(`number ${token}`);
}

/** Limits the recursion: a value nested some thousands of levels deep would overflow the stack. */
const DEEPEST = 500;

/** `tooDeep` replaces values below the deepest level; without it they are a RangeError. */
function spell(value: unknown, level: number, isLeftOut: LeftOut, tooDeep?: string): string {
  if (level > DEEPEST) {
    if (tooDeep === undefined) throw new RangeError('too deep');
    return tooDeep;
  }
  if (Array.isArray(value)) return `[${value.map((item) => spell(item, level + 1, isLeftOut, tooDeep)).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).filter(([name]) => !isLeftOut(name, level));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${spell(member, level + 1, isLeftOut, tooDeep)}`)
    .join()}}`;
}
