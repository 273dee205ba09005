/** Runs transforms: reads, applies the steps, and writes, compares or lists the results. */

import { type Models, modelOf } from '../../../engine/context.js';
import { isChanged, settle } from '../../../engine/rewrite/settle.js';
import {
  type CountsOf,
  haveTables,
  rewriteTable,
  type TableRewrite,
  tabledAt,
  tableFits,
  tableOfLog,
} from '../../../engine/rewrite/tables/by-table.js';
import { TranscriptError } from '../../../errors.js';
import type { Sink } from '../../../json/print.js';
import { safe, shown } from '../../../safe/text.js';
import type { Opened, Tabled } from '../../../source/piece.js';
import { roomOf } from '../../../tokens/models.js';
import type { Transcript } from '../../../transcript/types.js';
import { loadAuto } from '../../../transforms/auto.js';
import { KEEPS_NOTHING, withStore } from '../../../transforms/offload.js';
import { countsTokens, limitUnits, rewriteBy, type Step } from '../../../transforms/pipeline.js';
import { NO_COUNTS } from '../../../transforms/transform.js';
import { type Input, shownName } from '../../files/input.js';
import { createKeptResults } from '../../files/kept-results.js';
import { BufferedSink } from '../../files/output.js';
import type { OmissionsCollector } from '../../inputs/omissions.js';
import { forEachInput, openPieces, say } from '../../inputs/reading.js';
import { createWarnings } from '../../inputs/repeated.js';
import { threadsFor } from '../../inputs/thread-count.js';
import { type DonePart, type PartOfRewrite, serveParts, type Threads } from '../../inputs/threads.js';
import type { ExitCode } from '../../options/command.js';
import type { ReadingOptions, RewriteOptions } from '../../options/options.js';
import { type ContextWarnings, createContextWarnings } from '../../outputs/context-warnings.js';
import type { Observer } from '../../outputs/observer.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Applies the steps to every transcript of every input, and writes, compares or lists the results. */
export async function rewrite(
  words: readonly string[],
  given: readonly Step[],
  options: RewriteOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  loadAuto();
  const files = createKeptResults(terminal);
  const steps = withStore(given, options.diff || options.check ? KEEPS_NOTHING : files.store);
  if (options.write && (words.length === 0 || words.includes('-')))
    throw new TranscriptError('usage', '--write needs a file, not stdin');
  if (options.write === true) await rejectInPlace(words, options.backup, terminal);
  for (const warning of remarksOf(steps, 'warnings')) say(terminal, `ctx-trim: warning: ${warning}`);
  if (options.verbose) for (const note of remarksOf(steps, 'notes')) say(terminal, `ctx-trim: ${note}`);
  // with --trust speed matters, so the summary must be requested
  const summarizes =
    options.quiet !== true && (options.summary === true || (terminal.stderr.isTerminal && options.trust !== true));
  const wanted = { summary: summarizes, tokens: countsTokens(steps), units: limitUnits(steps), steps };
  const isObserved = wanted.summary || wanted.tokens || options.diff === true || options.verbose === true;
  const observer = isObserved
    ? await (await import('../../outputs/rewrite-observer.js')).createObserver(options, wanted, terminal)
    : undefined;
  const countsOf: CountsOf = observer === undefined ? () => NO_COUNTS : observer.countsOf;
  const apply: Run['apply'] = (transcript, _, tell) => rewriteBy(transcript, steps, countsOf(transcript), tell);
  const trusts =
    options.trust === true &&
    observer === undefined &&
    steps.every(({ transform, values }) => transform.onlyTraffic?.(values) === true);
  if (options.trust === true && !trusts) {
    const cause =
      observer === undefined
        ? 'a step that reads more than tool calls and results'
        : 'a summary, a diff, --verbose or token counts';
    say(terminal, `ctx-trim: warning: --trust has no effect with ${cause}`);
  }
  const warns = steps.some(({ transform }) => transform.minded === 'context') && !trusts;
  const warnings = warns ? createContextWarnings(terminal) : undefined;
  const isWatched = wanted.summary || options.diff === true || options.verbose === true;
  const byTable =
    isWatched || !haveTables(steps) ? undefined : (tabled: Tabled) => rewriteTable(tabled, steps, countsOf);
  const alone = whyAlone(options, steps);
  const threads = alone === undefined ? threadsFor(words, options.threads, terminal) : undefined;
  if (alone !== undefined && options.threads !== undefined)
    say(terminal, `ctx-trim: warning: --threads has no effect with ${alone}`);
  const run: Run = { apply, ...{ options, terminal, observer, trusts, warnings, byTable, threads }, settles: true };
  if (terminal.serve !== undefined)
    return serveParts(terminal, (input, sink) => {
      observer?.handOver?.(); // of a part that was given back
      const { changed } = transformInput(input, run, options.check === true ? undefined : sink);
      return { changed, told: observer?.handOver?.() } satisfies PartOfRewrite;
    });
  try {
    const isEach = options.output === undefined || options.output === '-';
    return await (isEach ? rewriteEach(words, options, run) : rewriteInto(options.output!, words, run));
  } finally {
    if (options.quiet !== true) files.done();
    threads?.close();
  }
}

