/** What a format is: a lens over one message, and the places in a record where its messages stand. */
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Replacement } from '../json/print.js';
import type { LazyText, Message, Recorded, Traits } from '../transcript/types.js';
import type { Encode } from './encode.js';

/** What lines may be read for: those without any of it can be passed over. */
export type ScanHint = 'toolCalls' | 'usage';

/**
 * A lens with two laws: `write(read(raw))` is `raw` itself, and `read(write(message))` equals `message`.
 * A format is one file that exports one of these, and one entry in index.ts. Only the first half is needed; every other hook is for
 * formats that say something more than once, or somewhere else than in their messages.
 */
export interface Format {
  /** Provider and surface, in kebab-case: the name for `--from`, of the file and of the fixture folder. */
  readonly id: string;
  readonly traits: Traits;
  /**
   * Paths to the messages inside a record, most particular first: `data.messages`; `runs[].messages` is a transcript for each
   * run; `=system? + messages` puts the value of `system`, where there is one, before the list as a message (`read` gets the
   * value itself); `request.messages > response.choices[0].message` is a request and its reply.
   */
  readonly messagePaths: readonly string[];
  /** One of these stands in the bytes of every value that holds a call or a result, or (in a line of a log) says what a request used and of which model it was. */
  readonly byteHints?: Readonly<Partial<Record<ScanHint, readonly string[]>>>;
  /** How surely a value is a message of this format: 0 (no) to 1. Below 0 it proves that the transcript is of another. */
  score(raw: JsonNode): number;
  /** Whether a record says that the messages in it are of this format, where they themselves may be of another. */
  vouches?(record: JsonNode): boolean;
  /**
   * Throws TranscriptError with the path inside the message where a value is of the wrong type. `isBeside`: the value stands beside
   * the list of messages (`=system`): it is the system prompt.
   */
  read(raw: JsonNode, isBeside?: boolean): Message;
  /** `near`: a value beside which a message is added that was not read: what has several spellings is spelled as that is. */
  write(message: Message, near?: JsonNode): Json;

  // what a recording says besides its messages

  /** What a record says about a transcript as a whole: of several in it, the one whose messages stand (or begin) in `list`. */
  describe?(record: JsonNode, list?: JsonNode): Description;
  /** What a line of a log says about the log as a whole. Of what several lines say, the first holds. */
  header?(line: JsonNode): Description;
  /** What a message, or a line of a log that is none, says of the request behind it: itself, or the record that it stands in. */
  recorded?(raw: JsonNode, record?: JsonNode): Recorded | undefined;

  // what depends on other messages, or repeats them

  /** After all lines of a log were read: its messages as the agent loads them, of what was written again as it grew the last. Others become records. */
  afterRead?(messages: readonly Message[]): readonly Message[];
  /** Where a list holds several agents: which message is whose. Undefined where it holds but one. */
  threads?(messages: readonly Message[]): Agents | undefined;
  /**
   * Before the rows of a log, or the elements of a list, are written: links and fields that depend on their neighbours, and rows that
   * repeat others. A row that is undefined goes; an array is several rows. Rows behind those that were given are written too, where
   * nothing else is left.
   */
  beforeWrite?(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[];
  /** The same for values outside of all lists of a record that repeat its messages, as events or steps: asked where some changed or went. */
  echo?(record: JsonNode, changes: readonly Echoed[]): readonly Replacement[];

  // messages that are no values of a record

  /** Where a record holds its messages in another shape than a list. Asked after the places. */
  readonly envelope?: Envelope;
  /** Where only all records of a file together hold transcripts, as the spans of a trace do. */
  readonly bundle?: Bundle;
  /** Of a record that is of this format and holds no messages: what it lacks, to be told to the user. */
  explainEmpty?(record: JsonNode): string | undefined;

  // other formats

  /** The format whose messages stand in the lines of this one: their parts can go from one to the other as they are. */
  readonly wraps?: { readonly format: string; inner(raw: JsonNode): JsonNode | undefined };
  /** How `convert` writes a transcript down anew. Formats without it can only be converted from. */
  readonly encode?: Encode;
}

/** The agents behind a list of messages. */
export interface Agents {
  /** The one that each message is of; undefined for those of the main line. */
  readonly of: readonly (string | undefined)[];
  /** The indices of all messages, where those of an agent may stand in another order than it said them. */
  readonly order?: readonly number[];
}

/** How to get at messages that stand in a record as JSON in strings, or as keys of an object, or in several lists. */
export interface Envelope {
  /** A list of messages for each transcript; undefined where the record is no such envelope. */
  open(record: JsonNode): readonly JsonNode[] | undefined;
  /** The record with other lists: those that did not change are the very nodes that `open` gave. */
  close(record: JsonNode, lists: readonly Json[]): Json;
  /** What is said of a list on top of what the format says of its record. */
  describe?(list: JsonNode): Description;
}

/** The same for all values of a file at once: a line, or an element of a top-level array, is one record. */
export interface Bundle {
  /** A list of messages for each transcript; undefined where the records are no such bundle. */
  open(records: readonly JsonNode[]): readonly JsonNode[] | undefined;
  /** The records, in their order, with other lists. Those without a change are the very nodes. */
  close(records: readonly JsonNode[], lists: readonly Json[]): readonly Json[];
  describe(list: JsonNode): Description;
}

/** A message of a log or a list, about to be written. */
export interface Row {
  /** The record that it was read from; undefined where it was added. */
  readonly node: JsonNode | undefined;
  readonly message: Message;
  readonly json: Json;
}

/** A message that was read from a record, and what becomes of it. */
export interface Echoed {
  readonly before: Message;
  /** What stands in its place; undefined where it went. Where nothing happened to it, `before` itself. */
  readonly after: Message | undefined;
  /** The value that `after` is written as. */
  readonly json: Json | undefined;
}

/** What is said of a transcript as a whole. */
export interface Description {
  readonly id?: string;
  readonly model?: string;
  readonly tools?: LazyText;
  /** Of the request whose reply ends the record. */
  readonly reply?: Recorded;
  /** Where the transcript does not follow the traits of its format. */
  readonly traits?: Traits;
}

/** Types a format: `export default defineFormat({...})`. */
export function defineFormat(format: Format): Format {
  return format;
}
