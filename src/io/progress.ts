/** How far a long job is, on a line of its own that goes away again: only on a terminal, and only where it takes a while. */
import { type SafeText, safe, shown } from '../safe/text.js';
import type { Terminal } from './terminal.js';

const PATIENCE = 1000;
const STEP = 100;
const WIDTH = 24;

export interface Progress {
  /** So many of all are done. */
  at(done: number): void;
  /** Takes the line away, so that something else can be said. */
  clear(): void;
}

export function createProgress(
  all: number,
  what: SafeText,
  { stderr }: Terminal,
  now: () => number = () => performance.now(),
): Progress {
  if (!stderr.isTerminal || all < 2) return { at: () => {}, clear: () => {} };
  const began = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    at(done) {
      const time = now();
      if (time - began < PATIENCE || (time - shownAt < STEP && done < all)) return;
      const full = Math.round((done / all) * WIDTH);
      stderr.write(
        safe`\r\x1b[K${shown('█'.repeat(full) + '·'.repeat(WIDTH - full))} ${shown(done.toLocaleString('en-US'))} of ${shown(all.toLocaleString('en-US'))} ${what}`,
      );
      shownAt = time;
      isShown = true;
    },
    clear() {
      if (isShown) stderr.write(safe`\r\x1b[K`);
      isShown = false;
    },
  };
}
