/** Hostile inputs: small recordings of every format, with bytes and values changed. */
import fc from 'fast-check';
import { fixtures } from '../shared/recordings.js';

export interface Input {
  /** The recording that it was made of. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** One change: at the place that `at` picks, of all that there are. */
export type Edit = readonly [kind: keyof typeof EDITS, at: number, payload: number];

const LARGEST = 14_000;
const SOURCES = fixtures().filter(({ bytes }) => bytes.length <= LARGEST);

/** Texts that terminals, spreadsheets, CI logs, JavaScript objects and patterns take for something else. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\n',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '\u001b]0;title\u0007\u001b[2J',
  '\u009b31m\u0000\u0007\b\r',
  '\n::error file=a::b\n##[group]x\n::set-output name=a::b',
  '\u202e\u2066txt.exe\u2069\u200b\u200f\u2028',
  '=HYPERLINK("x")',
  '@SUM(1)',
  '+1',
  '-1',
  '<img src=x onerror=alert(1)>|`a`',
  '%0A::warning::x',
  '\u{1f1e6}'.repeat(200),
  'e\u0301\u0302'.repeat(100),
  'a'.repeat(3000),
  '../../../etc/passwd',
  '2026-13-45T99:99:99Z',
  '{"a":',
  '{"tool_calls":[{"id":"x"}]}',
  '日本語',
  'here is the token:\nkX93jd82hsKq71ndLx92QpZ',
  '{"password":"a\\"b\\\\nQ7x92Kd81Lm"}',
  'C:\\Users\\\u674e\\n and jane@mail.test\n',
  '😀',
] as const;

/** Spelled as they are: JSON.stringify cannot write them. */
const RAW_VALUES = ['1e400', '-0', '12345678901234567890', '"\\ud800"', '"\\u0000"', '1.0'];
const DEEP = 400;

const VALUES: readonly unknown[] = [null, true, false, 0, -1, 1e21, [], {}, [[]], [null], { a: null }, [''], [{}], [5]];
const KEYS = [
  ...['role', 'content', 'type', 'text', 'id', 'name', 'tool_calls', 'arguments', 'model', 'timestamp', 'usage'],
  ...['messages', 'parts', 'input', '__proto__', 'constructor', '', '\u001b[2J'],
];

export function hostileInput(): fc.Arbitrary<Input> {
  const edit = fc.tuple(fc.constantFrom(...(Object.keys(EDITS) as (keyof typeof EDITS)[])), fc.nat(), fc.nat());
  return fc
    .tuple(fc.constantFrom(...SOURCES), fc.array(edit, { maxLength: 3 }))
    .map(([{ name, bytes }, edits]) => ({ name: `${name} ${JSON.stringify(edits)}`, bytes: mutated(bytes, edits) }));
}

/** Split, so that no scanner takes this file for a leak; escapes of JSON stand beside some. */
const SECRETS = [
  `my token:\n${'gh'}p_q7Zr2Lw9Xc4Vb8Nm1Ks6Td3Yf5Hj0Gp2Aa4e`,
  `"${'AK'}IAQ3EGRJ7XKZ2VNM5T\\n`,
  `-----BEGIN ${'RSA PRIV'}ATE KEY-----\n${'Qk7x92Kd81LmZ0pW'.repeat(4)}\n-----END RSA PRIVATE KEY-----`,
  'DB_PASSWORD=Zx81kQp0Vn3sLw72\tnext',
] as const;

/** The same with a secret as one of its values, whatever was changed around it. */
export function inputWithSecret(): fc.Arbitrary<Input> {
  return fc.tuple(hostileInput(), fc.nat(), fc.constantFrom(...SECRETS)).map(([{ name, bytes }, at, secret]) => ({
    name: `${name} with ${JSON.stringify(secret)} at ${at}`,
    bytes: valueEdit(() => secret)(bytes, at, 0),
  }));
}

/** A text that is fit to stand anywhere in a recording or on a command line. */
export function hostileText(): fc.Arbitrary<string> {
  return fc.constantFrom(...HOSTILE_TEXTS);
}

export function mutated(bytes: Buffer, edits: readonly Edit[]): Buffer {
  return edits.reduce((before, [kind, at, payload]) => EDITS[kind](before, at, payload), bytes);
}

/** Ways to change an input: each takes the bytes, where, and with what. */
const EDITS = {
  byte: (bytes: Buffer, at: number, payload: number) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[at % changed.length] = payload & 0xff;
    return changed;
  },
  cut: (bytes: Buffer, at: number) => bytes.subarray(0, at % (bytes.length + 1)),
  gone: (bytes: Buffer, at: number, payload: number) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + (payload % 40))]);
  },
  again: (bytes: Buffer, at: number, payload: number) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from + (payload % 200)), bytes.subarray(from)]);
  },
  insert: (bytes: Buffer, at: number, payload: number) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from(pick(HOSTILE_TEXTS, payload)), bytes.subarray(from)]);
  },
  text: valueEdit((payload) => pick(HOSTILE_TEXTS, payload)),
  value: valueEdit((payload) => pick(VALUES, payload)),
  raw: valueEdit((payload) => marked(pick(RAW_VALUES, payload))),
  deep: valueEdit((payload) => marked(payload % 2 === 0 ? nestedLists() : nestedObjects())),
  wrap: valueEdit((payload, old) => (payload % 2 === 0 ? [old] : { [pick(KEYS, payload)]: old })),
  twice: valueEdit((_, old) => (Array.isArray(old) ? [...old, ...old] : [old, old])),
  unkeyed: valueEdit((payload, old) => {
    if (!isObject(old)) return old;
    const entries = Object.entries(old);
    return objectOf(entries.filter((_, index) => index !== payload % entries.length));
  }),
  rekeyed: valueEdit((payload, old) => {
    if (!isObject(old)) return old;
    const entries = Object.entries(old);
    return objectOf(
      entries.map(([key, value], index) => [index === payload % entries.length ? pick(KEYS, payload) : key, value]),
    );
  }),
} satisfies Record<string, (bytes: Buffer, at: number, payload: number) => Buffer>;

