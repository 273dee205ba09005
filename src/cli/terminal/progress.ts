/** A progress line for long jobs on a terminal, which is erased at the end. */
import { joined, type SafeText, safe, shown } from '../../safe/text.js';
import { grouped, plural } from '../../text/words.js';
import type { Terminal } from './terminal.js';

const PATIENCE = 1000;
const STEP = 100;
const WIDTH = 20;

export interface Progress {
  /** Reports that `done` items are complete. */
  at(done: number): void;
  /** Reports that so many more bytes were read. */
  read(bytes: number): void;
  /** Erases the line, so that other output can be printed. */
  clear(): void;
}

export interface Amount {
  readonly items: number;
  /** What an item is: `file`. */
  readonly what: string;
  /** The bytes of all items; undefined if nobody knows. */
  readonly bytes?: number | undefined;
}

const SILENT: Progress = { at: () => {}, read: () => {}, clear: () => {} };

/** Silent if stderr is no terminal, and for the first second. */
export function createProgress(
  all: Amount,
  { stderr }: Pick<Terminal, 'stderr'>,
  now: () => number = () => performance.now(),
): Progress {
  if (!stderr.isTerminal) return SILENT;
  const began = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  let items = 0;
  let bytes = 0;
  const show = (isLast: boolean) => {
    const time = now();
    if (time - began < PATIENCE || (time - shownAt < STEP && !isLast)) return;
    stderr.write(safe`\r\x1b[K${lineOf({ items, bytes }, all, (time - began) / 1000)}`);
    shownAt = time;
    isShown = true;
  };
  return {
    at(done) {
      items = done;
      show(done >= all.items);
    },
    read(more) {
      bytes += more;
      show(false);
    },
    clear() {
      if (isShown) stderr.write(safe`\r\x1b[K`);
      isShown = false;
    },
  };
}

/** `██████······ 52 %, 1.2 GB, 110 MB/s, 11 s left, 3 of 10 files`: at most 79 columns. */
function lineOf(done: { readonly items: number; readonly bytes: number }, all: Amount, seconds: number): SafeText {
  const share = shareOf(done, all);
  const full = Math.round((share ?? 0) * WIDTH);
  const left = share === undefined || share < LEAST_SHARE || share === 1 ? undefined : (seconds / share) * (1 - share);
  const parts = [
    ...(share === undefined ? [] : [safe`${Math.floor(share * 100)} %`]),
    ...(done.bytes === 0 ? [] : [sizeText(done.bytes), safe`${sizeText(done.bytes / seconds)}/s`]),
    ...(left === undefined ? [] : [safe`${timeText(left)} left`]),
    ...(all.items < 2 ? [] : [safe`${grouped(done.items)} of ${plural(all.items, all.what)}`]),
  ];
  const bar = share === undefined ? safe`` : shown(`${'█'.repeat(full)}${'·'.repeat(WIDTH - full)} `);
  return safe`${bar}${joined(parts, ', ')}`;
}

/** Below it, an estimate of what is left would be a guess. */
const LEAST_SHARE = 0.02;

/** By bytes if they are counted, else by items. A file that is read twice has more bytes than its size says. */
function shareOf(
  done: { readonly items: number; readonly bytes: number },
  { items, bytes }: Amount,
): number | undefined {
  if (bytes !== undefined && bytes > 0 && done.bytes > 0) return Math.min(0.99, done.bytes / bytes);
  return items > 1 ? done.items / items : undefined;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function sizeText(bytes: number): SafeText {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return safe`${shown(value >= 100 || power === 0 ? value.toFixed(0) : value.toPrecision(2))} ${shown(UNITS[power]!)}`;
}

function timeText(seconds: number): SafeText {
  if (seconds < 90) return safe`${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? safe`${Math.round(seconds / 60)} min` : safe`${Math.round(seconds / 3600)} h`;
}
