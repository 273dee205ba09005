/** Limits of unpacking an archive, checked against the actual bytes, not its headers. */
import { TranscriptError } from '../../errors.js';

const MB = 2 ** 20;

interface Limits {
  /** Unpacked bytes of the whole archive. */
  readonly total: number;
  /** Unpacked bytes of one sample, which is in memory as a whole. */
  readonly sample: number;
  /** Unpacked bytes per byte of the archive, if more than `free` were unpacked. */
  readonly ratio: number;
  readonly free: number;
  readonly entries: number;
}

const USUAL: Limits = {
  total: 16 * 1024 * MB, // ten times the largest known log
  sample: 512 * MB, // the longest JavaScript string; long agent runs have tens of MB
  ratio: 200, // logs of agents compress by 10 to 50
  free: 16 * MB, // a small log may compress better
  entries: 1_000_000,
};

export interface Allowance {
  /** Replaces the limits in total and per sample by `most` bytes; without it, the default limits apply. */
  raise(most: number | undefined): void;
  /** Starts the next sample. */
  begin(): void;
  takeEntry(): void;
  /** Counts bytes of the archive that were read. */
  read(bytes: number): void;
  /** Counts unpacked bytes. Throws TranscriptError if they exceed a limit. */
  take(bytes: number): void;
  /** The bytes that may still be unpacked. */
  left(): number;
}

export function createAllowance(): Allowance {
  let limits = USUAL;
  const now = { read: 0, total: 0, sample: 0, entries: 0 };
  const left = () =>
    Math.min(
      limits.total - now.total,
      limits.sample - now.sample,
      Math.max(limits.free, limits.ratio * now.read) - now.total,
    );
  const tooMuch = (what: string) =>
    new TranscriptError(
      'file',
      `the archive ${what}, as one does that is made to fill the memory; ` +
        'if you trust it, raise the limit with --max-unpacked, such as --max-unpacked 20GB',
    );
  return {
    raise(most) {
      if (most !== undefined) limits = { ...USUAL, total: most, sample: most, ratio: Number.POSITIVE_INFINITY };
    },
    begin() {
      now.sample = 0;
    },
    takeEntry() {
      if (++now.entries > limits.entries) throw tooMuch(`holds more than ${limits.entries} files`);
    },
    read(bytes) {
      now.read += bytes;
    },
    take(bytes) {
      const isTooMuch = bytes > left();
      now.total += bytes;
      now.sample += bytes;
      if (!isTooMuch) return;
      if (now.total > limits.total) throw tooMuch(`unfolds to more than ${sizeText(limits.total)}`);
      if (now.sample > limits.sample) throw tooMuch(`holds a sample of more than ${sizeText(limits.sample)}`);
      throw tooMuch(`unfolds to more than ${limits.ratio} times its size`);
    },
    left,
  };
}

function sizeText(bytes: number): string {
  const [unit, name] = bytes >= 1024 * MB ? [1024 * MB, 'GB'] : bytes >= MB ? [MB, 'MB'] : [1, 'bytes'];
  return `${+(bytes / unit).toFixed(1)} ${name}`;
}
