/** Recognizes the text of an error, for results whose format has no error flag. */
import { once } from '../once.js';

/**
 * Matches failed results in formats without an error flag: tools that answer `Error: …`, shells (exit codes, `command
 * not found`), HTTP, and JSON with a top-level error. Each pattern was tested on recordings.
 */
export const ERROR_PATTERNS: readonly string[] = [
  // by the first word: `Error: …`, `[ERROR] …`, `ValueError: …`, `❌ Failed to …`
  '^[^\\p{L}\\p{N}{]*(?:<[\\w-]+>\\s*)?(?:an? )?(?:(?:[\\w.]*(?:error|exception)|fatal|panic|failure|failed|错误' +
    '|失败|出错|エラー|失敗)(?:\\s*\\w*)?\\s*[:：\\]]|error(?:s)? (?:while|during|in|executing|running|calling|occurred' +
    '|invoking|reading|fetching|processing)|(?:tool|request|command|execution) (?:error|failed|timed out)' +
    '|(?:failed|unable) to |traceback \\(most recent call last\\)|错误|エラー)',
  '^\\s*<(?:[\\w-]*error)>',
  '^\\s*(?:e[a-z]{3,14}: |error\\s*$|command aborted|\\d+ validation errors?\\b)',
  'fix the errors and try again\\.\\s*$',
  '^\\s*(?:http(?:/\\d(?:\\.\\d)?)?\\s+)?(?:error\\s+)?[45]\\d\\d\\s+(?:bad request|unauthorized' +
    '|payment required|forbidden|not found|method not allowed|conflict|gone|unprocessable|too many requests' +
    '|internal server error|bad gateway|service unavailable|gateway time-?out)',
  // by a member of the outermost object
  '^\\s*\\{[^{}\\[\\]]*"(?:error|errors|error_message|errormessage|exception)"\\s*:\\s*(?:"[^"]|\\{\\s*"' +
    '|\\[\\s*["{]|true)',
  '^\\s*\\{[^{}\\[\\]]*"(?:success|ok)"\\s*:\\s*false',
  '^\\s*\\{[^{}\\[\\]]*"is_?error"\\s*:\\s*true',
  '^\\s*\\{[^{}\\[\\]]*"status"\\s*:\\s*"(?:error|failed|failure)"',
  // by a nonzero exit code of a shell
  '(?:^|\\n|[({\\[,;])\\s*"?(?:(?:process |command )?exited with (?:code|status)|exit[ _]?(?:code|status)' +
    '|return[ _]?code)"?\\s*[:=]?\\s*-?[1-9]',
  '<returncode>\\s*-?[1-9]',
  '^[^\\n]*: (?:command not found|no such file or directory|permission denied)\\s*$',
];

/** Errors are at the beginning of a result or, for shells, at its end: this many characters of each. */
const ERROR_ENDS = 400;
/** So many bytes spell such an end in JSON, if it is ASCII: text beyond ASCII may always look like an error. */
const BYTES = 2 * ERROR_ENDS + 10;

/** The beginning and end of a result, to search for errors. */
export function errorExcerpt(text: string): string {
  return text.length <= 2 * ERROR_ENDS ? text : `${text.slice(0, ERROR_ENDS)}\n${text.slice(-ERROR_ENDS)}`;
}

/** Dotted lines, bars and indentation say nothing, and the patterns would go through long ones again and again. */
const LONG_RUN = /([\s._=-])\1{3,}/g;

/** Spaces, also as JSON spells them. */
const SPACES = '(?:\\s|\\\\[nrtf])*';
/**
 * What every error holds, also as it is spelled in JSON: letters may be wide or escaped there. To compile the patterns
 * takes longer than a short run of the program. These are apart: V8 searches for few words in half the time.
 */
const CLUES = [
  /error|fail|fatal|panic|denied/i,
  /exit|exception|unable to|traceback|timed out|aborted|return[ _]?code|not found|no such/i,
  new RegExp(`^${SPACES}(?:(?:http[\\\\\\d/.]{0,8}${SPACES})?[45]\\d\\d(?:\\s|\\\\)|e[a-z]{3,14}: )`, 'i'),
  /"(?:success|ok)\\?"|\\u/i,
  /[\x80-\uffff]/,
];
/** Nearly all errors of tools begin so, which the first pattern matches too. */
const PLAIN = /^\w{0,40}(?:error|exception):/i;

/**
 * For texts in lower case: V8 takes half as long to compile them as without regard to case. Those for the beginning
 * apart: it tries them there only.
 */
const patterns = once(() => {
  const anyOf = (some: readonly string[]) => new RegExp(some.map((pattern) => `(?:${pattern})`).join('|'), 'u');
  const isForBeginning = (pattern: string) => pattern.startsWith('^');
  return {
    beginning: anyOf(ERROR_PATTERNS.filter(isForBeginning)),
    elsewhere: anyOf(ERROR_PATTERNS.filter((pattern) => !isForBeginning(pattern))),
  };
});

/** Whether a result reads like an error. Matches without regard to case and to the width of letters. */
export function looksLikeError(text: string): boolean {
  const excerpt = errorExcerpt(text);
  return mayLookLikeError(excerpt) && (PLAIN.test(excerpt) || matchesError(excerpt));
}

/** Whether a text that begins and ends so, as it is or as JSON spells it, may look like an error. */
export function mayLookLikeError(ends: string): boolean {
  return CLUES.some((clue) => clue.test(ends));
}

/** Whether a pattern matches the beginning or end of a result. */
export function matchesError(excerpt: string): boolean {
  const short = excerpt.normalize('NFKC').toLowerCase().replace(LONG_RUN, '$1$1$1');
  const { beginning, elsewhere } = patterns();
  return beginning.test(short) || elsewhere.test(short);
}

/** Asks a text, which JSON may spell, whether it reads like an error. */
export const ERROR_SAYING = { bytes: BYTES, characters: ERROR_ENDS, may: mayLookLikeError, says: looksLikeError };