/** What needs all lines in one thread, if anything does: the files of `offload` are counted. */
function whyAlone({ diff, verbose }: Pick<RewriteOptions, 'diff' | 'verbose'>, steps: readonly Step[]) {
  if (diff === true) return '--diff';
  if (verbose === true) return '--verbose';
  return steps.some(({ transform }) => transform.id === 'offload') ? 'offload' : undefined;
}

/** Rejects arguments that cannot be written in place, before anything is read. */
export async function rejectInPlace(
  words: readonly string[],
  backup: string | undefined,
  { cwd }: Terminal,
): Promise<void> {
  const { rejectBackup, rejectStreams } = await import('../../outputs/into-file.js');
  rejectBackup(backup);
  rejectStreams(words, cwd);
}

/** How the transcripts of an input are rewritten. */
export interface Run {
  /** Returns the same object if nothing changes. `tell` reports that a step could not do all of its work. */
  apply(transcript: Transcript, piece: Opened, tell: (shortfall: string) => void): Transcript;
  readonly options: ReadingOptions & Models & { readonly backup?: string | undefined };
  readonly terminal: Terminal;
  readonly observer: Observer | undefined;
  /** Copies lines without tool calls and results unparsed. */
  readonly trusts?: boolean;
  /** Takes what the formats of the inputs do not read. */
  readonly omissions?: OmissionsCollector;
  /** Reads the result again and applies the steps until nothing changes. */
  readonly settles?: boolean;
  /** Warns about results that hardly fit into the context window. */
  readonly warnings?: ContextWarnings | undefined;
  /** The input reads otherwise than its file, which is written even if nothing else changes. */
  readonly isMended?: boolean;
  /** What `apply` does, where nobody looks at the messages: they need no objects. Undefined where it takes them. */
  readonly byTable?: ((tabled: Tabled) => TableRewrite | undefined) | undefined;
  readonly threads?: Threads | undefined;
  /** Takes what a thread made of its lines, if it did not rewrite them. */
  readonly takePart?: (part: DonePart) => void;
}

async function rewriteEach(words: readonly string[], options: RewriteOptions, run: Run): Promise<ExitCode> {
  const { terminal, observer } = run;
  const stdout = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
  const listing = options.check === true || options.diff === true;
  const isSilent = (options.write === true || listing) && options.diff !== true && options.verbose !== true;
  let changes = 0;
  let short = false;
  const good = await forEachInput(
    words,
    terminal,
    async (input) => {
      if (options.write === true && !listing) {
        if ((await rewriteInPlace(input, run)).isShort) short = true;
      } else if (listing) {
        const { changed, isShort } = transformInput(input, run, undefined);
        if (changed) changes++;
        if (isShort) short = true;
        if (changed && options.check === true && options.diff !== true)
          terminal.stdout.write(safe`${shown(shownName(input.name))}\n`);
      } else {
        const isLineOpen = stdout.lastByte >= 0 && stdout.lastByte !== 0x0a;
        if (isLineOpen) stdout.text('\n'); // the previous file does not end with a newline
        try {
          if (transformInput(input, run, stdout).isShort) short = true;
        } finally {
          stdout.flush();
        }
      }
      observer?.finished(input);
    },
    { ...options, isSilent, failed: observer?.omissions.failed },
  );
  observer?.done();
  stdout.flush();
  if (!good) return 2;
  return short || (options.check === true && changes > 0) ? 1 : 0;
}

async function rewriteInto(output: string, words: readonly string[], run: Run): Promise<ExitCode> {
  let short = false;
  const { inputsIntoFile } = await import('../../outputs/into-file.js');
  const written = await inputsIntoFile(
    output,
    words,
    run.terminal,
    (input, sink) => {
      if (transformInput(input, run, sink).isShort) short = true;
      run.observer?.finished(input);
    },
    run.options,
  );
  if (written) run.observer?.done();
  if (!written) return 2;
  return short ? 1 : 0;
}

