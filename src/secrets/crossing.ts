/** Finds in texts that stand in pieces: of each, the first piece gets the mark, and the others lose their part. */
import type { FindSecrets, FoundSecret } from './found.js';

export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** A find, the piece it is in, where its first piece begins, and what of it is in later pieces. */
export type Crossing = FoundSecret & { readonly first: number; readonly rest: string; readonly piece: number };

export function crossing(bytes: Buffer, pieces: readonly Piece[], find: FindSecrets): Crossing[] {
  const joined = Buffer.concat(pieces.map(({ start, end }) => bytes.subarray(start, end)));
  const finds = find(joined);
  if (finds.length === 0) return [];
  let at = 0;
  const placed = pieces.map(({ start, end }, piece) => {
    const from = at;
    at += end - start;
    return { from, to: at, shift: start - from, piece };
  });
  return finds.flatMap((secret) => {
    const parts = placed.filter(({ from, to }) => from < secret.end && secret.start < to);
    const rest = joined.latin1Slice(parts[0]!.to, secret.end); // where it is empty, its name may be in another piece
    const first = Math.max(parts[0]!.from, secret.start) + parts[0]!.shift;
    return parts.map(({ from, to, shift, piece }, index) => ({
      ...secret,
      first,
      rest,
      piece,
      start: Math.max(from, secret.start) + shift,
      end: Math.min(to, secret.end) + shift,
      isRest: index > 0,
    }));
  });
}
