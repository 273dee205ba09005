/** The records of a Claude Code session that are linked, and what a compaction keeps of them. */
import type { JsonNode } from '../../json/node.js';
import type { Linked, Links } from '../shared/chains.js';

export interface Entry extends Linked {
  readonly node: JsonNode;
  readonly type: string;
  readonly isMessage: boolean;
  readonly isSide: boolean;
  /** Of the reply that it is a piece of. */
  readonly reply: string | undefined;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly boundary: Boundary | undefined;
}

/** What is kept: ids of messages, and of the record that they go on behind. */
export interface Boundary {
  readonly node: JsonNode;
  readonly anchor: string;
  /** Each kept message. Undefined if only the ends are named. */
  readonly ids: readonly string[] | undefined;
  readonly head: string;
  readonly tail: string;
}

export interface File {
  readonly entries: readonly Entry[];
  /** Of several records with one id, the last. */
  readonly byId: ReadonlyMap<string, Entry>;
  /** Its parent in the chain, which a compaction can change. */
  readonly parentOf: ReadonlyMap<Entry, string | undefined>;
  readonly links: Links<Entry>;
}
