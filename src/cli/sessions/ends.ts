/** The first and the last bytes of session files, without reading the rest. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEAD = 1 << 14;
/** For pieces that are not larger: a listing reads thousands. */
const SHARED = Buffer.allocUnsafeSlow(HEAD);

/** The start of a file; empty if it cannot be read. */
export function headOf(path: string): string {
  return within(path, (piece) => piece(0, HEAD)) ?? '';
}

/** Times as agents write them. A quote inside of a string has a backslash before it, so texts have none of these. */
const TIMES = new RegExp(
  '"(?:timestamp|ts|time|lastUpdated|updated(?:At|_at)?|created(?:At|_at)?)"\\s*:\\s*' +
    '(?:"(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:?\\d\\d))"|(\\d{9,13}(?:\\.\\d+)?)(?![\\d.]))',
  'g',
);
/** Numbers below are seconds. */
const LEAST_MILLISECONDS = 1e11;
/** Row by row, most files state a time in the first of these; a row with a large result does in one of the others. */
const TAILS = [1 << 14, 1 << 18, 1 << 22];

/** The last time that is recorded at the end of a file and not after `now`: milliseconds since 1970. */
export function lastTimeIn(path: string, now: number): number | undefined {
  return within(path, (piece, size) => {
    for (const tail of TAILS) {
      const times = [...piece(Math.max(0, size - tail), tail).matchAll(TIMES)]
        .map(timeOf)
        .filter((time) => time <= now);
      if (times.length > 0) return times.reduce((last, time) => Math.max(last, time));
      if (size <= tail) return undefined;
    }
    return undefined;
  });
}

function timeOf([, text, number = '']: RegExpMatchArray): number {
  const value = Number(number);
  return text === undefined ? (value < LEAST_MILLISECONDS ? value * 1000 : value) : Date.parse(text);
}

type Piece = (at: number, length: number) => string;

function within<T>(path: string, take: (piece: Piece, size: number) => T): T | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const piece: Piece = (at, length) => {
        const bytes = length > SHARED.length ? Buffer.allocUnsafe(length) : SHARED;
        return bytes.utf8Slice(0, readSync(file, bytes, 0, length, at));
      };
      return take(piece, fstatSync(file).size);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // whoever reads the file says why
  }
}
