/** Replaces secrets in files, and lists what kinds there were; a secret itself is never printed. */
import { printed } from '../../../documents/print.js';
import { redactDocument, type SecretKind } from '../../../documents/redact.js';
import { learnFirst } from '../../../engine/redact/learn-first.js';
import { redactStream, WINDOW } from '../../../engine/redact/redact-stream.js';
import { TranscriptError } from '../../../errors.js';
import { safe, shown } from '../../../safe/text.js';
import { NUMBERED, type Redactor } from '../../../secrets/redact.js';
import { countUnsearched, UNSEARCHED, type UnsearchedKind } from '../../../secrets/unsearched.js';
import { grouped } from '../../../text/words.js';
import { type Input, shownName } from '../../files/input.js';
import { BufferedSink } from '../../files/output.js';
import { forEachInput, inputsIn, say, sayError } from '../../inputs/reading.js';
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
import { type MarkMap, openMap } from './map.js';
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
  const map = options.map === undefined ? undefined : openMap(options.map, options.output, terminal);
  const redactor = redactorFor({ ...options, known: map?.known }, terminal);
  const run: Run = { redactor, map, files: [], unsearched: new Map(), options, terminal };
  const good = await redactAll(words, run);
  if (good || run.files.length > 0) report(run);
  for (const mark of redactor.ambiguous)
    say(terminal, `ctx-trim: warning: ${mark} stood in an input before, for another secret`);
  const isMapped = await closeMap(run);
  if (!good || !isMapped) return 2;
  return options.check === true && run.files.length > 0 ? 1 : 0;
}

interface Run {
  readonly redactor: Redactor;
  readonly map: MarkMap | undefined;
  /** The files with secrets. */
  readonly files: { readonly name: string; readonly secrets: number }[];
  readonly unsearched: Map<UnsearchedKind, number>;
  readonly options: RedactOptions;
  readonly terminal: Terminal;
}

async function redactAll(words: readonly string[], run: Run): Promise<boolean> {
  const { options, terminal } = run;
  const find = async (names: readonly string[]) => {
    const inputs = await inputsIn(names, terminal);
    run.map?.rejectAmong(inputs);
    return inputs;
  };
  const silently = { ...options, isSilent: true, find };
  if (options.write === true) return forEachInput(words, terminal, (input) => redactInPlace(input, run), silently);
  if (options.check === true) return forEachInput(words, terminal, (input) => checkInput(input, run), silently);
  if (options.output !== undefined && options.output !== '-')
    return inputsIntoFile(options.output, words, terminal, (input, sink) => void redactInto(input, run, sink), {
      ...options,
      find,
    });
  return intoFile('-', terminal, (sink) =>
    forEachInput(
      words,
      terminal,
      (input) => {
        if (sink.lastByte >= 0 && sink.lastByte !== 0x0a) sink.text('\n'); // the file before has no newline at its end
        redactInto(input, run, sink);
        sink.flush();
      },
      { ...options, find },
    ),
  );
}

/** Returns whether there was a secret. */
function redactInto(input: Input, run: Run, sink: Pick<BufferedSink, 'slice' | 'text'> & { settle?(): void }): boolean {
  if (input.readOnly !== undefined) throw new TranscriptError('file', input.readOnly);
  const { redactor, options } = run;
  const isShort = options.personal !== true && (input.fileBytes?.length ?? WINDOW) < WINDOW; // it is one window
  const { read, isClean } = isShort
    ? { read: input.read, isClean: false }
    : learnFirst(input.read, input.reread, redactor, () => sayLeft(input, run));
  const redact: Redactor['redact'] = (to, bytes, start, end) => {
    countUnsearched(run.unsearched, bytes, { start, end });
    return isClean ? redactor.pass(to, bytes, start, end) : redactor.redact(to, bytes, start, end);
  };
  const secrets = redactStream(read, { redact }, sink, () => sink.settle?.());
  if (secrets > 0) run.files.push({ name: shownName(input.name), secrets });
  return secrets > 0;
}

function sayLeft({ name }: Input, { terminal }: Run): void {
  const why = 'it is too long to hold in memory: a secret or a name may stay where only a later line gives it away';
  say(terminal, safe`ctx-trim: warning: ${shown(shownName(name))}: ${shown(why)}`);
}

async function redactInPlace(input: Input, run: Run): Promise<void> {
  rejectReplacing(input);
  const file = createAtomic(input.path!, input.name, run.terminal, input.packing ?? 'none');
  try {
    if (!redactInto(input, run, file.sink)) return;
    await run.map?.save(run.redactor.marks);
    await file.commit({ expected: input.stats!, backup: run.options.backup });
  } finally {
    file.discard();
  }
}

function checkInput(input: Input, run: Run): void {
  const sink = new BufferedSink(() => {});
  if (redactInto(input, run, sink)) run.terminal.stdout.write(safe`${shown(shownName(input.name))}\n`);
}

function report(run: Run): void {
  const { options, terminal, files, unsearched } = run;
  const { format, quiet, check, write, output = '-' } = options;
  if (format === 'json') {
    const isFree = check !== true && (write === true || output !== '-');
    (isFree ? terminal.stdout : terminal.stderr).write(
      printed(redactDocument({ files, kinds: kindsOf(run), unsearched })),
    );
  } else if (quiet !== true)
    for (const line of [...(check === true ? [] : linesOf(run)), ...unsearchedLines(run)]) say(terminal, line);
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
    ...kindsOf(run).map(({ rule, title, places }) => `  ${title}: ${rangesOf(rule, run)}, ${count(places, 'place')}`),
  ];
}

/** `not searched: 2 images, 1 PDF file` */
function unsearchedLines({ unsearched }: Run): string[] {
  const counts = UNSEARCHED.flatMap((kind) => (unsearched.has(kind) ? count(unsearched.get(kind)!, kind) : []));
  return counts.length === 0 ? [] : [`ctx-trim: not searched: ${counts.join(', ')}`];
}

/** `[secret:github-token:1] to [secret:github-token:3], [secret:github-token:7]`: earlier runs have the others. */
function rangesOf(rule: string, { redactor }: Run): string {
  const numbers = [...redactor.marks].flatMap(([mark, of]) =>
    of.rule === rule ? [Number(NUMBERED.exec(mark)![2])] : [],
  );
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const open = ranges.at(-1);
    if (open?.[1] === number - 1) open[1] = number;
    else ranges.push([number, number]);
  }
  const mark = (number: number) => `[secret:${rule}:${number}]`;
  return ranges.map(([first, last]) => (first === last ? mark(first) : `${mark(first)} to ${mark(last)}`)).join(', ');
}

function count(amount: number, noun: string): string {
  return `${grouped(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

async function closeMap({ map, options, redactor, terminal }: Run): Promise<boolean> {
  try {
    await map?.close(redactor.marks);
    return true;
  } catch (error) {
    sayError(terminal, error, options.map!);
    return false;
  }
}
