/** Reads stdin twice: it is kept in a temporary file that has no name. Files are just read again. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Read } from '../../../json/rows.js';
import { Spool } from '../../files/spool.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface Twice {
  readonly first: Terminal;
  again(): Terminal;
  close(): void;
}

export function readTwice(terminal: Terminal): Twice {
  const spool = new Spool(join(tmpdir(), 'select'), 'stdin');
  const keeping: Read = (buffer, at, length) => {
    const got = terminal.stdin(buffer, at, length);
    spool.write(buffer, at, at + got);
    return got;
  };
  return {
    first: { ...terminal, stdin: keeping },
    again: () => ({ ...terminal, stdin: readerOf(spool.read()), stdinIsTerminal: false }),
    close: () => spool.close(),
  };
}

function readerOf(pieces: Iterator<Uint8Array, void, void>): Read {
  let piece: Uint8Array = new Uint8Array();
  return (buffer, at, length) => {
    if (piece.length === 0) piece = pieces.next().value ?? piece;
    const got = Math.min(length, piece.length);
    buffer.set(piece.subarray(0, got), at);
    piece = piece.subarray(got);
    return got;
  };
}
