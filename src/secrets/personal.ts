/** Finds what names a person or a computer: e-mail addresses, users in paths, and the names themselves. */
import type { FindSecrets, FoundSecret } from './find.js';
import type { SecretRule } from './rule.js';

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

const ADDRESS = /[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g;
/** The user in a home folder; also in the names of project folders of Claude Code (`-home-jane-project`). */
const HOME =
  /(?:\/home\/|\/Users\/|[\\/]{1,8}Users[\\/]{1,8}|-home-|-Users-)(?<name>[A-Za-z0-9_][\w.]{1,31})(?=[-\\/"'\s:,)]|$)/g;
/** Names that say nothing about a person, and accounts that are not a person's. */
const COMMON = new Set(
  (
    'root user users admin administrator runner ubuntu debian node app home shared public default guest test dev git ' +
    'noreply no-reply localhost vscode codespace circleci jenkins ec2-user vagrant docker build ci agent you your me ' +
    'username name'
  ).split(' '),
);

/** `names`: of the user and of the computer, which are known without a path. */
export function createPersonalFinder(names: readonly string[], isAllowed: (text: string) => boolean): FindSecrets {
  const known = new Set<string>();
  const add = (name: string) => {
    const before = known.size;
    if (name.length >= SHORTEST && !COMMON.has(name.toLowerCase()) && !isAllowed(name)) known.add(name);
    return known.size > before;
  };
  names.forEach(add);
  let pattern = patternOf(known);

  return (bytes, start = 0, end = bytes.length) => {
    const text = bytes.latin1Slice(start, end);
    let isNew = false;
    for (const match of text.matchAll(HOME)) if (add(match.groups!['name']!)) isNew = true;
    if (isNew) pattern = patternOf(known);
    const emails = found(text, ADDRESS, EMAIL, start).filter(
      (one) => !isAllowed(one.text) && !COMMON.has(one.text.slice(0, one.text.indexOf('@')).toLowerCase()),
    );
    const own = pattern === undefined ? [] : found(text, pattern, NAME, start);
    const free = own.filter((name) => !emails.some((email) => email.start < name.end && name.start < email.end));
    return [...emails, ...free].sort((a, b) => a.start - b.start);
  };
}

const SHORTEST = 3;

/** The names as words. A letter before may be that of an escape (`\n`). */
function patternOf(names: ReadonlySet<string>): RegExp | undefined {
  if (names.size === 0) return undefined;
  const spelled = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.\\+*?^$()[\]{}|-]/g, '\\$&'));
  return new RegExp(`(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))(?:${spelled.join('|')})(?![A-Za-z0-9])`, 'g');
}

function found(text: string, pattern: RegExp, rule: SecretRule, offset: number): FoundSecret[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    rule,
    start: offset + match.index,
    end: offset + match.index + match[0].length,
    text: match[0],
  }));
}
