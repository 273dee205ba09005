/** Settings of V8 by what inputs hold: much, many pieces, or long ones. */
import type { Read } from '../../json/rows.js';
import { compileLess, HAS_MAGLEV, keepYoungSpaceSmall } from '../../node/engine.js';

/** Bytes of all inputs after which less is compiled. Code that V8 kept of earlier runs serves shorter ones better. */
const MUCH = HAS_MAGLEV ? 2_000_000 : 60_000;
/** Pieces after which an input has many. */
const MANY = 200;
/** Bytes of a long piece, such as one session. */
const LONG = 1 << 20;

/** Bytes of all inputs so far: the settings are those of the process. */
let sum = 0;

/** The same reader. `next` must be called with each piece. */
export function adapting(from: Read): { readonly read: Read; next(): void } {
  let pieces = 0;
  let bytes = 0; // since the last piece
  return {
    read(buffer, at, length) {
      const got = from(buffer, at, length);
      if (sum <= MUCH && sum + got > MUCH) {
        compileLess();
      }
      if (bytes <= LONG && bytes + got > LONG) keepYoungSpaceSmall();
      bytes += got;
      sum += got;
      return got;
    },
    next() {
      bytes = 0;
      if (++pieces === MANY) keepYoungSpaceSmall();
    },
  };
}
