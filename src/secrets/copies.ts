/**
 * Copies of secrets: what its name or its place shows to be one stands elsewhere without them, perhaps in another
 * spelling. Only texts that look drawn are searched for: a password that is a word stands for other things, too.
 */
import { greatest } from '../lists.js';
import { createFinder } from './find.js';
import type { FindSecrets, FoundSecret } from './found.js';
import { withoutOverlaps } from './overlaps.js';
import { isCode, isPlaceholder } from './placeholder.js';
import type { SecretRule } from './rule.js';

export interface CopyFinder extends FindSecrets {
  /** Takes the secrets of bytes, to find their copies later; returns whether there are any. */
  learn(bytes: Buffer, start: number, end: number): boolean;
  /** Takes a secret of an earlier run. */
  add(text: string, rule: SecretRule): void;
}

/** Finds what `find` does, and copies of all that it found so far. */
export function withCopies(find: FindSecrets, isAllowed: (text: string) => boolean): CopyFinder {
  const known = new Map<string, SecretRule>();
  let copies: FindSecrets | undefined;
  const add = (text: string, rule: SecretRule) => {
    for (const one of textsOf(text, rule)) {
      if (known.size >= MOST || known.has(one) || !isTelling(one) || isWholeIn(one, find)) continue;
      known.set(one, rule);
      copies = undefined;
    }
  };
  const learn = (found: readonly FoundSecret[]) => {
    for (const { text, rule } of found) add(text, rule);
    return found;
  };
  const search = (bytes: Buffer, start = 0, end = bytes.length) => {
    const found = learn(find(bytes, start, end));
    if (known.size === 0) return [...found];
    copies ??= createFinder(rulesOf(known), isAllowed);
    return [...withoutOverlaps([found, copies(bytes, start, end)])];
  };
  return Object.assign(search, {
    learn: (bytes: Buffer, start: number, end: number) => learn(find(bytes, start, end)).length > 0,
    add,
  });
}

/** Time grows with the number of secrets that are looked for. */
const MOST = 256;

/** What stands elsewhere: the secret without its percent-encoding, a value of a cookie, the password of a pair. */
function textsOf(text: string, { id }: SecretRule): readonly string[] {
  if (id === 'session-cookie') return text.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  if (!/^(?:basic|registry)-credentials$/.test(id)) return text.includes('%') ? [text, withoutPercents(text)] : [text];
  const pair = Buffer.from(text, 'base64').toString();
  return [text, pair.slice(pair.indexOf(':') + 1)];
}

function withoutPercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Ids of calls, messages and sessions: a name may call one a token, and they must stay the same. */
const ID = /^(?:toolu|call|msg|resp|chatcmpl|fc|rs|req|run|thread|ses|item|gen)[_-]/;

/** Whether a text is one wherever it stands. */
function isTelling(text: string): boolean {
  if (!/^[^\s\p{C}]{8,4096}$/u.test(text) || text.search(RUN) < 0 || ID.test(text) || UUID.test(text)) return false;
  if (isPlaceholder(text) || isCode(text)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length;
  const turns = text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return kinds > 2 || turns > 2;
}

/** Whether its form shows it wherever it stands. */
function isWholeIn(text: string, find: FindSecrets): boolean {
  return find(Buffer.from(text))[0]?.text === text;
}

/** The letters of a secret that are searched first. */
const RUN = /[A-Za-z0-9]{4,}/g;

/** A rule for all secrets of one kind with the same letters. */
function rulesOf(known: ReadonlyMap<string, SecretRule>): SecretRule[] {
  const groups = new Map<string, { anchor: string; rule: SecretRule; texts: string[] }>();
  for (const [text, rule] of known) {
    const anchor = text.match(RUN)!.reduce((one, other) => (other.length > one.length ? other : one));
    const key = `${rule.id} ${anchor}`;
    const group = groups.get(key) ?? { anchor, rule, texts: [] };
    group.texts.push(Buffer.from(text).latin1Slice());
    groups.set(key, group);
  }
  return [...groups.values()].map(({ anchor, rule: { id, title, source }, texts }) => ({
    id,
    title,
    tier: 'definite',
    source,
    anchors: [anchor],
    lead: greatest(texts.map((text) => text.indexOf(anchor))) * LONGEST_SIGN,
    pattern: new RegExp(
      `(?:${texts
        .toSorted((a, b) => b.length - a.length)
        .map(literal)
        .join('|')})(?![A-Za-z0-9])`,
      'y',
    ),
    isSecret: () => true,
  }));
}

/** Bytes of a sign that is spelled as an escape: `\\\\u0040`. */
const LONGEST_SIGN = 8;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
