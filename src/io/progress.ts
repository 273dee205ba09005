/** A progress line for long jobs on a terminal, which is erased at the end. */
import { type SafeText, safe, shown } from '../safe/text.js';
import type { Terminal } from './terminal.js';

const PATIENCE = 1000;
const STEP = 100;
const WIDTH = 24;

export interface Progress {
  /** Reports that `done` items are complete. */
  at(done: number): void;
  /** Erases the line, so that other output can be printed. */
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
      const bar = shown('█'.repeat(full) + '·'.repeat(WIDTH - full));
      const figures = safe`${shown(done.toLocaleString('en-US'))} of ${shown(all.toLocaleString('en-US'))}`;
      stderr.write(safe`\r\x1b[K${bar} ${figures} ${what}`);
      shownAt = time;
      isShown = true;
    },
    clear() {
      if (isShown) stderr.write(safe`\r\x1b[K`);
      isShown = false;
    },
  };
}
