/** How many threads read the inputs of a command. Starting them is in threads.ts, which few runs load. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { statsAt } from '../files/stats-at.js';
import type { Terminal } from '../terminal/terminal.js';
import { say } from './reading.js';
import { Threads } from './threads.js';

/** An automatic thread must pay: so many bytes are read by one in a tenth of a second (bench/NOTES.md, 2026-11-26). */
const LARGE = 1 << 26;
/** Threads that are used unasked, each of which takes memory. */
const MOST_THREADS = 4;

/** The threads that help to read these inputs: as many as asked for, or some if an input is large. */
export function threadsFor(
  words: readonly string[],
  asked: number | undefined,
  terminal: Terminal,
): Threads | undefined {
  const count = terminal.serve !== undefined ? 1 : (asked ?? usualThreads(words, terminal));
  if (count < 2 || !Threads.areThere) return undefined;
  const sayLoss = () => say(terminal, 'ctx-trim: warning: a worker thread ended; the rest is read without it');
  return new Threads({ count, isAsked: asked !== undefined, onLoss: sayLoss }, terminal);
}

/** One thread is left for what reads and writes. */
function usualThreads(words: readonly string[], { cwd }: Terminal): number {
  const processors = availableParallelism();
  if (processors < 3) return 1;
  const isLarge = words.some((word) => word !== '-' && (statsAt(resolve(cwd, word))?.size ?? 0) > LARGE);
  return isLarge ? Math.min(processors - 1, MOST_THREADS) : 1;
}
