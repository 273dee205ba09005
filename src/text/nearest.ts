/** Suggestions for a misspelled name. */

/** The most suggestions. */
const MOST = 3;
/** The least similarity of a suggestion: 0 (no pair of letters in common) to 1. */
const SIMILAR = 0.5;

/** The known names most similar to this one, by their common pairs of letters; none if the name is known. */
export function nearest(name: string, known: readonly string[]): string[] {
  const distinct = [...new Set(known)];
  if (distinct.some((other) => other.toLowerCase() === name.toLowerCase())) return [];
  const pairs = pairsOf(name);
  return distinct
    .map((other) => ({ other, score: similarity(pairs, pairsOf(other)) }))
    .filter(({ score }) => score >= SIMILAR)
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, MOST)
    .map(({ other }) => other);
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / (a.size + b.size || 1);
}

function pairsOf(name: string): Set<string> {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
}
