/**
 * What each format reads of its fixtures: at one place for each kind of member, its value is changed, and its key
 * becomes one that nobody knows. matters.txt has the facts that then are others; the rest is changed all at once.
 * `UPDATE=1` writes it anew: a member that matters no longer, or a fact that depends on another one, is a change for
 * users.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { factsOf, plain, sum } from '../shared/facts.js';
import { isJson } from '../shared/is-json.js';
import { openText } from '../shared/opened.js';
import { fixtures, type Recording } from '../shared/recordings.js';

const KEPT = 'test/formats/matters.txt';
const UPDATES = process.env['UPDATE'] !== undefined;
const LARGEST = 5000;
/** Members that tell of what kind an object is. */
const KINDS = ['type', 'role', 'event', 'kind', 'author'];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
interface Member {
  readonly path: string;
  readonly key: JsonNode;
  readonly value: JsonNode;
  /** Where its record begins. */
  readonly from: number;
}
interface Change {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

const small = fixtures().filter(({ bytes }) => bytes.length <= LARGEST);
const ids = [...new Set(small.map(({ format }) => format!))];
const kept = new Map(
  readFileSync(KEPT, 'utf8')
    .split(/^# /m)
    .map((section) => [section.split('\n')[0]!, section.trimEnd()]),
);
const told = new Map<string, string>();

it.each(ids)('%s: what matters', (id) => {
  const recordings = small
    .filter(({ format }) => format === id)
    .sort((one, other) => one.bytes.length - other.bytes.length);
  const lines = UPDATES ? mattersIn(recordings, () => true) : kept.get(id)!.split('\n');
  const known = new Set(lines.map((line) => line.split(':')[0]));
  told.set(id, [id, ...mattersIn(recordings, ({ path }) => known.has(path))].join('\n'));
  if (!UPDATES) expect(told.get(id)).toBe(kept.get(id));
});

afterAll(() => {
  if (UPDATES) writeFileSync(KEPT, ids.map((id) => `# ${told.get(id)}\n`).join(''));
});

/** A line for each member that changes a fact, tried where `isTried`. */
function mattersIn(recordings: readonly Recording[], isTried: (member: Member) => boolean): readonly string[] {
  const effects = new Map<string, string>();
  for (const { bytes, name } of recordings) {
    const from = openText(bytes).detection.format.id;
    const before = factsIn(bytes, from);
    const effectOf = (...changes: Change[]) => differences(before, factsIn(spliced(bytes, changes), from));
    const members = new Map([...membersIn(bytes)].reverse().map((member) => [member.path, member]));
    const rest: Change[] = [];
    for (const member of [...members.values()].reverse()) {
      const value = anotherValue(member);
      if (!isTried(member)) rest.push(...value);
      else if (!effects.has(member.path)) {
        const changed = value.length > 0 && effectOf(...value);
        const unknown = changed !== '' && effectOf(unknownKey(member));
        effects.set(
          member.path,
          [changed && ` changed ${changed}`, unknown && ` unknown ${unknown}`].filter(Boolean).join(';'),
        );
      }
    }
    if (rest.length > 0) effects.set(`the rest of ${name}`, effectOf(...rest).replace(/^(?=.)/, ' '));
  }
  return [...effects].flatMap(([path, effect]) => (effect === '' ? [] : `${path}:${effect}`));
}

function* membersIn(bytes: Buffer): Generator<Member> {
  const text = bytes.toString();
  let from = 0;
  for (const record of isJson(text) ? [text] : text.split('\n')) {
    if (isJson(record)) yield* within(parse(record), '', from);
    from += Buffer.byteLength(record) + 1;
  }
}

/** Kinds of members by their key, and what they are in. */
function* within(node: JsonNode, around: string, from: number): Generator<Member> {
  for (const item of node.items()) yield* within(item, around, from);
  const kind = KINDS.map((key) => (node.isObject ? node.get(key)?.string : undefined)).find((one) => one !== undefined);
  for (const { key, value } of node.members()) {
    yield { path: `${around}${kind === undefined ? '' : `(${kind})`}.${key.text}`, key, value, from };
    yield* within(value, key.text, from);
  }
}

const unknownKey = ({ key, from }: Member) => ({ start: from + key.start, end: from + key.end, by: '"unknown"' });

function anotherValue({ value, from }: Member): readonly Change[] {
  if (value.isObject || value.isArray) return [];
  return [{ start: from + value.start, end: from + value.end, by: another(value) }];
}

function another({ string, boolean, isNull, text }: JsonNode): string {
  if (string !== undefined)
    return JSON.stringify(string.replace(/^2\d{3}(?=-\d\d-)|$/, (year) => (year ? '2001' : 'x')));
  if (boolean !== undefined) return String(!boolean);
  return isNull ? '7' : String(Number(text) + 1);
}

function spliced(bytes: Buffer, changes: readonly Change[]): Buffer {
  let at = 0;
  const pieces = changes
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, end, by }) => {
      const before = bytes.subarray(at, start);
      at = end;
      return [before, Buffer.from(by)];
    });
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

function factsIn(bytes: Buffer, from: string): string {
  try {
    return JSON.stringify(openText(bytes, { from }).transcripts.map(factsOf), plain);
  } catch (error) {
    return JSON.stringify(`refused: ${(error as Error).message}`);
  }
}

/** The names of the facts that differ, and a sum of all. */
function differences(before: string, after: string): string {
  if (after === before) return '';
  const facts = JSON.parse(after) as Json;
  if (typeof facts === 'string') return facts.split(':')[0]!;
  const names = new Set(differing(JSON.parse(before) as Json, facts, ''));
  return `${[...names].join(' ')} ${sum(after).slice(0, 4)}`;
}

function* differing(one: Json | undefined, other: Json | undefined, name: string): Generator<string> {
  if (one === other) return;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    for (const [index, item] of one.entries()) yield* differing(item, other[index], name);
  else if (isFields(one) && isFields(other))
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      yield* differing(one[key], other[key], key);
  else yield name;
}

const isFields = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
