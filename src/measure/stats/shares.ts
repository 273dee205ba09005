/** The share of each role or tool in all transcripts. */
import type { AuditFacts, Share } from './audit.js';

/** A role or a tool of all transcripts. */
export interface ShareFacts extends Share {
  readonly name: string;
  readonly share: number;
}

/** All roles, or all tools, by counted tokens: most first. */
export function sharesBy({ totals, shares }: AuditFacts, by: 'role' | 'tool'): ShareFacts[] {
  const rows = [...shares[by]].map(([name, group]) => ({
    name,
    ...group,
    share: totals.tokens === 0 ? 0 : group.tokens / totals.tokens,
  }));
  return rows.sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}
