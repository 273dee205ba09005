/** Added rows copy shared fields, such as session and time, from the existing record next to them. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { Row } from '../format.js';

export interface AdjacentRow extends Row {
  /**
   * The record itself; for an added row the existing record before it, else the first one. Undefined if there never was
   * a record.
   */
  readonly adjacent: JsonNode | undefined;
}

/** Pairs each row with its adjacent record. If all original rows are gone, every row gets the first of `before`. */
export function withAdjacentRecords(rows: readonly Row[], before: readonly JsonNode[]): readonly AdjacentRow[] {
  let adjacent = rows.find(({ node }) => node !== undefined)?.node ?? before[0];
  return rows.map((row) => {
    adjacent = row.node ?? adjacentNode(row.message) ?? adjacent;
    return { ...row, adjacent };
  });
}

/** The record next to an added message of the same agent, if several agents share a log. */
export function adjacentNode({ near }: Message): JsonNode | undefined {
  return near instanceof JsonNode ? near : undefined;
}
