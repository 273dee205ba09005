/** What is meant where no command is named, or one that does not exist. Loaded only then. */

import { isTranscriptError } from '../errors.js';
import type { Read } from '../json/rows.js';
import type { Options } from '../options/option.js';
import { kebab } from '../options/parse.js';
import { nearest } from '../text/nearest.js';
import type { Command } from './options/command.js';
import { findSessions } from './sessions/sessions.js';
import type { Terminal } from './terminal/terminal.js';

/** What people type for a command under another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...named('show', 'view open cat read print less'),
  ...named('sessions', 'ls list logs history'),
  ...named('overview', 'info inspect describe summary about'),
  ...named('stats', 'cost costs tokens token usage count size spend'),
  ...named('check', 'validate lint verify doctor test ci'),
  ...named('check --fix', 'fix heal autofix'),
  ...named('patch', 'repair mend close'),
  ...named('filter', 'trim keep limit last drop tail'),
  ...named('truncate', 'cut shorten clip max-length'),
  ...named('fit', 'compact compress shrink budget window'),
  ...named('dedupe', 'dedup deduplicate duplicates unique'),
  ...named('stale', 'outdated superseded obsolete reread'),
  ...named('retries', 'failures failed attempts errors'),
  ...named('prune', 'clean strip-images remove'),
  ...named('strip', 'retry'),
  ...named('convert', 'export import to translate transform'),
  ...named('diff', 'compare'),
  ...named('formats', 'detect identify format'),
  ...named('prices', 'price pricing models model'),
  ...named('simulate', 'replay predict forecast plan sweep'),
  ...named('run', 'pipeline pipe apply'),
  ...named('inject', 'prompt append'),
  ...named('rules', 'explain rule'),
  ...named('audit', 'abuse misuse'),
};

function named(command: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, command]));
}

/** A message for a first word that is neither a command nor a file. */
export function unknownCommand(word: string, ids: readonly string[]): string {
  if (/[./\\]/.test(word)) return `\`${word}\` is neither a command nor a file (ctx-trim --help lists the commands)`;
  const lower = word.toLowerCase();
  const known = Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
  const guess = known ?? ids.find((id) => id === lower) ?? nearestCommand(lower, ids);
  return guess === undefined
    ? `unknown command \`${word}\` (ctx-trim --help lists the commands)`
    : `unknown command \`${word}\`; did you mean \`ctx-trim ${guess}\`?`;
}

function nearestCommand(word: string, ids: readonly string[]): string | undefined {
  const [near] = nearest(word, [...ids, ...Object.keys(OTHER_NAMES)]);
  return near === undefined ? undefined : (OTHER_NAMES[near] ?? near);
}

/** A folder needs a command. */
export function folderAlone(word: string): string {
  return `\`${word}\` is a folder; name a command, such as \`ctx-trim check ${word}\` or \`ctx-trim stats ${word}\``;
}

/** What people type for an option, and what to use instead: the first list of options that the command has. */
const OTHER_OPTIONS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '--json': [['--format json']],
  '--csv': [['--format csv']],
  '--markdown': [['--format markdown']],
  '--md': [['--format markdown']],
  '--dry-run': [['--diff', '--check'], ['--diff']],
  '--preview': [['--diff']],
  '--in-place': [['--write'], ['--fix']],
  '--inplace': [['--write'], ['--fix']],
  '-i': [['--write'], ['--fix']],
  '--save': [['--write'], ['--fix']],
  '--out': [['--output']],
  '--silent': [['--quiet']],
  '--language': [['--lang']],
  '--last': [['--max-tool-calls']],
  '--keep-last': [['--max-tool-calls']],
  '--limit': [['--max-tool-calls'], ['--max-tokens'], ['--max-length'], ['--top']],
  '--group-by': [['--by']],
  '--debug': [['--verbose']],
  '--api': [['--provider']],
  '--target': [['--to']],
};

/** An error message of commander on one line, with what to use instead and whose help to read. */
export function usageText(message: string, command: Command | undefined): string {
  const text = message
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ');
  if (command === undefined) return `${text} (ctx-trim --help lists the commands)`;
  const [, flag] = /^unknown option '(-[^'=]+)/.exec(text) ?? [];
  const instead = flag === undefined ? undefined : insteadOf(flag, command.options);
  const hint = instead === undefined ? text : `unknown option '${flag}'; ${instead}`;
  return `${hint} (see ctx-trim ${command.id} --help)`;
}

/** `use --diff or --check`, in options that the command has; undefined if none fits. */
function insteadOf(flag: string, options: Options): string | undefined {
  const lists = Object.hasOwn(OTHER_OPTIONS, flag) ? OTHER_OPTIONS[flag]! : [];
  const list = lists.find((flags) => flags.every((text) => hasFlag(text, options)));
  return list && `use ${list.map((text) => withNeeded(text, options)).join(' or ')}`;
}

function hasFlag(text: string, options: Options): boolean {
  const [flag, value] = text.split(' ');
  const option = optionNamed(flag!, options);
  if (option === undefined) return false;
  return value === undefined || (option.type === 'choice' && option.choices.includes(value));
}

/** With the option without which it has no effect: `--diff --format json`. */
function withNeeded(text: string, options: Options): string {
  const [needed] = optionNamed(text.split(' ')[0]!, options)?.needs ?? [];
  return needed !== undefined && /^\w+$/.test(needed) ? `--${kebab(needed)} ${text}` : text;
}

function optionNamed(flag: string, options: Options) {
  return Object.entries(options).find(([key]) => `--${kebab(key)}` === flag)?.[1];
}

/**
 * Without arguments: an overview of what is piped in; what the agents cost, for somebody at a terminal who has sessions
 * of agents; else help.
 */
export function bareWords(terminal: Terminal): readonly string[] {
  const { stdinIsTerminal, stdout, env } = terminal;
  if (!stdinIsTerminal) return hasInput(terminal) ? ['overview', '-'] : ['--help'];
  return stdout.isTerminal && findSessions(env).length > 0 ? ['stats'] : ['--help'];
}

/** Waits for the first byte of stdin, which is then read again. */
function hasInput(terminal: Terminal): boolean {
  const { stdin } = terminal;
  const first = Buffer.alloc(1);
  try {
    if (stdin(first, 0, 1) === 0) return false;
  } catch (error) {
    if (isTranscriptError(error)) return false; // a closed descriptor, or a folder
    throw error;
  }
  let isGiven = false;
  const again: Read = (buffer, at, length) => {
    if (isGiven || length === 0) return stdin(buffer, at, length);
    isGiven = true;
    return first.copy(buffer, at);
  };
  Object.assign(terminal, { stdin: again });
  return true;
}

/** The path of nothing is that of the working directory: `--write "$file"` would rewrite all files in it. */
export const NO_NAME = 'an argument is empty, as of a variable that is not set; name a file, or `.` for this folder';
