/**
 * What is about to be written in the place of a whole file is read again: the next run must be able to take it for what
 * this one took it for.
 */
import { isTranscriptError, TranscriptError } from '../errors.js';
import type { Sink } from '../json/print.js';
import type { Read } from '../json/rows.js';
import type { Transcript } from '../transcript/types.js';
import type { Opened } from './piece.js';

/** Reads bytes like a file. */
export function readerOver(bytes: Uint8Array): Read {
  let taken = 0;
  return (buffer, at, length) => {
    const part = bytes.subarray(taken, taken + length);
    buffer.set(part, at);
    taken += part.length;
    return part.length;
  };
}

/**
 * For a piece that is all of a short file: `save` reads its result again, and throws TranscriptError before writing if
 * it cannot.
 */
export function readBack(piece: Opened, format: string, read: (from: Read) => void): Opened {
  const { transcripts, line } = piece;
  return {
    ...piece,
    transcripts,
    guarded: (other) => readBack(piece.guarded?.(other) ?? other, format, read),
    save(sink: Sink, after: readonly Transcript[]) {
      if (after.every((transcript, index) => transcript === transcripts[index])) {
        piece.save(sink, after);
        return;
      }
      const chunks: Buffer[] = [];
      piece.save(into(chunks), after);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > 0) rejectUnreadable(bytes, format, line, read);
      sink.slice(bytes, 0, bytes.length);
    },
  };
}

/** A sink that keeps what is printed. */
export function into(chunks: Buffer[]): Sink {
  return {
    slice: (bytes, start, end) => void chunks.push(bytes.subarray(start, end)),
    text: (text) => void chunks.push(Buffer.from(text)),
  };
}

function rejectUnreadable(bytes: Buffer, format: string, line: number, read: (from: Read) => void): void {
  try {
    read(readerOver(bytes));
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    const reason = error.message.replace(/; (?:if one is right, )?name it with --from$/, '');
    throw new TranscriptError(
      'format',
      `the result could not be read again (${reason}); name the format with --from ${format}`,
      { line, column: 1 },
    );
  }
}
