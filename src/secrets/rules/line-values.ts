/** Values on lines of their own, as in `.env` files: they may hold commas, `&` and letters that are not in ASCII. */
import { isCode } from '../placeholder.js';

/** What stands before a line: spaces, its number, or a sign of a diff. */
export const MARGIN = '(?:[ \\t+>|:-]|\\d|\\xe2\\x86\\x92){0,24}';
/** A value without quotes ends at a space, a quote, a bracket, or a sign that ends it in most languages. */
export const SIGN = '!#-%*+\\-.\\/0-:=?@A-Z^_a-z~';

/** The bytes of a letter in UTF-8, but for signs: those that stand after a value in Chinese or Japanese, too. */
const LETTER =
  '(?:[\\xc3-\\xdf]|(?:[\\xe0\\xe1\\xe4-\\xed]|\\xe3(?!\\x80)|\\xf0[\\x90-\\xbf])[\\x80-\\xbf])[\\x80-\\xbf]';
/** No next member of a query or a call, no end of a command, and no sign as HTML spells it. */
const JOIN = `(?:,|&(?!&|(?:amp|lt|gt|quot|apos|nbsp|#\\w{1,8});))(?=[${SIGN}\\xc3-\\xf0])(?![\\w.-]{1,40}[=:])`;
const START =
  `(?:(?:^|[\\r\\n"'\`])${MARGIN}(?:(?:export|setx?|ENV|env)[ \\t]{1,4})?|` +
  `\\b(?:export|setx?|ENV)[ \\t]{1,4}|[ \\t](?:-e|--env)[ \\t=]{1,4}["']?)`;

/** The group `line`: only what another value without quotes could not hold. */
export const LINE_VALUE =
  `(?=[${SIGN}]{0,4096}[,&\\xc3-\\xf0])(?<=${START}[\\w.-]{1,80}[ \\t]{0,4}[=:][ \\t]{0,4})` +
  `(?<line>(?![:=.])(?:[${SIGN}]|${LETTER}|${JOIN}){12,4096})(?![${SIGN}])`;

/** Whether it is no list of words, numbers or paths. `whole`: from its name on. */
export function isLineSecret(value: string, whole: string): boolean {
  const pieces = value.split(/[,&\x80-\xff]+/);
  if (/^(?:~|\.{1,2})?\//.test(value) && pieces.every(isCode)) return false;
  if (/^(?:_?PASS|PWD)[A-Z0-9_]*=/.test(whole)) return /[!-~]{3}/.test(value);
  const isEnvironment = /^[A-Z_]+=/.test(whole);
  const isToken = /^token|^credential/i.test(whole);
  return pieces.some((piece) => {
    if (piece.length < SHORTEST) return !isToken && /\d/.test(piece) && /[A-Za-z]/.test(piece) && !isCode(piece);
    return /^\d+$/.test(piece) ? !isToken : isEnvironment || !isCode(piece);
  });
}

/** A value that is shorter is none by its name. */
const SHORTEST = 12;
