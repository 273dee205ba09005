/** Rewrites the transcripts of one input: into a sink, in place, or only to look at them. */
import { type Models, modelOf } from '../../../engine/context.js';
import { isChanged, type Settled } from '../../../engine/rewrite/settle.js';
import { type TableRewrite, tabledAt, tableFits, tableOfLog } from '../../../engine/rewrite/tables/by-table.js';
import { TranscriptError } from '../../../errors.js';
import type { Sink } from '../../../json/print.js';
import type { Detection } from '../../../source/detect/detection.js';
import type { Opened, Tabled } from '../../../source/piece.js';
import { roomOf } from '../../../tokens/models.js';
import type { Transcript } from '../../../transcript/types.js';
import { type Input, shownName } from '../../files/input.js';
import type { BufferedSink } from '../../files/output.js';
import type { OmissionsCollector } from '../../inputs/omissions.js';
import { openPieces } from '../../inputs/reading.js';
import { createWarnings } from '../../inputs/repeated.js';
import type { DonePart, PartOfRewrite, Threads } from '../../inputs/threads.js';
import type { ReadingOptions } from '../../options/options.js';
import type { ContextWarnings } from '../../outputs/context-warnings.js';
import type { Observer } from '../../outputs/observer.js';
import type { Terminal } from '../../terminal/terminal.js';

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
  /** Reads the result again, and applies the steps to that; `round` counts from 0. */
  settling?(
    piece: Opened,
    apply: (piece: Opened, round: number) => readonly Transcript[],
    detection: Detection,
  ): Settled;
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

export interface Rewritten {
  readonly changed: boolean;
  /** A step could not do all of its work. */
  readonly isShort: boolean;
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
  { apply, options, terminal, observer, trusts, omissions, settling, warnings, byTable, threads, takePart }: Run,
  sink: (Sink & Partial<Pick<BufferedSink, 'settle'>>) | undefined,
): Rewritten {
  if (sink !== undefined) rejectReadOnly(input);
  let changed = false;
  let isShort = false;
  let detection: Detection | undefined;
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
    detected(found) {
      detection = found;
    },
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
      if (observer !== undefined) tellChanged(observer, input, { piece: now, after }, round);
      return after;
    };
    const settled = settling?.(piece, applied, detection!) ?? { piece, after: applied(piece, 0) };
    if (settled.piece !== piece || isChanged(settled)) changed = true;
    for (const transcript of settled.after)
      warnings?.add(transcript, piece.line, room(transcript.model), observer?.nextTokens(transcript));
    if (sink !== undefined) settled.piece.save(sink, settled.after);
  }
  shortfalls.close();
  warnings?.finished(shownName(input.name));
  return { changed, isShort };
}

/** Tells an observer what became of a piece: after the first round, only what changed. */
export function tellChanged(
  observer: Observer,
  input: Input,
  { piece: { line, transcripts }, after }: Settled,
  round: number,
): void {
  const isTold = (_: Transcript, index: number) => round === 0 || after[index] !== transcripts[index];
  observer.changed(input, line, transcripts.filter(isTold), after.filter(isTold));
}
