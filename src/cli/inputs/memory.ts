/** Settings of V8 by what an input holds: many pieces, or long ones. */
import type { Read } from '../../json/rows.js';
import { keepYoungSpaceSmall } from '../../node/engine.js';

/** Pieces after which an input has many. */
const MANY = 200;
/** Bytes of a long piece, such as one session. */
const LONG = 1 << 20;

/** The same reader. `next` must be called with each piece. */
export function sparing(from: Read): { readonly read: Read; next(): void } {
  let pieces = 0;
  let bytes = 0; // since the last piece
  return {
    read(buffer, at, length) {
      const got = from(buffer, at, length);
      if (bytes <= LONG && bytes + got > LONG) keepYoungSpaceSmall();
      bytes += got;
      return got;
    },
    next() {
      bytes = 0;
      if (++pieces === MANY) keepYoungSpaceSmall();
    },
  };
}
