/** Finds what names a person or a computer: e-mail addresses, users in paths, and the names themselves. */
import type { FindSecrets, FoundSecret } from './found.js';
import { withoutOverlaps } from './overlaps.js';
import type { SecretRule } from './rule.js';
import { beforeEscape, boundaryBefore, spanIn, type View, viewsOf } from './view.js';

/** Names by their place; only `id` and `title` are used of them. */
const ruleOf = (id: string, title: string): SecretRule => ({
  id,
  title,
  anchors: [],
  pattern: /$/y,
  tier: 'candidate',
  source: 'https://gdpr-info.eu/art-4-gdpr/',
});
const EMAIL = ruleOf('email', 'E-mail address');
const NAME = ruleOf('name', 'Name of a user or computer');

const HOST = /@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g;
/** The user before the host, if it is one; views have bytes instead of letters. */
const MAILBOX = /[\w.%+\x80-\xff-]{1,64}$/;
/** The user in a home folder; also in the names of project folders of Claude Code (`-home-jane-project`). */
const HOMES = [
  /(?:\/home\/|\/{1,4}Users\/{1,4}|(?<!\\)\\Users\\(?!\\))(?<name>[\w\x80-\xff][\w.\x80-\xff-]{0,63})/g,
  /(?<!\\)\\Users\\(?<name>[^\\/:*?"<>|\r\n\t]{1,64})(?=\\)/g,
  /(?:-home-|-Users-)(?<name>[\w\x80-\xff][\w.\x80-\xff]{1,31})(?=[-\\/"'\s:,)]|$)/g,
];
/** Names that say nothing about a person, and accounts that are not a person's. */
const COMMON = new Set(
  (
    'root user users admin administrator runner ubuntu debian node app home shared public default guest test dev git ' +
    'noreply no-reply localhost vscode codespace circleci jenkins ec2-user vagrant docker build ci agent you your me ' +
    'username name'
  ).split(' '),
);

export interface PersonalFinder extends FindSecrets {
  /** Takes the names that stand in paths, to find them where they stand bare, too. */
  learn(bytes: Buffer, start: number, end: number): void;
}

/** `names`: of the user and of the computer, which are known without a path. */
export function createPersonalFinder(names: readonly string[], isAllowed: (text: string) => boolean): PersonalFinder {
  const known = new Set<string>();
  const isName = (name: string) => name.length > 0 && !COMMON.has(name.toLowerCase()) && !isAllowed(name);
  const add = (name: string) => {
    if (isName(name) && lengthOf(name) >= SHORTEST) for (const one of spellingsOf(name)) known.add(one);
  };
  names.forEach(add);

  const homesIn = (view: View) =>
    HOMES.flatMap((home) => placesIn(view.text, home))
      .filter(([from]) => !isFolderOf(known, view.text, from))
      .map((place) => foundAt(view, place, NAME))
      .filter((one) => isName(one.text) && lengthOf(one.text) >= 2);

  const inView = (view: View): readonly FoundSecret[] => {
    const { text } = view;
    const emails = emailsIn(text)
      .map(([from, to]) => foundAt(view, [from, to], EMAIL))
      .filter((one) => !isAllowed(one.text) && !COMMON.has(one.text.slice(0, one.text.indexOf('@')).toLowerCase()));
    const homes = homesIn(view);
    for (const { text: name } of homes) add(name);
    const pattern = patternOf(known);
    const own = (pattern === undefined ? [] : placesIn(text, pattern)).filter(
      ([from, to]) => !(FORMAT_WORDS.has(text.slice(from, to)) && isOfFormat(text, from, to)),
    );
    return withoutOverlaps([
      emails,
      homes.toSorted((a, b) => b.end - a.end),
      own.map(([from, to]) => foundAt(view, [beforeEscape(text, from), to], NAME)),
    ]);
  };

  const learn = (bytes: Buffer, start: number, end: number) => {
    for (const at of homesNear(bytes, start, end)) {
      const from = boundaryBefore(bytes, Math.max(start, at - NEAR_BEFORE), start);
      for (const view of viewsOf(bytes, from, Math.min(end, at + NEAR_AFTER)))
        for (const { text: name } of homesIn(view)) add(name);
    }
  };

  // of two depths, the deeper one has resolved the escapes of the other
  const find = (bytes: Buffer, start = 0, end = bytes.length) =>
    withoutOverlaps(Array.from(viewsOf(bytes, start, end), inView).reverse()).toSorted((a, b) => a.start - b.start);
  return Object.assign(find, { learn });
}

/** Where a path to a home may stand. */
function homesNear(bytes: Buffer, start: number, end: number): number[] {
  const places: number[] = [];
  for (const mark of ['home', 'Users'].map((word) => Buffer.from(word)))
    for (let at = bytes.indexOf(mark, start); at >= 0 && at < end; at = bytes.indexOf(mark, at + 1)) places.push(at);
  return places;
}

/** Bytes around `home` in a path: the slash before it, and the name behind it, with escapes. */
const NEAR_BEFORE = 32;
const NEAR_AFTER = 400;

/** Names of accounts that are words of formats, too. */
const FORMAT_WORDS = new Set(
  (
    'max min text role type model tool content input output call claude codex gemini gpt openai anthropic message ' +
    'messages system assistant function result error status session stop token tokens cache image file data source ' +
    'index time state value values object json code item items part parts last total summary title version kind'
  ).split(' '),
);
/** Members whose values are words of a format, or names of models. */
const OF_FORMAT = new RegExp(
  `(?:${[
    'model|modelId|model_id|modelVersion|modelID|providerID|provider|type|subtype|role|kind|object|status|state',
    'finish_reason|finishReason|stop_reason|stopReason|originator|source|event|op',
  ].join('|')})\\\\*"\\s*:\\s*\\\\*"$`,
);

/** Whether the text at a place is in the name of a member, or in a value that formats know. */
function isOfFormat(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - LONGEST_NAME), from);
  const after = text.slice(to, to + LONGEST_NAME);
  const start = before.lastIndexOf('"') + 1;
  const end = after.indexOf('"');
  if (start === 0 || end < 0) return false;
  return /^\s*:/.test(after.slice(end + 1)) || OF_FORMAT.test(before.slice(0, start));
}

/** Bytes on each side: a member's name, or a value and the name before it. */
const LONGEST_NAME = 100;
const SHORTEST = 3;
type Place = readonly [from: number, to: number];

/** Claude Code writes folders with hyphens for all that is no letter or digit. */
function spellingsOf(name: string): readonly string[] {
  return [name, name.replace(/[^A-Za-z0-9]/g, '-')].filter((one) => /[^-]/.test(one));
}

/** A sign of Chinese says as much as a few letters. */
function lengthOf(name: string): number {
  return Buffer.byteLength(name) - (name.match(/[\x80-\u07ff]/g)?.length ?? 0);
}

function foundAt(view: View, [from, to]: Place, rule: SecretRule): FoundSecret {
  return { rule, ...spanIn(view, from, to), text: utf8(view.text.slice(from, to)) };
}

function emailsIn(text: string): readonly Place[] {
  return Array.from(text.matchAll(HOST)).flatMap((host): Place[] => {
    const before = MAILBOX.exec(text.slice(Math.max(0, host.index - 64), host.index))?.[0];
    if (before === undefined) return [];
    const mailbox = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.%+-]*$/u.exec(utf8(before))?.[0];
    if (mailbox === undefined) return [];
    const from = host.index - Buffer.byteLength(mailbox);
    // of `\\n@decorator`, the letter is of the escape
    if (text[from - 1] === '\\' && /^[bfnrt]$/.test(mailbox)) return [];
    return [[beforeEscape(text, from), host.index + host[0].length]];
  });
}

/** Places of names, up to the first sign that is none of a name. */
function placesIn(text: string, pattern: RegExp): readonly Place[] {
  return Array.from(text.matchAll(pattern), (match): Place => {
    const name = match.groups?.['name'] ?? match[0];
    const from = match.index + match[0].length - name.length;
    const clean = /^(?:[\p{L}\p{M}\p{N}_. -]*[\p{L}\p{M}\p{N}_-])?/u.exec(utf8(name))![0];
    return [from, from + Buffer.byteLength(clean)];
  });
}

/** Whether a known name stands there: in `-home-mary-jane-project` the name may have hyphens. */
function isFolderOf(known: ReadonlySet<string>, text: string, from: number): boolean {
  if (text[from - 1] !== '-') return false;
  return [...known].some((name) => name.includes('-') && text.startsWith(`${latin1(name)}`, from));
}

/** The names as words. */
function patternOf(names: ReadonlySet<string>): RegExp | undefined {
  if (names.size === 0) return undefined;
  const spelled = [...names]
    .map(latin1)
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.\\+*?^$()[\]{}|-]/g, '\\$&'));
  return new RegExp(`(?<![A-Za-z0-9])(?:${spelled.join('|')})(?![A-Za-z0-9])`, 'g');
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').utf8Slice();
}

function latin1(text: string): string {
  return Buffer.from(text).latin1Slice();
}
