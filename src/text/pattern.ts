/**
 * Regular expressions of JavaScript that others wrote, matched in linear time: by RE2's method, which has no
 * lookahead and no
 * backreferences. https://github.com/google/re2/wiki/WhyRE2
 */
import { RE2JS } from 're2js';

export interface Pattern {
  test(text: string): boolean;
  /** The first match and its position. */
  find(text: string): { readonly word: string; readonly at: number } | undefined;
}

const known = new Map<string, Pattern>();

/** Throws SyntaxError, with an alternative, for an invalid pattern or one that cannot match in linear time. */
export function patternOf(source: string, flags: 'u' | 'iu'): Pattern {
  const key = `${flags} ${source}`;
  const pattern = known.get(key) ?? compiled(source, flags);
  known.set(key, pattern);
  return pattern;
}

/** Why a pattern is invalid; undefined if it is valid. */
export function faultOfPattern(source: string, flags: 'u' | 'iu'): string | undefined {
  try {
    patternOf(source, flags);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function compiled(source: string, flags: 'u' | 'iu'): Pattern {
  checkSyntax(source, flags);
  const engine = linear(translated(source), flags);
  return {
    test: (text) => engine.test(text),
    find(text) {
      const match = engine.test(text) ? engine.matcher(text) : undefined;
      return match?.find() ? { word: match.group()!, at: match.start() } : undefined;
    },
  };
}

function checkSyntax(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new SyntaxError(`not a regular expression: ${(error as Error).message.replace(/^.*: /s, '')}`);
  }
}

function linear(source: string, flags: 'u' | 'iu'): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.LOOKBEHINDS | (flags === 'iu' ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (error) {
    const what = (error as Error).message.replace(/^error parsing regexp: /, '');
    throw new SyntaxError(
      `the pattern cannot be matched in linear time (${what}); write it with counts up to 1000 and with \\p{…} ` +
        'of general categories and scripts',
    );
  }
}

// --- from JavaScript's syntax to RE2's

/** The class members of ECMAScript white space and line ends, and of all other characters. */
const SPACE = '\\t-\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const ANY = '\\x{0}-\\x{10ffff}';

/** Tokens that RE2 spells differently, outside and inside of classes. */
const OUTSIDE = new Map<string, string>([
  ['.', '[^\\n\\r\\x{2028}\\x{2029}]'],
  ['(', '(?:'], // groups are never read
  ['\\s', `[${SPACE}]`],
  ['\\S', `[^${SPACE}]`],
  ['\\0', '\\x{0}'],
]);
const INSIDE = new Map<string, string>([
  ['[', '\\['],
  ['\\s', SPACE],
  ['\\S', NO_SPACE],
  ['\\b', '\\x{8}'],
  ['\\0', '\\x{0}'],
]);

const ESCAPE = String.raw`\\u\{[^}]*\}|\\ud[89ab]..\\ud[c-f]..|\\u....|\\c.|\\x..|\\p\{[^}]*\}|\\.`;
const IN_CLASS = new RegExp(`${ESCAPE}|.`, 'gisu');
const TOKEN = new RegExp(
  `${ESCAPE}|\\[(\\^?)((?:\\\\.|[^\\]\\\\])*)\\]|\\(\\?(?:[=!]|<[^=!][^>]*>)|\\((?!\\?)|[^(]`,
  'gisu',
);

/** A valid JavaScript pattern in RE2 syntax. */
function translated(source: string): string {
  return source.replace(TOKEN, (token, not?: string, members?: string) => {
    if (members === '') return `[${not === '' ? '^' : ''}${ANY}]`; // `[]` is nothing, `[^]` anything
    if (members !== undefined) return `[${not}${members.replace(IN_CLASS, (inner) => spelled(inner, INSIDE))}]`;
    if (token === '(?=' || token === '(?!')
      throw unsupported(`a lookahead, \`${token}\``, 'what must not match stands in a pattern of its own');
    return token.startsWith('(?') ? '(?:' : spelled(token, OUTSIDE);
  });
}

function spelled(token: string, spellings: ReadonlyMap<string, string>): string {
  if (/^\\[1-9k]/.test(token)) throw unsupported(`a backreference, \`${token}\``, 'write out the alternatives');
  if (/^\\[uxc]/.test(token)) return `\\x{${pointOf(token).toString(16)}}`;
  if (/^\\p\{/i.test(token)) return token.replace(/(?:Script|sc|General_Category|gc)=/, '');
  return spellings.get(token) ?? token;
}

/** The code point of an escape. */
function pointOf(token: string): number {
  if (token.startsWith('\\c')) return token.charCodeAt(2) % 32;
  const units = token.match(/[\da-f]+/gi)!.map((digits) => Number.parseInt(digits, 16));
  return units.length === 1
    ? units[0]!
    : units
        .map((unit) => String.fromCharCode(unit))
        .join('')
        .codePointAt(0)!;
}

function unsupported(what: string, instead: string): SyntaxError {
  return new SyntaxError(`${what} is not supported, as patterns are matched in linear time: ${instead}`);
}
