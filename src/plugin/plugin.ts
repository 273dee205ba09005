/** What a plugin is, and whether a module is one. */
import { TranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import type { Rule } from '../rules/rule.js';
import type { SecretRule } from '../secrets/rule.js';

/** The default export of a plugin's module. */
export interface Plugin {
  /** They stand before our own in detection: of formats that fit equally well, the first one wins. */
  readonly formats?: readonly Format[];
  /** What they find stands beside what ours find. Their fixes run first. */
  readonly rules?: readonly Rule[];
  readonly secrets?: readonly SecretRule[];
}

type Test = readonly [fits: (value: unknown) => boolean, expected: string];

const TEXT: Test = [(value) => typeof value === 'string' && value !== '', 'a text'];
const TEXTS: Test = [(value) => isList(value, TEXT), 'a list of texts'];
const FUNCTION: Test = [(value) => typeof value === 'function', 'a function'];
const OBJECT: Test = [isObject, 'an object'];
const ID: Test = [(value) => matches(value, /^[a-z\d]+(-[a-z\d]+)*$/), 'an id in kebab-case, such as `acme-log`'];
const RULE_ID: Test = [
  (value) => matches(value, /^[a-z\d-]+\/[a-z\d-]+$/),
  'a family and a fault, such as `acme/name-missing`',
];
const SAFETY: Test = [(value) => matches(value, /^(safe|lossy|synthetic)$/), '`safe`, `lossy` or `synthetic`'];

/** The members that each entry needs, by the member of the plugin that lists them. */
const NEEDED: Readonly<Record<keyof Plugin, Readonly<Record<string, Test>>>> = {
  formats: { id: ID, traits: OBJECT, messagePaths: TEXTS, score: FUNCTION, read: FUNCTION, write: FUNCTION },
  rules: {
    id: RULE_ID,
    summary: TEXT,
    severity: [(value) => matches(value, /^(error|warning)$/), '`error` or `warning`'],
    providers: TEXTS,
    error: [isErrors, 'a text, or texts by ids of providers'],
    cause: TEXT,
    example: [
      (value) => isObject(value) && 'bad' in value && 'repaired' in value,
      'an object with a `bad` history and the `repaired` one',
    ],
    reported: TEXTS,
    check: FUNCTION,
    fix: [(value) => value === undefined || isFix(value), 'an object with `safety`, `summary` and `apply`'],
  },
  secrets: {
    id: ID,
    title: TEXT,
    anchors: [
      (value) => isList(value, [(item) => matches(item, /^[ -~]{3,}$/), '']) && (value as unknown[]).length > 0,
      'a list of texts of three characters or more, in ASCII, with which every match begins',
    ],
    pattern: [(value) => value instanceof RegExp, 'a regular expression'],
    tier: [(value) => matches(value, /^(definite|candidate)$/), '`definite` or `candidate`'],
    source: TEXT,
  },
};
const KINDS = Object.keys(NEEDED) as (keyof Plugin)[];

/** Throws TranscriptError where the value is no plugin: the file, what is wrong, and what is expected there. */
export function pluginFrom(value: unknown, file?: string): Plugin {
  const fail = (what: string) =>
    new TranscriptError('usage', `not a plugin: ${what}`, file === undefined ? {} : { file });
  if (!isObject(value)) throw fail('it needs a default export: an object with `formats`, `rules` or `secrets`');
  const unknown = Object.keys(value).find((key) => !KINDS.includes(key as keyof Plugin));
  if (unknown !== undefined) throw fail(`\`${unknown}\` is none of \`formats\`, \`rules\` and \`secrets\``);
  for (const kind of KINDS) {
    const fault = faultIn(value[kind], kind);
    if (fault !== undefined) throw fail(fault);
  }
  return value;
}

function faultIn(entries: unknown, kind: keyof Plugin): string | undefined {
  if (entries === undefined) return undefined;
  if (!Array.isArray(entries)) return `\`${kind}\` is not a list`;
  return entries.map((entry, index) => faultInEntry(entry, NEEDED[kind], `${kind}[${index}]`)).find(Boolean);
}

function faultInEntry(entry: unknown, needed: Readonly<Record<string, Test>>, path: string): string | undefined {
  if (!isObject(entry)) return `\`${path}\` is not an object`;
  const wrong = Object.entries(needed).find(([key, [fits]]) => !fits(entry[key]));
  if (wrong === undefined) return undefined;
  const [key, [, expected]] = wrong;
  return `\`${path}.${key}\` is ${entry[key] === undefined ? 'missing' : 'wrong'}; expected ${expected}`;
}

function isErrors(value: unknown): boolean {
  return TEXT[0](value) || (isObject(value) && Object.values(value).every(TEXT[0]));
}

function isFix(value: unknown): boolean {
  return isObject(value) && SAFETY[0](value['safety']) && TEXT[0](value['summary']) && FUNCTION[0](value['apply']);
}

function isList(value: unknown, [fits]: Test): boolean {
  return Array.isArray(value) && value.every(fits);
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
