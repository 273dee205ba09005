/** What an archive may unfold to: counted while it does, whatever its headers say. */
import { TranscriptError } from '../errors.js';

const MB = 2 ** 20;

interface Limits {
  /** Bytes of the whole archive. */
  readonly total: number;
  /** Bytes of one sample, which is in memory as a whole. */
  readonly sample: number;
  /** Bytes for each byte of the archive that was read, once there are more than `free`. */
  readonly ratio: number;
  readonly free: number;
  readonly entries: number;
}

const USUAL: Limits = {
  total: 16 * 1024 * MB, // the largest log that is known is a tenth of it
  sample: 512 * MB, // no text of JavaScript is longer, and a sample of an agent's long run has some tens of MB
  ratio: 200, // logs of agents, which repeat themselves, come to 10 to 50
  free: 16 * MB, // a small log that repeats one thing is no danger
  entries: 1_000_000,
};

export interface Allowance {
  /** Lets `most` bytes out, in all and of a sample, however they come; where nothing is said, the usual limits stay. */
  raise(most: number | undefined): void;
  /** Another sample begins. */
  begin(): void;
  takeEntry(): void;
  /** So many bytes of the archive were read. */
  read(bytes: number): void;
  /** So many bytes came out of it. Throws TranscriptError where that is more than is allowed. */
  take(bytes: number): void;
  /** How many bytes may come out now. */
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
      `the archive ${what}, as one does that is made to fill the memory; if you trust it, raise the limit with --max-unpacked, such as --max-unpacked 20GB`,
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
