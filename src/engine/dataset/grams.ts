/**
 * What rows share with a benchmark: groups of 13 words, as GPT-3's training data was cleaned by (Brown et al., 2020,
 * appendix C: https://arxiv.org/abs/2005.14165, 2026-11-26).
 */
import { Shingles } from '../select/words.js';

export class Grams {
  /** A first hash, and the second ones that go with it. */
  private readonly known = new Map<number, number | Set<number>>();
  /** Texts with fewer words than a group has, which nothing is compared with. */
  short = 0;
  texts = 0;

  constructor(private readonly size: number) {}

  add(text: string): void {
    let groups = 0;
    const words = new Shingles(this.size, (hash, other) => {
      groups++;
      this.put(hash, other);
    });
    words.read(text);
    this.texts++;
    if (groups === 0) this.short++;
  }

  /** Whether texts share a group with those that were added. */
  sharedBy(texts: Iterable<string>): boolean {
    let isShared = false;
    for (const text of texts) {
      const words = new Shingles(this.size, (hash, other) => {
        const found = this.known.get(hash);
        if (found === other || (typeof found === 'object' && found.has(other))) isShared = true;
      });
      words.read(text);
      if (isShared) return true;
    }
    return false;
  }

  private put(hash: number, other: number): void {
    const found = this.known.get(hash);
    if (found === undefined) this.known.set(hash, other);
    else if (typeof found === 'object') found.add(other);
    else if (found !== other) this.known.set(hash, new Set([found, other]));
  }
}
