/** argv → command → exit code: the one catch, and the one place that knows `process`. */
import { fstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CommanderError, Command as Program } from 'commander';
import type { Command, ExitCode } from './commands/command.js';
import { type CommandEntry, entries } from './commands/index.js';
import { loadConfig } from './commands/shared/config.js';
import { addFlags } from './commands/shared/flags.js';
import { rewriteShorts } from './commands/shared/options.js';
import { pickValues } from './commands/shared/values.js';
import { describeError, isTranscriptError } from './errors.js';
import { isOutputFailure, writeToStream } from './io/failures.js';
import { readerOf } from './io/input.js';
import { isClosedPipe } from './io/output.js';
import { type Stream, type Terminal, USUAL_WIDTH } from './io/terminal.js';
import { type SafeText, safe, shown, shownLines } from './safe/text.js';

declare const __VERSION__: string;
/** Where bugs are reported. */
declare const __BUGS__: string;

export function main(argv: readonly string[]): Promise<ExitCode> {
  return runIn(realTerminal(), argv);
}

/** A closed pipe ends the program quietly: whoever read it has enough. */
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
  let code: ExitCode = 0;
  const program = await createProgram(argv, terminal, async (command, words, options) => {
    const config = await loadConfig(options['config'] as string | undefined, terminal, allOptions);
    const values = await pickValues(command.options, options, config, terminal);
    code = await command.run(
      words,
      { ...values, color: options['color'] as boolean | undefined } as never,
      terminal,
      config,
    );
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return code;
}

async function allOptions(): Promise<Command['options'][]> {
  const { loadCommands } = await import('./commands/registry.js');
  return (await loadCommands()).map(({ options }) => options);
}

type Action = (command: Command, words: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<void>;

/** Only the command that is named is loaded; the others are made only where help may list them. */
async function createProgram(argv: readonly string[], terminal: Terminal, action: Action): Promise<Program> {
  const program = new Program('ctx-trim');
  configure(program, terminal);
  program
    .description(
      'Inspects and rewrites recorded LLM chat transcripts, without losing a byte that nothing meant to change.',
    )
    .version(__VERSION__, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command');
  const isFirst = entries.some(({ id }) => id === argv[0]);
  for (const entry of entries) {
    if (isFirst ? entry.id === argv[0] : argv.includes(entry.id))
      addCommand(program, await entry.load(), terminal, action);
    else if (!isFirst) addName(program, entry);
  }
  return program;
}

/** A command as help lists it: what is run is made by `addCommand`. */
function addName(program: Program, { id, summary, words }: CommandEntry): void {
  const sub = program.command(id).summary(summary);
  for (const word of words.split(' ')) sub.argument(word);
}

function addCommand(program: Program, command: Command, terminal: Terminal, action: Action): void {
  const sub = program
    .command(command.id)
    .summary(command.summary)
    .description(command.description)
    .helpOption('-h, --help', 'print help');
  configure(sub, terminal);
  for (const word of command.words.split(' '))
    sub.argument(
      word,
      command.about ??
        (command.words.includes('files')
          ? 'files, folders or globs; - or nothing is stdin'
          : `the recording ${word.slice(1, -1)}`),
    );
  addFlags(sub, command.options, 'output' in command.options ? rewriteShorts : {});
  sub.option('--color', 'colour, even where no terminal is').option('--no-color', 'no colour');
  if (command.examples.length > 0)
    sub.addHelpText(
      'after',
      `\nExamples:\n${command.examples.map(([line, meaning]) => `  $ ${line}\n      ${meaning}`).join('\n')}`,
    );
  // commander hands over the words (a list where there may be many), then the options, then itself
  sub.action((...given: unknown[]) =>
    action(command, given.slice(0, -2).flat() as string[], given[given.length - 2] as Record<string, unknown>),
  );
}

/** One clear line for what commander finds wrong, and no exit of its own. */
function configure(program: Program, terminal: Terminal): void {
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(shownLines(text)),
    writeErr: (text) => terminal.stderr.write(shownLines(text)),
    outputError: (text, write) =>
      write(
        `ctx-trim: ${text
          .trim()
          .replace(/^error: /, '')
          .replace(/\s*\n\s*/g, ' ')} (ctx-trim --help lists everything)\n`,
      ),
    getOutHelpWidth: () => terminal.stdout.columns,
    getErrHelpWidth: () => terminal.stderr.columns,
    getOutHasColors: () => false, // help has none; asking process.stdout would load the network stack
    getErrHasColors: () => false,
  });
  program.configureHelp({ optionTerm: ({ flags }) => flags.replace(/ \[(.+)\]$/, '[=$1]') }); // a word behind it is a file
}

function messageOf(error: unknown): SafeText {
  if (isTranscriptError(error)) return shown(describeError(error));
  const { message, stack } = error as Error;
  if (isOutputFailure(error)) return shown(message);
  if (process.env['CTX_TRIM_DEBUG']) return safe`internal error: ${shownLines(String(stack))}`;
  const where = shown(__BUGS__);
  return safe`internal error: ${shown(message)}; please report it at ${where} (CTX_TRIM_DEBUG=1 shows where it happened)`;
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
  };
}

/** Written to by descriptor: `process.stdout` costs start-up time, and would make pipes non-blocking. */
function realStream(fd: 1 | 2): Stream {
  const put = (bytes: Uint8Array) => {
    try {
      writeToStream(fd, fd === 1 ? 'stdout' : 'stderr', bytes);
    } catch (error) {
      if (fd === 1) throw error; // that nobody takes what is said must not stop what is done
    }
  };
  return {
    get isTerminal() {
      return isTerminal(fd);
    },
    get columns() {
      const forced = Number(process.env['COLUMNS']);
      if (forced > 0) return forced;
      return (isTerminal(fd) && (fd === 1 ? process.stdout : process.stderr).columns) || USUAL_WIDTH;
    },
    write: (text) => put(Buffer.from(text)),
    data: put,
  };
}

/** `node:tty` loads half the network stack: it is asked only where a terminal is possible at all, and only by who wants to know: `/dev/null` could be one. */
function isTerminal(fd: number): boolean {
  try {
    return (
      fstatSync(fd).isCharacterDevice() &&
      (createRequire(import.meta.url)('node:tty') as typeof import('node:tty')).isatty(fd)
    );
  } catch {
    return false; // the descriptor is closed
  }
}
