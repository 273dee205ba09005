/** What tablers share: how rows, calls, results and texts get into a table. */
import type { JsonNode } from '../../../json/node.js';
import { ESCAPED } from '../../../json/scan.js';
import type { JsonSource } from '../../../json/strings.js';
import { type MessageTable, SEVERAL, TOOL } from '../../../transcript/table.js';
import type { Part } from '../../../transcript/types.js';
import { eachItem, isText } from './tape.js';

export interface Tabler {
  /** What a table is told of such messages. */
  readonly traits: Parameters<MessageTable['clear']>[1];
  /** Adds the message at a tape index. Returns whether it fits. */
  add(source: JsonSource, at: number, table: MessageTable): boolean;
  /**
   * The ranges that a message at a tape index loses with some of its calls or results, one behind the other: each start
   * and end. Undefined where the format has to write it, because more may change.
   */
  cuts(source: JsonSource, at: number, isGone: IsGone): readonly number[] | undefined;
}

/** Fills a table with the messages of a list. Returns whether all of them fit. */
export function fill({ traits, add }: Tabler, { source, at }: JsonNode, table: MessageTable): boolean {
  table.clear(source, traits);
  return eachItem(source, at, add, table);
}

/** Whether a part goes; asked for each call and result of a message in order. */
export type IsGone = (part: Pick<Part, 'type'>) => boolean;

export function addRow({ tape }: JsonSource, at: number, role: number, { messages }: MessageTable): number {
  const row = messages.add();
  const { of } = messages;
  of.role[row] = role;
  of.at[row] = at;
  of.start[row] = tape[at + 1]!;
  of.end[row] = tape[at + 2]!;
  of.says[row] = of.text[row] = of.thinks[row] = of.goesOn[row] = 0;
  of.textAt[row] = -1;
  return row;
}

/** The row holds all its calls and results. */
export function endRow(row: number, { messages: { of }, calls, results }: MessageTable): void {
  of.calls[row] = calls.length;
  of.results[row] = results.length;
}

/** Adds a call of the last message, by where its id, name and input stand. */
export function addCallOf(
  source: JsonSource,
  ...[id, name, input, table]: [number, number, number, MessageTable]
): boolean {
  const { calls, messages } = table;
  if (!isText(source, name) || !addId(source, id, calls, messages.length - 1)) return false;
  calls.of.name[calls.length - 1] = name;
  calls.of.input[calls.length - 1] = input;
  return true;
}

/** Makes the texts of a message those of its result. */
export function takeText(result: number, row: number, { messages, results }: MessageTable): void {
  results.of.text[result] = messages.of.text[row]!;
  results.of.at[result] = messages.of.textAt[row]!;
}

/** Results in blocks make the message one of role `tool`. Calls beside them, or more of the assistant, do not fit. */
export function addedResults(row: number, before: number, { messages: { of }, calls, results }: MessageTable): boolean {
  if (results.length === before) return true;
  const hasCalls = calls.length > 0 && calls.of.message[calls.length - 1] === row;
  of.role[row] = TOOL;
  return !hasCalls;
}

/** Adds a text to the last message. Returns whether it is one. */
export function addText(source: JsonSource, at: number, { messages: { of, length } }: MessageTable): boolean {
  if (!isText(source, at)) return false;
  const bytes = source.tape[at + 2]! - source.tape[at + 1]! - 2;
  of.text[length - 1]! += bytes;
  if (bytes === 0) return true;
  of.says[length - 1] = 1;
  of.textAt[length - 1] = of.textAt[length - 1] === -1 ? at : SEVERAL;
  return true;
}

/** Adds a call or result with this id. It has to be a text that equals its bytes, and not empty. */
export function addId(
  source: JsonSource,
  at: number,
  columns: MessageTable['calls'] | MessageTable['results'],
  message: number,
): boolean {
  if (!isText(source, at) || (source.tape[at]! & ESCAPED) !== 0) return false;
  const row = columns.add();
  columns.of.message[row] = message;
  columns.of.id[row] = source.tape[at + 1]! + 1;
  columns.of.isName[row] = 0;
  columns.of.idEnd[row] = source.tape[at + 2]! - 1;
  return columns.of.idEnd[row]! > columns.of.id[row]!;
}
