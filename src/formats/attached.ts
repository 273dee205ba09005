import type { JsonNode } from '../json/node.js';

/** What a record that is no message holds for the model. */
export interface Attached {
  /** As the agent names it. */
  readonly kind: string;
  readonly texts: readonly JsonNode[];
  /** How many images and files it holds. */
  readonly media: number;
  /** Whether the agent is known to send it; else it may be. */
  readonly isKnown: boolean;
}
