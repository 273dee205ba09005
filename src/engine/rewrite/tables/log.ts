/** A log whose lines were read into a table. */
import type { Format } from '../../../formats/format.js';
import { JsonNode } from '../../../json/node.js';
import type { RowPlace } from '../../../source/piece.js';
import type { MessageTable } from '../../../transcript/table.js';
import type { Message } from '../../../transcript/types.js';

export interface Log {
  readonly table: MessageTable;
  readonly format: Format;
  readonly entries: readonly RowPlace[];
  /** Of its lines in the conversation; undefined if they stand in it. */
  readonly order?: readonly number[];
  readonly lineOf: readonly number[];
  /** By line: its row; -1 without a message. */
  readonly rowOf: Int32Array;
}

/** A line, without the texts that were decoded of it before: it holds no longer than it is used. */
export function lineNode({ entries }: Log, line: number): JsonNode {
  const { bytes, tape } = (entries[line]!.value as JsonNode).source;
  return new JsonNode({ bytes, tape }, 0);
}

/** By line: the message that it becomes; undefined if it goes. */
export type Changed = ReadonlyMap<number, Message | undefined>;