/** An edit of the `at`-th JSON value of the input, wherever it is nested; bytes that are no JSON stay as they are. */
function valueEdit(change: (payload: number, old: unknown) => unknown) {
  return (bytes: Buffer, at: number, payload: number): Buffer => {
    const values = valuesIn(bytes.toString());
    if (values === undefined) return bytes;
    const target = { left: at % (countOf(values) || 1) };
    const changed = values.map((value) => replaced(value, target, (old) => change(payload, old)));
    return Buffer.from(changed.map((value) => unmarked(JSON.stringify(value))).join('\n'));
  };
}

/** The values of a JSON document, or of JSON Lines; undefined where it is neither. */
function valuesIn(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    try {
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
    } catch {
      return undefined;
    }
  }
}

function countOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countOf(inner), 1);
}

function replaced(value: unknown, target: { left: number }, change: (old: unknown) => unknown): unknown {
  if (target.left-- === 0) return change(value);
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, target, change));
  if (!isObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, inner]) => [key, replaced(inner, target, change)]));
}

/** Also with a member of the name `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length]!;
}

const MARK = '@raw@';

/** JSON text that goes into the input as it is. */
function marked(raw: string): string {
  return MARK + Buffer.from(raw).toString('hex');
}

function unmarked(json: string): string {
  return json.replace(new RegExp(`"${MARK}([0-9a-f]*)"`, 'g'), (_, hex: string) => Buffer.from(hex, 'hex').toString());
}

function nestedLists(): string {
  return '['.repeat(DEEP) + ']'.repeat(DEEP);
}

function nestedObjects(): string {
  return `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
}
