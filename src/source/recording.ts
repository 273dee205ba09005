/** A whole recording in memory: for programs that hold a text or a list of messages rather than a file. */
import { TranscriptError } from '../errors.js';
import { addFormats } from '../formats/index.js';
import type { Sink } from '../json/print.js';
import type { Span } from '../json/rows.js';
import type { Transcript } from '../transcript/types.js';
import type { DetectOptions } from './detect/detection.js';
import { open as openPieces } from './open.js';
import type { Opened, Piece } from './piece.js';
import { readerOver } from './read-back.js';

export interface Recording {
  /** The id of the format it was read in. */
  readonly format: string;
  readonly transcripts: readonly Transcript[];
  /** @internal The pieces of the input, which `save` puts together again. */
  readonly pieces: readonly (Opened | Span)[];
  /** @internal The detection, values without messages, and the rest of what was read. */
  readonly all: readonly Piece[];
  /** @internal How it was opened. */
  readonly options: DetectOptions;
  /** @internal For `JSON.stringify`: without the pieces. */
  toJSON(): unknown;
}

/** Opens JSON or JSON Lines. Throws TranscriptError with line and column where it cannot be read. */
export function open(input: string | Uint8Array, options: DetectOptions = {}): Recording {
  for (const { formats } of options.plugins ?? []) addFormats(formats);
  const read = readerOver(typeof input === 'string' ? Buffer.from(input) : input);
  const all = [...openPieces(read, options)];
  const pieces = all.flatMap((piece): (Opened | Span)[] => {
    if (piece.type === 'passage') return [piece.span];
    return piece.type === 'opened' ? [piece] : [];
  });
  const transcripts = pieces.flatMap((piece) => ('type' in piece ? piece.transcripts : []));
  const format = all.find((piece) => piece.type === 'detected')?.detection.format.id ?? '';
  return { format, transcripts, pieces, all, options, toJSON: () => ({ format, transcripts }) };
}

/** The recording as bytes, with `transcripts` in place of its own: as many, in the same order. */
export function save(recording: Recording, transcripts: readonly Transcript[] = recording.transcripts): Uint8Array {
  const { pieces, transcripts: own } = recording;
  if (transcripts.length !== own.length)
    throw new TranscriptError(
      'usage',
      `the recording holds ${own.length} transcripts, ${transcripts.length} were given`,
    );
  const chunks: Uint8Array[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => chunks.push(bytes.subarray(start, end)),
    text: (text) => chunks.push(Buffer.from(text)),
  };
  let next = 0;
  for (const piece of pieces) {
    if ('type' in piece) {
      piece.save(sink, transcripts.slice(next, next + piece.transcripts.length));
      next += piece.transcripts.length;
    } else sink.slice(piece.bytes, piece.start, piece.end);
  }
  return Buffer.concat(chunks);
}
