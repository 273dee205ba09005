/** Samples and splits: what a seed decides by the content of each record. */
import { TranscriptError } from '../../errors.js';

/** A number of records, or a share of them. */
export type Sample = { readonly count: number } | { readonly share: number };

/** `500` or `10%`. */
export function sampleOf(text: string): Sample {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits);
  const isShare = percent === '%' && amount <= 100;
  if (digits === undefined || !(isShare || (percent === '' && Number.isSafeInteger(amount))))
    throw new TranscriptError('usage', `--sample \`${text}\` is invalid; expected a number such as 500, or 10%`);
  return isShare ? { share: amount / 100 } : { count: amount };
}

export interface Split {
  readonly name: string;
  /** Records with a share below this are in it, unless they are in one before. */
  readonly below: number;
}

/** `train=0.9,test=0.1`. */
export function splitsOf(text: string): readonly Split[] {
  const parts = text.split(',').map((part) => /^\s*([\w-]+)=(\d*\.?\d+)\s*$/.exec(part));
  const names = new Set(parts.map((part) => part?.[1]));
  const sum = parts.reduce((total, part) => total + Number(part?.[2]), 0);
  if (names.has(undefined) || names.size < parts.length || Math.abs(sum - 1) > 1e-9)
    throw new TranscriptError(
      'usage',
      `--split \`${text}\` is invalid; expected names with shares that add up to 1, such as train=0.9,test=0.1`,
    );
  let below = 0;
  return parts.map((part, index) => {
    below += Number(part![2]);
    return { name: part![1]!, below: index === parts.length - 1 ? 1 : below };
  });
}

export function splitAt(splits: readonly Split[], share: number): string {
  return splits.find(({ below }) => share < below)!.name;
}

/** Takes records by their order, and tells at the end which are the `count` with the least shares. */
export class Lottery {
  private entries: { readonly share: number; readonly order: number }[] = [];

  constructor(private readonly count: number) {}

  add(share: number, order: number): void {
    this.entries.push({ share, order });
    if (this.entries.length > 2 * this.count + SLACK) this.cut();
  }

  /** In their order. */
  winners(): number[] {
    this.cut();
    return this.entries.map(({ order }) => order).sort((a, b) => a - b);
  }

  private cut(): void {
    this.entries = this.entries.sort((a, b) => a.share - b.share || a.order - b.order).slice(0, this.count);
  }
}

/** Entries beyond the winners before the losers go. */
const SLACK = 1000;
