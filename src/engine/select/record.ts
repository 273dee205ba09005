/** A record of a dataset, as conditions ask about it: from the table of its messages where that tells. */
import { JsonNode } from '../../json/node.js';
import type { Opened } from '../../source/piece.js';
import type { Message, ResultPart, Text, Transcript } from '../../transcript/types.js';
import { isFailure } from '../../transforms/failures.js';

export interface DataRecord {
  readonly file: string;
  /** The format of the file. */
  readonly format: string;
  /** Undefined: a value without messages. */
  readonly piece: Opened | undefined;
  /** That value. */
  readonly value: JsonNode | undefined;
}

/** The values that it consists of: one, or the lines of a log. */
export function rootsOf({ piece, value }: DataRecord): readonly JsonNode[] {
  if (piece === undefined) return value === undefined ? [] : [value];
  if (piece.roots !== undefined) return piece.roots;
  const raws = piece.transcripts.flatMap(({ messages }) => messages.map(({ raw }) => raw));
  return raws.filter((raw) => raw instanceof JsonNode);
}

export function transcriptsOf({ piece }: DataRecord): readonly Transcript[] {
  return piece?.transcripts ?? [];
}

export function messagesIn(record: DataRecord): number {
  const table = record.piece?.tabled?.table;
  if (table !== undefined) return table.messages.length + table.prompts;
  return spokenIn(record).length;
}

export function callsIn(record: DataRecord): number {
  const table = record.piece?.tabled?.table;
  if (table !== undefined) return table.calls.length;
  return spokenIn(record).reduce((sum, { parts }) => sum + parts.filter(({ type }) => type === 'call').length, 0);
}

/** The names of the tools that are called. */
export function toolsIn(record: DataRecord): readonly string[] {
  const table = record.piece?.tabled?.table;
  if (table === undefined)
    return spokenIn(record).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.tool] : [])));
  const { source, calls } = table;
  return Array.from({ length: calls.length }, (_, call) => new JsonNode(source, calls.of.name[call]!).text);
}

export function modelsIn(record: DataRecord): readonly string[] {
  const tabled = record.piece?.tabled;
  const { model, reply } = tabled?.describe() ?? {};
  const named =
    tabled === undefined
      ? transcriptsOf(record).flatMap((one) => [one.model, ...one.messages.map((message) => message.model)])
      : [model, reply?.model];
  return named.filter((name) => name !== undefined);
}

export function hasFailure(record: DataRecord): boolean {
  return transcriptsOf(record).some(({ messages, traits }) =>
    messages.some(({ parts }) => parts.some((part) => part.type === 'result' && isFailure(part, traits))),
  );
}

/** All that was said, called and answered, in order. */
export function* textsIn(record: DataRecord): Generator<Text, void, void> {
  for (const { parts } of spokenIn(record))
    for (const part of parts) {
      if (part.type === 'call') yield* [part.tool, part.input];
      else if (part.type === 'result') yield* contentOf(part);
      else if (part.type !== 'media' && part.text !== undefined) yield part.text;
    }
}

function contentOf({ content }: ResultPart): Text[] {
  return content.flatMap((part) => (part.type === 'media' || part.text === undefined ? [] : [part.text]));
}

function spokenIn(record: DataRecord): Message[] {
  return transcriptsOf(record).flatMap(({ messages }) => messages.filter(({ role }) => role !== 'meta'));
}
