/**
 * Secrets beside every kind of escape, in every format, as deep in JSON in strings as they come: the output is JSON,
 * and nothing but the secret has changed. JSON.parse is the judge.
 */
import { expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { createPersonalFinder } from '../../src/secrets/personal.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { cases } from '../shared/effort.js';
import { isJson } from '../shared/is-json.js';
import { fixtures } from '../shared/recordings.js';
import { planted } from './corpus.js';
import { randomOf } from './random.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const findPersonal = createPersonalFinder([], () => false);
/** CTX_TRIM_GRID=100000 tries so many. */
const RECORDS = cases(1_500, 5_000, 'CTX_TRIM_GRID');
const WINDOW = 1 << 14;
const HERE = 'QZherezq';

/** What stands right before and after a secret. */
const BESIDE = [
  '\n',
  '\t',
  '"',
  '\\',
  '/',
  ' ',
  '\r\n',
  '李',
  '😀',
  'é',
  "'",
  '\u0001',
  '\b',
  '\f',
  '(',
  '\\n',
  '\n\n',
];
/** A name before it; `HERE` is the secret. */
const NAMED = [
  `here is the token:\n${HERE}`,
  `API_KEY=${HERE}`,
  `  "password": "${HERE}",\n`,
  `export DB_PASSWORD='${HERE}'`,
  `{"secret":"${HERE}"}`,
  `client_secret: ${HERE}`,
  `token =\t"${HERE}"`,
];
const values = randomOf('grid');

interface Case {
  readonly text: string;
  readonly secret: string;
  readonly finders: 'all' | 'personal';
}

const CASES: readonly (() => Case)[] = [
  () => ({ text: values.of(NAMED), secret: values.text('hex', 12 + values.below(50)), finders: 'all' }),
  () => {
    const { text, secret } = values.of(planted.filter(({ rule }) => rule !== 'private-key'));
    const before = values.of(BESIDE.filter((one) => !one.startsWith('\\'))); // it may be a part of an escape
    const after = values.of(BESIDE.filter((one) => one !== '/'));
    return { text: before + text.replace(secret, () => HERE) + after, secret, finders: 'all' };
  },
  () => {
    const { secret } = values.of(planted.filter(({ rule }) => rule === 'private-key'));
    return { text: values.of(BESIDE) + HERE + values.of(['\n', '"', ' ', '\t']), secret, finders: 'all' };
  },
  () => ({
    text: `C:\\Users\\${HERE}\\x`,
    secret: values.of(['\u674e', 'Anna Berg', 'bj\u00f6rn']),
    finders: 'personal',
  }),
  () => ({
    text: `ls /home/${HERE}/x`,
    secret: values.of(['\u674e\u6797', 'mary-jane', 'j.doe']),
    finders: 'personal',
  }),
  () => ({
    text: `${values.of(BESIDE.filter((one) => !/\p{L}/u.test(one)))}${HERE}${values.of(BESIDE)}`,
    secret: 'jane@mail.test',
    finders: 'personal',
  }),
];

/** Spellings of strings in JSON. */
const SPELLINGS: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replace(/[^\0-\x7f]/g, unit),
  (json) => json.replace(/[^\0-\x7f]|['<>&+/]/g, unit),
];

function unit(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

type Spell = (text: string) => string;

/** The record with the text at the end of one of its strings; JSON in a string gets it within. */
function carried(text: string, spell: Spell, nestings: number): string {
  if (nestings === 0) return `{"n":1,"text":${spell(text)},"z":"\\u0041\\n"}`;
  return `{"n":2,"input":${spell(carried(text, spell, nestings - 1))}}`;
}

/** Texts that stream in pieces are joined before they are searched: what follows in the next piece belongs to them. */
const JOINED = /^gemini-cli-stream\//;

const carriers = fixtures()
  .filter(({ name }) => !JOINED.test(name))
  .filter(({ bytes }) => bytes.length < 3_000 && find(bytes).length + findPersonal(bytes).length === 0)
  .map(({ bytes }) => bytes.toString())
  .filter((text) => (text.includes('"text"') || text.includes('"content"')) && areJson(text));

/** A recording of some format whose text it is. */
function recorded(text: string, spell: Spell, nestings: number): string {
  const inner = nestings === 0 ? text : carried(text, spell, nestings - 1);
  const carrier = values.of(carriers);
  const strings = [...carrier.matchAll(/("(?:text|content|input|arguments|output)": ?)"(?:[^"\\]|\\.)*"/g)];
  if (strings.length === 0) return `{"text":${spell(inner)}}`;
  const { index, 0: old, 1: key } = values.of(strings);
  return carrier.slice(0, index) + key + spell(inner) + carrier.slice(index + old.length);
}

it(
  `keeps every byte but the secret, in ${RECORDS} records`,
  () => {
    const wrong: string[] = [];
    for (let round = 0; round < RECORDS; round++) {
      const { text, secret, finders } = values.of(CASES)();
      const spelling = values.of(SPELLINGS);
      const nestings = values.below(4);
      const spell = (plain: string) => spelling(JSON.stringify(plain));
      const record = recorded(text, spell, nestings);
      let spelled = secret;
      for (let depth = 0; depth <= nestings; depth++) spelled = spell(spelled).slice(1, -1);
      const [before, after] = record.split(HERE) as [string, string];
      const input = before + spelled + after;
      const used = finders === 'all' ? [find] : [find, createPersonalFinder([], () => false)];
      const output = redactedBy(input, used, WINDOW);
      const middle = output.slice(before.length, output.length - after.length);
      const isExact = output.startsWith(before) && output.endsWith(after) && /^\[secret:[a-z0-9-]+:\d+\]$/.test(middle);
      if (!isExact || !areJson(output) || redactedBy(output, used, WINDOW) !== output)
        wrong.push(described(input, output));
    }
    expect(wrong.slice(0, 3).join('\n\n'), `${wrong.length} of ${RECORDS}`).toBe('');
  },
  120_000 + RECORDS * 10,
);

/** Where they differ. */
function described(input: string, output: string): string {
  let at = 0;
  while (input[at] === output[at] && at < input.length) at++;
  const from = Math.max(0, at - 60);
  return `${input.slice(from, at + 200)}\n=> ${output.slice(from, at + 200)}`;
}

function areJson(text: string): boolean {
  return isJson(text) || text.trimEnd().split('\n').every(isJson);
}

it('breaks no escape beside a name', () => {
  const record = JSON.stringify([{ role: 'user', content: 'here is the token:\nkX93jd82hsKq71ndLx92QpZ' }]);
  expect(redactedBy(record, [find])).toBe('[{"role":"user","content":"here is the token:\\n[secret:named-secret:1]"}]');
  const folder = '{"cwd":"C:\\\\Users\\\\\\u674e\\\\work","log":"\\u674e"}';
  const personal = redactedBy(folder, [createPersonalFinder([], () => false)]);
  expect(JSON.parse(personal)).toEqual({ cwd: 'C:\\Users\\[secret:name:1]\\work', log: '[secret:name:1]' });
});

it('puts a mark in quotes in place of a number', () => {
  const record = '{"password": 839201746352, "n": 1}';
  expect(redactedBy(record, [find])).toBe('{"password": "[secret:named-secret:1]", "n": 1}');
  const nested = redactedBy(JSON.stringify({ input: record, list: [JSON.stringify({ record })] }), [find]);
  const after = JSON.parse(JSON.parse(JSON.parse(nested).list[0]).record);
  expect([JSON.parse(JSON.parse(nested).input), after]).toEqual([
    { password: '[secret:named-secret:1]', n: 1 },
    { password: '[secret:named-secret:1]', n: 1 },
  ]);
});
