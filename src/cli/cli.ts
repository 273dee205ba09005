/** argv → command → exit code. The only file that catches all errors and uses `process`. */
import { fstatSync, lstatSync, type Stats, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { CommanderError, Command as Program } from 'commander';
import { describeError, isTranscriptError, TranscriptError } from '../errors.js';
import { type SafeText, safe, shown, shownLines } from '../safe/text.js';
import { entries } from './commands/index.js';
import { type Config, loadConfig } from './config/config.js';
import { pickValues } from './context/values.js';
import { isOutputFailure, writeToStream } from './files/failures.js';
import { readerOf } from './files/input.js';
import { isClosedPipe } from './files/output.js';
import type { Command, ExitCode, Group } from './options/command.js';
import { addFlags, rewriteShorts, withEmptyTexts } from './options/flags.js';
import { folded } from './terminal/fold.js';
import { takesUtf8 } from './terminal/locale.js';
import { asciiSigns } from './terminal/signs.js';
import { type Stream, type Terminal, USUAL_WIDTH } from './terminal/terminal.js';

declare const __VERSION__: string;
/** Where bugs are reported. */
declare const __BUGS__: string;

export function main(argv: readonly string[]): Promise<ExitCode> {
  return runIn(realTerminal(), argv);
}

/** A closed pipe ends the program without an error: its reader has enough. */
export async function runIn(terminal: Terminal, argv: readonly string[]): Promise<ExitCode> {
  try {
    return await runProgram(argv, terminal);
  } catch (error) {
    if (isClosedPipe(error)) return 0;
    terminal.stderr.write(safe`ctx-trim: ${messageOf(error)}\n`);
    return 2;
  }
}

async function runProgram(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (argv[0] === 'complete') {
    await (await import('./complete.js')).complete(argv[1] ?? '', terminal);
    return 0;
  }
  if (argv[0] === 'completion' && argv[1] === 'man') {
    terminal.stdout.write(await (await import('./man.js')).manPage());
    return 0;
  }
  const words = await completeWords(argv, terminal);
  rejectFileNames(words, terminal.cwd);
  let code: ExitCode = 0;
  const program = await createProgram(words, terminal, async (command, given, options) => {
    if (given.includes('')) throw new TranscriptError('usage', (await import('./guesses.js')).NO_NAME);
    const config = await loadConfig(options['config'] as string | undefined, terminal, allOptions);
    const leave = await enterPlugins(command, options, config, terminal);
    try {
      const values = await pickValues(command.options, options, config, terminal);
      const isNamed = given.some((word) => word.startsWith('@'));
      const sessions = isNamed ? await import('./inputs/session-names.js') : undefined;
      code = await command.run(
        sessions?.pathsFor(given, values, command.takesParts === true, terminal) ?? given,
        { ...values, color: options['color'] as boolean | undefined } as never,
        terminal,
        config,
      );
    } finally {
      leave?.();
    }
  });
  try {
    const { options = {} } = (await entryOf(words[0])?.load()) ?? {};
    await program.parseAsync(withEmptyTexts(words, options), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const { usageText } = await import('./guesses.js');
    throw new TranscriptError('usage', usageText(error.message, await entryOf(words[0])?.load()));
  }
  return code;
}

/** Loads the plugins that the command line or the config names. Returns what takes them out again. */
async function enterPlugins(
  { options }: Command,
  typed: Readonly<Record<string, unknown>>,
  { defaults }: Config,
  { cwd }: Terminal,
): Promise<(() => void) | undefined> {
  const named = 'plugin' in options ? [typed['plugin'] ?? defaults['plugin'] ?? []].flat().map(String) : [];
  return named.length === 0 ? undefined : (await import('./inputs/plugins.js')).usePlugins(named, cwd);
}

const entryOf = (word: string | undefined) => entries.find(({ id }) => id === word);

/** Nothing prints help or what agents cost, `-v` and `version` the version; a file that comes first, an overview. */
async function completeWords(argv: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  const [first] = argv;
  if (first === undefined) return (await import('./guesses.js')).bareWords(terminal);
  if (first === '-v' || first === 'version') return ['--version'];
  if (first === '-' || first.startsWith('@')) return ['overview', ...argv];
  if (first === 'help' || first.startsWith('-') || entryOf(first) !== undefined) return argv;
  const stats = statsOf(resolve(terminal.cwd, first));
  if (stats?.isDirectory() === false) return ['overview', ...argv];
  const { folderAlone, unknownCommand } = await import('./guesses.js');
  const ids = entries.map(({ id }) => id);
  throw new TranscriptError('usage', stats === undefined ? unknownCommand(first, ids) : folderAlone(first));
}

/** A shell or a hook that lists files gives names as they are: a file called `--plugin=x` must not become an option. */
function rejectFileNames(words: readonly string[], cwd: string): void {
  const end = words.indexOf('--');
  const options = words.slice(0, end < 0 ? words.length : end).filter((word) => /^-./.test(word));
  const both = options.find((word) => statsOf(resolve(cwd, word), lstatSync) !== undefined);
  if (both === undefined) return;
  const what = safe`${shown(both)} is an option, and the name of a file here; `;
  throw new TranscriptError('usage', safe`${what}for the file write ${shown(`./${both}`)}, or -- before all files`);
}

function statsOf(path: string, stat: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

async function allOptions(): Promise<Command['options'][]> {
  const { loadCommands } = await import('./commands/registry.js');
  return (await loadCommands()).map(({ options }) => options);
}

type Action = (command: Command, words: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<void>;

const START = `Inspects and rewrites recorded LLM chat transcripts. Anything a command does not
change stays byte for byte the same.

Start with:
  ctx-trim session.jsonl                     format, size, cost and problems
  ctx-trim stats --tools session.jsonl       what each tool result cost
  ctx-trim check --fix --diff session.jsonl  how to fix a broken session`;

/** Loads only the command that is used; the others are only listed in help. */
async function createProgram(words: readonly string[], terminal: Terminal, action: Action): Promise<Program> {
  const program = new Program('ctx-trim');
  configure(program, terminal);
  program
    .usage('<command> [options] [files]')
    .description(START)
    .version(__VERSION__, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', '\nMore: ctx-trim <command> --help, ctx-trim --version')
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      visibleCommands: ({ commands }) => [...commands],
      visibleOptions: () => [],
    });
  const first = entryOf(words[0]);
  if (first !== undefined) addCommand(program, await first.load(), terminal, action);
  else
    for (const entry of entries) {
      if (words.includes(entry.id)) addCommand(program, await entry.load(), terminal, action);
      else program.command(entry.id).summary(entry.summary).helpGroup(heading(entry.group));
    }
  return program;
}

function heading(group: Group): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}:`;
}

function addCommand(program: Program, command: Command, terminal: Terminal, action: Action): void {
  const sub = program
    .command(command.id)
    .summary(command.summary)
    .description(command.description)
    .helpGroup(heading(command.group))
    .helpOption('-h, --help', 'print help');
  configure(sub, terminal);
  for (const word of command.words.split(' '))
    sub.argument(
      word,
      command.about ??
        (command.words.includes('files')
          ? 'files, folders or globs; stdin if omitted or -'
          : `the recording ${word.slice(1, -1)}`),
    );
  addFlags(sub, command.options, 'output' in command.options ? rewriteShorts : {});
  sub.option('--color', 'force colored output').option('--no-color', 'disable colored output');
  if (command.examples.length > 0)
    sub.addHelpText(
      'after',
      `\nExamples:\n${command.examples.map(([line, meaning]) => `  $ ${line}\n      ${meaning}`).join('\n')}`,
    );
  // commander passes the arguments (a list if there may be many), then the options, then itself
  sub.action((...given: unknown[]) =>
    action(
      command,
      given.slice(0, -2).flatMap((word) => (word ?? []) as string | string[]),
      given[given.length - 2] as Record<string, unknown>,
    ),
  );
}

/** Commander must neither exit nor write to the process's streams by itself. */
function configure(program: Program, terminal: Terminal): void {
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(shownLines(text)),
    writeErr: (text) => terminal.stderr.write(shownLines(text)),
    outputError: () => {}, // `runProgram` reports it, with a hint
    getOutHelpWidth: () => terminal.stdout.columns,
    getErrHelpWidth: () => terminal.stderr.columns,
    getOutHasColors: () => false, // help has no colors; asking process.stdout would load the network stack
    getErrHasColors: () => false,
  });
  program.configureHelp({ optionTerm: ({ flags }) => flags.replace(/ \[(.+)\]$/, '[=$1]') }); // its value follows `=`
}

function messageOf(error: unknown): SafeText {
  if (isTranscriptError(error)) return shown(describeError(error));
  const { message, stack } = error as Error;
  if (isOutputFailure(error)) return shown(message);
  if (process.env['CTX_TRIM_DEBUG']) return safe`internal error: ${shownLines(String(stack))}`;
  const where = shown(__BUGS__);
  const how = safe`please report it at ${where} (CTX_TRIM_DEBUG=1 shows where it happened)`;
  return safe`internal error: ${shown(message)}; ${how}`;
}

function realTerminal(): Terminal {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: readerOf(0),
    get stdinIsTerminal() {
      return isTerminal(0);
    },
    stdout: realStream(1),
    stderr: realStream(2),
    parquet: { forms: [], told: new Set() },
    openPager: async () => (await import('./outputs/pager.js')).openPager(process.env, onScreen),
  };
}

function onScreen(text: string): string {
  return takesUtf8(process.env) ? text : asciiSigns(text);
}

/** Writes by descriptor: `process.stdout` costs start-up time and makes pipes non-blocking. */
function realStream(fd: 1 | 2): Stream {
  const put = (bytes: Uint8Array) => {
    try {
      writeToStream(fd, fd === 1 ? 'stdout' : 'stderr', bytes);
    } catch (error) {
      if (fd === 1) throw error; // a closed stderr must not stop the work
    }
  };
  const stream: Stream = {
    get isTerminal() {
      return isTerminal(fd);
    },
    get columns() {
      const forced = Number(process.env['COLUMNS']);
      if (forced > 0) return forced;
      return (isTerminal(fd) && (fd === 1 ? process.stdout : process.stderr).columns) || USUAL_WIDTH;
    },
    write: (text) => {
      const isOnScreen = isTerminal(fd);
      const lines = fd === 2 && isOnScreen ? folded(text, stream.columns) : text;
      put(Buffer.from(isOnScreen ? onScreen(lines) : lines));
    },
    data: put,
  };
  return stream;
}

/** Loads `node:tty`, which loads half the network stack, only for what may be a terminal. */
function isTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return (
      stats.isCharacterDevice() &&
      stats.rdev !== statsOf(devNull)?.rdev &&
      (createRequire(import.meta.url)('node:tty') as typeof import('node:tty')).isatty(fd)
    );
  } catch {
    return false; // the descriptor is closed
  }
}