export interface Rewritten {
  readonly changed: boolean;
  /** A step could not do all of its work. */
  readonly isShort: boolean;
}

/** Rewrites a file in place; an unchanged file is not touched. */
export async function rewriteInPlace(input: Input, run: Run): Promise<Rewritten> {
  const { createAtomic, rejectReplacing } = await import('../../outputs/into-file.js');
  rejectReplacing(input);
  rejectReadOnly(input);
  const file = createAtomic(input.path!, input.name, run.terminal, input.packing ?? 'none');
  try {
    const done = transformInput(input, run, file.sink);
    if (done.changed || run.isMended === true)
      await file.commit({ expected: input.stats!, backup: run.options.backup });
    return done;
  } finally {
    file.discard();
  }
}

/** Reads a byte first, so that errors of the input itself come before this one. */
function rejectReadOnly({ readOnly, read }: Input): void {
  if (readOnly === undefined) return;
  read(Buffer.alloc(1), 0, 1);
  throw new TranscriptError('file', readOnly);
}

/** Rewrites all transcripts of an input into the sink, if there is one. */
export function transformInput(
  input: Input,
  { apply, options, terminal, observer, trusts, omissions, settles, warnings, byTable, threads, takePart }: Run,
  sink: (Sink & Partial<Pick<BufferedSink, 'settle'>>) | undefined,
): Rewritten {
  if (sink !== undefined) rejectReadOnly(input);
  let changed = false;
  let isShort = false;
  const shortfalls = createWarnings(shownName(input.name), options.verbose === true, terminal);
  const made = byTable && { tables: tabledAt, logTables: tableOfLog };
  // an observer keeps the transcripts, unless it only counts
  const mayReuse = observer === undefined || byTable !== undefined;
  const onReuse = mayReuse ? () => sink?.settle?.() : undefined;
  const onlyWith = trusts ? 'toolCalls' : undefined;
  const room = (model: string | undefined) => roomOf(modelOf(options, model));
  const helping = threads && {
    threads,
    take(done: DonePart) {
      if (takePart !== undefined) return takePart(done);
      const { data, output } = done;
      const part = data as PartOfRewrite;
      if (part.changed) changed = true;
      observer?.takeOver?.(input, part.told);
      sink?.slice(output, 0, output.length);
      sink?.settle?.();
    },
  };
  for (const piece of openPieces(input, options, terminal, {
    onReuse,
    onlyWith,
    ...{ omissions, missing: observer?.omissions.add },
    ...made,
    threads: helping,
  })) {
    if (piece.type === 'passage') {
      sink?.slice(piece.span.bytes, piece.span.start, piece.span.end);
      continue;
    }
    const { tabled } = piece;
    const fits = tabled !== undefined && (warnings === undefined || tableFits(tabled, room));
    const rewritten = fits ? byTable?.(tabled) : undefined;
    if (rewritten !== undefined) {
      if (rewritten.rows !== undefined) changed = true;
      if (sink !== undefined) tabled!.save(sink, rewritten.rows);
      continue;
    }
    const told = new Set<string>();
    const applied = (now: Opened, round: number) => {
      const tell = (shortfall: string) => {
        isShort = true;
        if (round === 0 || !told.has(shortfall)) shortfalls.warn(piece.line, shortfall);
        told.add(shortfall);
      };
      const after = now.transcripts.map((transcript) => apply(transcript, now, tell));
      const isTold = (_: Transcript, index: number) => round === 0 || after[index] !== now.transcripts[index];
      observer?.changed(input, now.line, now.transcripts.filter(isTold), after.filter(isTold));
      return after;
    };
    const settled = settles === true ? settle(piece, applied) : { piece, after: applied(piece, 0) };
    if (settled.piece !== piece || isChanged(settled)) changed = true;
    for (const transcript of settled.after)
      warnings?.add(transcript, piece.line, room(transcript.model), observer?.nextTokens(transcript));
    if (sink !== undefined) settled.piece.save(sink, settled.after);
  }
  shortfalls.close();
  warnings?.finished(shownName(input.name));
  return { changed, isShort };
}

function remarksOf(steps: readonly Step[], kind: 'warnings' | 'notes'): string[] {
  return steps.flatMap(({ transform, values }) =>
    (transform.remarks?.(values)[kind] ?? []).map((text) => `${transform.id}: ${text}`),
  );
}
