/** Makes a dataset of recordings, and says what became of each of their conversations. */
import { datasetDocument } from '../../../documents/dataset.js';
import { printed } from '../../../documents/print.js';
import { createRowMaker, type Made, type Place, type RowMaker } from '../../../engine/dataset/dataset.js';
import { createDigests } from '../../../engine/select/digests.js';
import { splitAt, splitsOf } from '../../../engine/select/lots.js';
import { rootsOf } from '../../../engine/select/record.js';
import { valuesAt } from '../../../engine/select/where.js';
import { forLongWork, keepOldSpaceSmall } from '../../../node/engine.js';
import type { Opened } from '../../../source/piece.js';
import { type Input, shownName } from '../../files/input.js';
import { forEachInput, openPieces, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Entry, Ledger } from './ledger.js';
import { meansFor, sha256 } from './means.js';
import type { DatasetOptions } from './options.js';
import { type Outputs, openOutputs } from './outputs.js';

export async function runDataset(
  words: readonly string[],
  options: DatasetOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const maker = createRowMaker(options, await meansFor(options, terminal));
  const splitFor = splitterOf(options);
  const outputs = openOutputs(options, terminal);
  try {
    const ledger = new Ledger(outputs.ledger);
    const works = forLongWork(keepOldSpaceSmall);
    const run: Run = { options, terminal, maker, outputs, ledger, splitFor, works };
    const isSilent = outputs.isSilent;
    const { verbose, quiet } = options;
    const good = await forEachInput(words, terminal, (input) => readInput(input, run), { isSilent, verbose, quiet });
    outputs.flush();
    ledger.assertWhole();
    if (good) await outputs.commit();
    if (good || !isSilent) report(run);
    else say(terminal, 'ctx-trim: nothing was written, because an input could not be read');
    return good ? 0 : 2;
  } finally {
    outputs.discard();
  }
}

interface Run {
  readonly options: DatasetOptions;
  readonly terminal: Terminal;
  readonly maker: RowMaker;
  readonly outputs: Outputs;
  readonly ledger: Ledger;
  readonly splitFor: (place: Place) => string | undefined;
  readonly works: (messages: number) => void;
}

function splitterOf({ split, splitBy, seed }: DatasetOptions): Run['splitFor'] {
  if (split === undefined) return () => undefined;
  const [splits, digests] = [splitsOf(split), createDigests(sha256)];
  const at = splitBy === undefined ? undefined : valuesAt(splitBy, '--split-by');
  return ({ file, format, roots }) => {
    const record = { file, format, piece: { roots, transcripts: [] } as unknown as Opened, value: undefined };
    return splitAt(splits, digests.share(digests.of(record, at), seed, 'split'));
  };
}

function readInput(input: Input, run: Run): void {
  const { options, terminal, ledger } = run;
  const file = shownName(input.name);
  let format = '';
  const reading = { ...options, skipBadLines: true };
  const pieces = openPieces(input, reading, terminal, {
    ...{ onReuse: () => {}, dropsBadLines: true },
    missing: (rows) => void (rows && ledger.unread.push(rows)),
    detected: (detection) => {
      format = detection.format.id;
    },
  });
  let row = 0;
  for (const piece of pieces) {
    if (piece.type === 'opened') {
      row = piece.line;
      takeOpened(piece, { file, row, format }, run);
    } else if (piece.is === 'bad' || piece.is === 'cut') ledger.add(lost('bad-line', file, ++row));
    else if (piece.record !== undefined) {
      row = piece.record.line;
      ledger.add(lost('no-messages', file, row));
    }
  }
}

function lost(reason: string, file: string, row: number): Entry {
  return { file, row, outcome: 'dropped', reasons: [reason], isUnchecked: false };
}

function takeOpened(piece: Opened, named: Omit<Place, 'roots'>, run: Run): void {
  const { file, row, format } = named;
  const place = { ...named, roots: rootsOf({ file, format, piece, value: undefined }) };
  if (piece.transcripts.length === 0) run.ledger.add(lost('no-messages', file, row));
  for (const transcript of piece.transcripts) {
    run.works(transcript.messages.length);
    const made: Made = run.maker.make(transcript, place);
    const { text, ...rest } = made;
    const split = text === undefined ? undefined : run.splitFor(place);
    if (text !== undefined) run.outputs.sinkOf(split).text(`${text}\n`);
    run.ledger.add({ ...rest, file, row, agent: transcript.agent, split });
  }
}

function report({ options, terminal, ledger, outputs }: Run): void {
  if (options.format === 'json')
    (outputs.isSilent ? terminal.stdout : terminal.stderr).write(printed(datasetDocument(ledger)));
  else if (options.quiet !== true) for (const line of ledger.text()) say(terminal, line);
}
