/** `redact`: the marks of `ctx-trim redact` in a text or in plain messages. */

import { copyOf } from '../../json/plain-value.js';
import type { Sink } from '../../json/print.js';
import { isObject, rejectWrongOptions } from '../../options/arguments.js';
import type { Plugin } from '../../plugin/plugin.js';
import { withPlugins } from '../../plugin/with-plugins.js';
import { withCopies } from '../../secrets/copies.js';
import { createFinder } from '../../secrets/find.js';
import { createPersonalFinder } from '../../secrets/personal.js';
import { createRedactor, NUMBERED, type Redactor } from '../../secrets/redact.js';
import { addSecrets, secretRules } from '../../secrets/rules/index.js';
import { globOf } from '../../text/glob.js';
import { spelledMessages } from '../spelled.js';

export interface RedactOptions {
  /** Also e-mail addresses, and names of users in paths. */
  readonly personal?: boolean;
  /** Names of people and computers to replace, with `personal`. */
  readonly names?: readonly string[];
  /** Globs of texts that are no secrets. */
  readonly allow?: readonly string[];
  /** Plugins, whose secrets count too. */
  readonly plugins?: readonly Plugin[];
  /** Called for each mark, once. Keep the secret to yourself. */
  readonly onMark?: (mark: string, secret: string) => void;
}

/**
 * Replaces keys, tokens and passwords with marks such as `[secret:github-token:1]`. A text need not be JSON.
 * In a list of
 * messages, those without a secret are the same objects, and the others keep their prototypes.
 * Throws TranscriptError for a wrong option.
 */
export function redact(input: string, options?: RedactOptions): string;
export function redact<M extends object>(input: readonly M[], options?: RedactOptions): M[];
export function redact(input: string | readonly object[], options: RedactOptions = {}): string | object[] {
  rejectWrongOptions(options, {
    personal: 'flag',
    names: 'texts',
    allow: 'texts',
    plugins: 'objects',
    onMark: 'function',
  });
  return withPlugins(
    options.plugins,
    ({ secrets }) => [addSecrets(secrets)],
    () => redacted(input, options),
  );
}

function redacted(
  input: string | readonly object[],
  { personal, names = [], allow = [], onMark }: RedactOptions,
): string | object[] {
  const redactor = redactorOf(allow, personal === true ? names : undefined);
  const output = typeof input === 'string' ? redactText(input, redactor) : redactMessages(input, redactor);
  if (onMark !== undefined) for (const [mark, { secret }] of redactor.marks) onMark(mark, secret);
  return output;
}

function redactMessages(input: readonly object[], redactor: Redactor): object[] {
  const texts = spelledMessages(input);
  const found = texts.map((text) => redactor.learn(Buffer.from(text), 0, Buffer.byteLength(text)));
  if (!found.includes(true)) return [...input];
  return texts.map((text, index) => {
    const after = redactText(text, redactor);
    return after === text ? input[index]! : (withTexts(input[index], JSON.parse(after)) as object);
  });
}

/**
 * `allow`: globs of texts that are no secrets. `names`: of people and computers, with all that is personal.
 * `known`: the marks of earlier runs, with their secrets.
 */
export function redactorOf(
  allow: readonly string[],
  names: readonly string[] | undefined,
  known?: ReadonlyMap<string, string>,
): Redactor {
  const globs = allow.map(globOf);
  const isAllowed = (text: string) => globs.some((glob) => glob.test(text));
  const secrets = withCopies(createFinder(secretRules, isAllowed), isAllowed);
  for (const [mark, secret] of known ?? []) {
    const rule = secretRules.find(({ id }) => id === NUMBERED.exec(mark)?.[1]);
    if (rule !== undefined) secrets.add(secret, rule);
  }
  if (names === undefined) return { ...createRedactor([secrets], known), learn: secrets.learn };
  const personal = createPersonalFinder(names, isAllowed);
  const learn: Redactor['learn'] = (bytes, start, end) => {
    personal.learn(bytes, start, end);
    secrets.learn(bytes, start, end);
    return true; // a name may stand without a path
  };
  return { ...createRedactor([secrets, personal], known), learn };
}

function redactText(text: string, redactor: Redactor): string {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  const sink: Sink = {
    slice: (_, start, end) => pieces.push(bytes.utf8Slice(start, end)),
    text: (mark) => pieces.push(mark),
  };
  return redactor.redact(sink, bytes, 0, bytes.length) === 0 ? text : pieces.join('');
}

/** A value with the strings of its redacted JSON. A name of a member may have changed, too. */
function withTexts(value: unknown, json: unknown): unknown {
  if (typeof value === 'string') return json;
  if (Array.isArray(value)) return value.map((item, index) => withTexts(item, (json as readonly unknown[])[index]));
  if (!isObject(value) || !isObject(json)) return value;
  const names = Object.keys(json);
  const own = Object.keys(value).filter((key) => value[key] !== undefined && typeof value[key] !== 'function');
  if (names.length !== own.length) return json; // it has a JSON of its own
  const copy = copyOf(value) as Record<string, unknown>;
  for (const [index, key] of own.entries()) {
    if (names[index] !== key) delete copy[key];
    Object.defineProperty(copy, names[index]!, {
      value: withTexts(value[key], json[names[index]!]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}
