/** Replaces secrets in files, and lists what kinds there were; a secret itself is never printed. */
import { resolve } from 'node:path';
import { printed } from '../../../documents/print.js';
import { redactDocument, type SecretKind } from '../../../documents/redact.js';
import { redactStream } from '../../../engine/redact/redact-stream.js';
import { TranscriptError } from '../../../errors.js';
import { safe, shown } from '../../../safe/text.js';
import type { Redactor } from '../../../secrets/redact.js';
import { grouped } from '../../../text/words.js';
import { type Input, shownName } from '../../files/input.js';
import { BufferedSink } from '../../files/output.js';
import { forEachInput, say, sayError } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import {
  createAtomic,
  inputsIntoFile,
  intoFile,
  rejectBackup,
  rejectReplacing,
  rejectStreams,
} from '../../outputs/into-file.js';
import { redactorFor } from '../../outputs/redactor.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { RedactOptions } from './options.js';

export async function runRedact(
  words: readonly string[],
  options: RedactOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.write === true) {
    if (words.length === 0 || words.includes('-'))
      throw new TranscriptError('usage', '--write needs a file, not stdin');
    rejectBackup(options.backup);
    rejectStreams(words, terminal.cwd);
  }
  const run: Run = { redactor: redactorFor(options, terminal), files: [], options, terminal };
  const good = await redactAll(words, run);
  if (good || run.files.length > 0) report(run);
  if (options.map !== undefined && good && !(await writeMap(options.map, run))) return 2;
  if (!good) return 2;
  return options.check === true && run.files.length > 0 ? 1 : 0;
}

interface Run {
  readonly redactor: Redactor;
  /** The files with secrets. */
  readonly files: { readonly name: string; readonly secrets: number }[];
  readonly options: RedactOptions;
  readonly terminal: Terminal;
}

async function redactAll(words: readonly string[], run: Run): Promise<boolean> {
  const { options, terminal } = run;
  const silently = { ...options, isSilent: true };
  if (options.write === true) return forEachInput(words, terminal, (input) => redactInPlace(input, run), silently);
  if (options.check === true) return forEachInput(words, terminal, (input) => checkInput(input, run), silently);
  if (options.output !== undefined && options.output !== '-')
    return inputsIntoFile(options.output, words, terminal, (input, sink) => void redactInto(input, run, sink), options);
  return intoFile('-', terminal, (sink) =>
    forEachInput(
      words,
      terminal,
      (input) => {
        if (sink.lastByte >= 0 && sink.lastByte !== 0x0a) sink.text('\n'); // the file before has no newline at its end
        redactInto(input, run, sink);
        sink.flush();
      },
      options,
    ),
  );
}

/** Returns whether there was a secret. */
function redactInto(input: Input, run: Run, sink: Pick<BufferedSink, 'slice' | 'text'> & { settle?(): void }): boolean {
  if (input.readOnly !== undefined) throw new TranscriptError('file', input.readOnly);
  const secrets = redactStream(input.read, run.redactor, sink, () => sink.settle?.());
  if (secrets > 0) run.files.push({ name: shownName(input.name), secrets });
  return secrets > 0;
}

async function redactInPlace(input: Input, run: Run): Promise<void> {
  rejectReplacing(input);
  const file = createAtomic(input.path!, input.name, run.terminal, input.packing ?? 'none');
  try {
    if (redactInto(input, run, file.sink)) await file.commit({ expected: input.stats!, backup: run.options.backup });
  } finally {
    file.discard();
  }
}

function checkInput(input: Input, run: Run): void {
  const sink = new BufferedSink(() => {});
  if (redactInto(input, run, sink)) run.terminal.stdout.write(safe`${shown(shownName(input.name))}\n`);
}

function report(run: Run): void {
  const { options, terminal, files } = run;
  const { format, quiet, check, write, output = '-' } = options;
  if (format === 'json') {
    const isFree = check !== true && (write === true || output !== '-');
    (isFree ? terminal.stdout : terminal.stderr).write(printed(redactDocument(files, kindsOf(run))));
  } else if (quiet !== true && check !== true) for (const line of linesOf(run)) say(terminal, line);
}

function kindsOf({ redactor }: Run): SecretKind[] {
  const kinds = new Map<string, SecretKind>();
  for (const { rule, title, count: places } of redactor.marks.values()) {
    const kind = kinds.get(rule) ?? { rule, title, marks: 0, places: 0 };
    kinds.set(rule, { ...kind, marks: kind.marks + 1, places: kind.places + places });
  }
  return [...kinds.values()];
}

/** What was replaced: `2 GitHub tokens, 1 private key`. */
function linesOf(run: Run): string[] {
  const { files } = run;
  if (files.length === 0) return ['ctx-trim: no secrets found'];
  const secrets = files.reduce((sum, file) => sum + file.secrets, 0);
  return [
    `ctx-trim: replaced ${count(secrets, 'secret')} in ${count(files.length, 'file')}`,
    ...kindsOf(run).map(({ rule, title, marks, places }) => {
      const range = marks === 1 ? `[secret:${rule}:1]` : `[secret:${rule}:1] to [secret:${rule}:${marks}]`;
      return `  ${title}: ${range}, ${count(places, 'place')}`;
    }),
  ];
}

function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

async function writeMap(path: string, { redactor, terminal }: Run): Promise<boolean> {
  const marks = Object.fromEntries([...redactor.marks].map(([mark, { secret }]) => [mark, secret]));
  const file = createAtomic(resolve(terminal.cwd, path), path, terminal);
  try {
    file.sink.text(`${JSON.stringify(marks, null, 2)}\n`);
    await file.commit({ isPrivate: true });
    return true;
  } catch (error) {
    sayError(terminal, error, path);
    return false;
  } finally {
    file.discard();
  }
}
