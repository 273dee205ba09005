/** What was added to a log or a list stands beside something that was read: it takes from there what its neighbours have in common. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { Row } from '../format.js';

export interface NeighbouredRow extends Row {
  /** The record itself; of one that was added, that before it, or else the first one. Undefined where there never was any. */
  readonly neighbour: JsonNode | undefined;
}

/** The rows, each with its neighbour. Where no row is left that was read, the first record of those before is everybody's. */
export function withNeighbours(rows: readonly Row[], before: readonly JsonNode[]): readonly NeighbouredRow[] {
  let neighbour = rows.find(({ node }) => node !== undefined)?.node ?? before[0];
  return rows.map((row) => {
    neighbour = row.node ?? nearOf(row.message) ?? neighbour;
    return { ...row, neighbour };
  });
}

/** What a message that was added stands beside, where several agents share a log. */
export function nearOf({ near }: Message): JsonNode | undefined {
  return near instanceof JsonNode ? near : undefined;
}
