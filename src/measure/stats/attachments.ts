/** The tokens of what an agent sends beside messages, by kind: files, reminders, what hooks say. */
import type { Attached } from '../../formats/attached.js';
import type { Counting } from './counting.js';

export interface AttachmentFacts {
  /** As the agent names it. */
  readonly kind: string;
  readonly records: number;
  /** Of the words that the records hold. */
  readonly tokens: number;
  /** Images and files in them, which are not counted. */
  readonly media: number;
  /** Whether the agent is known to send it; else it may be. */
  readonly known: boolean;
}

/** Kinds with the most tokens come first. */
export function attachmentFacts(attached: Iterable<Attached>, counting: Counting): readonly AttachmentFacts[] {
  const each = [...attached].map(({ kind, texts, media, isKnown }) => ({
    kind,
    records: 1,
    tokens: texts.reduce((sum, text) => sum + counting.text(text), 0),
    media,
    known: isKnown,
  }));
  return addedUp(each);
}

export function addedUp(facts: Iterable<AttachmentFacts>): readonly AttachmentFacts[] {
  const byKind = new Map<string, AttachmentFacts>();
  for (const next of facts) {
    const key = `${next.known} ${next.kind}`;
    const { records, tokens, media } = byKind.get(key) ?? { records: 0, tokens: 0, media: 0 };
    byKind.set(key, {
      ...next,
      records: records + next.records,
      tokens: tokens + next.tokens,
      media: media + next.media,
    });
  }
  return [...byKind.values()].sort((a, b) => b.tokens - a.tokens || (a.kind < b.kind ? -1 : 1));
}
