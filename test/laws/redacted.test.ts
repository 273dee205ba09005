/**
 * A secret at every string of every format, and in every name of a member, is nowhere in what `redact` writes: not as
 * it is, and not as JSON, JSON in strings or an address spells it. What held JSON holds JSON.
 */
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/engine/redact/redact.js';
import { cases } from '../shared/effort.js';
import { isJson } from '../shared/is-json.js';
import { fixtures, type Recording, sampled } from '../shared/recordings.js';

/** Found by its form; by its name in the first line of the same file only; and with signs that JSON escapes. */
const FORM = ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');
const COPY = 'kX93jd82hsKq71ndLx92';
const SIGNS = 'kZ91/jd"82\\hsKq@71';
const ADDRESS = `postgres://app:${encodeURIComponent(SIGNS)}@db/x`;
const NAMES = `${JSON.stringify({ a: `DB_PASSWORD=${COPY}`, b: ADDRESS })}\n`;

const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;
/** A text that is JSON itself has the secret in its own strings. */
const INNER = /\\"(?:[^"\\]|\\\\\\"|\\\\.)*\\"/;

/** The text with a secret at the end of each string, or of each name. */
function planted(text: string, secret: string, inNames: boolean): { text: string; count: number } {
  let count = 0;
  const output = text.replace(STRING, (string, colon?: string) => {
    if ((colon !== undefined) !== inNames) return string;
    count++;
    const end = string.lastIndexOf('"');
    const inner = inNames ? null : INNER.exec(string);
    if (inner === null) return `${string.slice(0, end)} ${escaped(secret, 1)} ${string.slice(end)}`;
    const at = inner.index + inner[0].length - 2;
    return `${string.slice(0, at)} ${escaped(secret, 2)} ${string.slice(at)}`;
  });
  return { text: output, count };
}

function escaped(text: string, times: number): string {
  return times === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), times - 1);
}

function spellingsOf(secret: string): string[] {
  const plain = [0, 1, 2, 3].map((times) => escaped(secret, times));
  return [...plain, ...plain.map((one) => one.replaceAll('/', '\\/')), encodeURIComponent(secret)];
}

function valuesIn(text: string): number {
  return isJson(text) ? 1 : text.split('\n').filter(isJson).length;
}

const small = ({ bytes }: Recording) => bytes.length < cases(2500, 60_000, 'BYTES');
describe.each(sampled(fixtures().filter(small), 'redacted', 1))('$name', ({ bytes }) => {
  const before = bytes.toString();
  it.each([
    ['a token', FORM, '', false],
    ['a token in names', FORM, '', true],
    ['a copy', COPY, NAMES, false],
    ['a copy in names', COPY, NAMES, true],
    ['signs', SIGNS, NAMES, false],
    ['signs in names', SIGNS, NAMES, true],
  ] as const)('%s', (_, secret, names, inNames) => {
    const { text, count } = planted(before, secret, inNames);
    const input = names + text;
    const output = redact(input);
    for (const spelled of spellingsOf(secret)) expect(output.split(spelled).length - 1, spelled).toBe(0);
    expect(valuesIn(output)).toBe(valuesIn(input));
    if (count > 0) expect(output).toContain('[secret:');
    expect(redact(output)).toBe(output);
  });
});
