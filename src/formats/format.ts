/**
 * The contract of a transcript format.
 *
 * A format is a lens over one message. `read` turns a JSON value into a `Message`, and `write` turns a message back
 * into JSON. Two laws hold for every message of every fixture (test/laws/messages.test.ts):
 *
 * 1. `write(read(raw))` is `raw`, the same node: what nobody edited keeps its bytes.
 * 2. `read(write(message))` equals `message`: what was edited or added is not lost.
 *
 * To keep the first law, store the source value in `raw` on the message and on each part, and write an edited message
 * as a `patch` of its `raw`, never from scratch. Fields that no one here knows then survive every edit.
 *
 * Which members a format needs:
 * - always: `id`, `traits`, `messagePaths`, `score`, `read`, `write`
 * - model, tools, usage, time and cost: `describe` (a record), `header` (a log), `recorded` (a message or line)
 * - lines that link to or repeat other lines: `afterRead`, `beforeWrite`; values that do so outside of the message
 *   lists: `syncDuplicates`
 * - sub-agents and abandoned branches in one list, and messages in another order than that of the list: `threads`
 * - a log whose requests can be read without its content: `ledger`
 * - messages that are not values of a record (JSON in strings, keys of an object, spans): `envelope` (one record holds
 *   whole transcripts) or `bundle` (only all records together do)
 * - target of `ctx-trim convert`: `encode`
 */
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Replacement } from '../json/print.js';
import type { LazyText, Message, Part, Recorded, Traits } from '../transcript/types.js';
import type { Encode } from './encode.js';

/** What a reader looks for in a file. It can skip values whose bytes contain no hint for it. */
export type ScanHint = 'toolCalls' | 'usage';

/** A transcript format: see the head of this file for the laws, and for when to implement which optional member. */
export interface Format {
  /** Provider and surface in kebab-case. Also the value of `--from`, the file name and the fixture folder. */
  readonly id: string;
  /** Of a plugin's format: its name in lists. Our own formats have theirs in the registry, as they load on demand. */
  readonly title?: string;
  /** Of a plugin's format: see src/formats/index.ts. Without them, it always comes into question. */
  readonly signatures?: readonly string[];
  readonly traits: Traits;
  /**
   * Paths to the message lists inside a record; detection uses the first one that fits, so put the most specific first.
   * Empty for a log, whose lines are the messages.
   * - `data.messages`: the list at this path
   * - `runs[].messages`: one transcript per run
   * - `=system? + messages`: the value of `system`, if present, becomes the first message (`read` gets the value
   *   itself)
   * - `request.messages > response.choices[0].message`: a request and its reply
   * - `~input`: the string there is a message of the user (`read` gets it with `isBeside` false)
   *
   * A list may also be a string that holds it as JSON.
   */
  readonly messagePaths: readonly string[];
  /**
   * Substrings for skipping values without decoding them. Every value that holds a call or a result must contain one of
   * `toolCalls`; every log line that states usage or a model must contain one of `usage`. No hints: nothing is skipped.
   */
  readonly byteHints?: Readonly<Partial<Record<ScanHint, readonly string[]>>>;
  /**
   * How likely a value is a message of this format: 0 (unknown) to 1 (certain). A negative score rejects the format for
   * the whole transcript: only another format writes such a value.
   */
  score(raw: JsonNode): number;
  /**
   * Whether a value is the body of a response that is itself the message. Such values are not one conversation: each is
   * a transcript.
   */
  isResponse?(value: JsonNode): boolean;
  /** Whether the fields around the messages identify this format. Breaks ties between formats with similar messages. */
  claimsRecord?(record: JsonNode): boolean;
  /** Whether a record is a body of this API, whatever its messages are. `isNamed`: the user named the API. */
  claimsBody?(record: JsonNode, isNamed: boolean): boolean;
  /**
   * Reads one message. `isBeside`: the value is a system prompt from outside of the message list (`=system`).
   * Throws TranscriptError, with the path inside the message, if a value has the wrong type.
   */
  read(raw: JsonNode, isBeside?: boolean): Message;
  /** Writes one message. `near`: an existing neighbor of an added message, for formats with several spellings. */
  write(message: Message, near?: JsonNode): Json;
  /** The parts by round of the model, where one message can hold several rounds: `convert` makes a message of each. */
  rounds?(message: Message): readonly (readonly Part[])[];

  // --- metadata

  /**
   * Metadata of a transcript in a record. `list`: the list of its messages, if the record holds several transcripts.
   */
  describe?(record: JsonNode, list?: JsonNode): Description;
  /** Metadata that one line of a log states about the whole log. The first line that states a field wins. */
  header?(line: JsonNode): Description;
  /** The title that lines state anywhere in a log, also far from its start. */
  titleIn?(messages: readonly Message[]): string | undefined;
  /** Usage, model, time and cost of the request behind a message or log line. `record`: the record around it. */
  recorded?(raw: JsonNode, record?: JsonNode): Recorded | undefined;

  // --- messages that depend on, or repeat, others

  /**
   * Runs once all messages of a log are read. Returns the messages that the agent itself would load: of several
   * versions of one message only the last. Messages that it would ignore get the role `meta`.
   */
  afterRead?(messages: readonly Message[]): readonly Message[];
  /** Assigns each message to an agent or abandoned branch. Undefined if the list holds only one, in its order. */
  threads?(messages: readonly Message[]): Agents | undefined;
  /** For reading only the requests of a log: lines without their content. */
  readonly ledger?: LedgerLines;
  /**
   * Runs before the rows of a log, or the elements of a list, are written. Updates parent links and rows that repeat
   * others, and completes added rows. Returns one entry per row: undefined removes the row, an array becomes several
   * rows. Entries beyond the given rows are appended, but only if no other row is left. `before`: the original rows.
   * `placeOf`: of a log only the lines that an edit concerns are given, none is added, and this is where each stands.
   */
  beforeWrite?(
    rows: readonly Row[],
    before: readonly JsonNode[],
    placeOf?: ReadonlyMap<JsonNode, number>,
  ): readonly (Json | undefined)[];
  /** By which strings the lines of a log refer to each other: so `beforeWrite` need not see all of them. */
  readonly echoes?: Echoes;
  /** Updates values outside of the message lists (events, steps) that repeat changed or removed messages. */
  syncDuplicates?(record: JsonNode, changes: readonly MessageChange[]): readonly Replacement[];

  // --- messages that are not values of a record

  /** For records that hold messages in another shape than a list. Tried after `messagePaths`. */
  readonly envelope?: Envelope;
  /** For files whose records only together hold transcripts, such as the spans of a trace. */
  readonly bundle?: Bundle;
  /** Of a row or record that is no message: texts that the model reads or says, unless a message repeats them. */
  beside?(row: JsonNode): readonly (JsonNode | undefined)[];
  /** Members of a record, or of a message, that repeat what its messages say: nothing in them counts as unread. */
  readonly copies?: readonly string[];
  /** For a record of this format without messages: what is missing, for the error message. */
  explainEmpty?(record: JsonNode): string | undefined;

  // --- other formats

  /** The format of the messages that this format wraps. Parts can be moved between both without conversion. */
  readonly wraps?: { readonly format: string; inner(raw: JsonNode): JsonNode | undefined };
  /** How `convert` writes a transcript in this format. Without it, the format is a source only. */
  readonly encode?: Encode;
}

/** The agents, and the abandoned branches, that share one list of messages. */
export interface Agents {
  /** The agent or branch of each message, by index; undefined for the main agent. */
  readonly agentIds: readonly (string | undefined)[];
  /** Those of them that are abandoned branches: the user went back, and the agent would not send them again. */
  readonly branches?: ReadonlyMap<string, Branch>;
  /** All message indices in chronological order, if the list has another order. */
  readonly order?: readonly number[];
}

/** Where an abandoned branch left the branch that continued. */
export interface Branch {
  /** The index of the message before it; undefined if it begins at the root. */
  readonly after: number | undefined;
}

/** What the ledger needs of the lines of a log. It must equal what the other members read. */
export interface LedgerLines {
  /**
   * `own`: no other format has such lines. `beside`: a line without a message that may stand among them. Undefined:
   * other formats have to be considered.
   */
  recognize(line: JsonNode): 'own' | 'beside' | undefined;
  read(line: JsonNode): LedgerLine;
  /** `Format.threads` by the links of its lines. */
  threads(links: readonly ThreadLink[]): Agents | undefined;
}

export type LedgerMessage = Pick<Message, 'role' | 'model'>;

export interface LedgerLine {
  /** What `Format.read` reads of it; undefined where that has to judge. */
  readonly message: LedgerMessage | undefined;
  readonly link: ThreadLink;
  /** As `Format.recorded` reads it. */
  readonly recorded: Recorded | undefined;
}

/** A line of a log as part of the tree that its links make. */
export interface TreeLine {
  readonly id: string | undefined;
  /** The id of the line before it. */
  readonly parent: string | undefined;
  /** What its message is; undefined for a line without one. `note`: a user message that the agent wrote itself. */
  readonly kind: 'prompt' | 'note' | 'reply' | 'result' | undefined;
  /** Lines with the same group are pieces of one message of the model. */
  readonly group: string | undefined;
  /** Whether it belongs to a sub-agent: it has its place in the order, but no branches. */
  readonly isSide?: boolean;
}

/** How a line of a log relates to the agents of the log. */
export interface ThreadLink extends TreeLine {
  /** The id of the sub-agent, if stated. */
  readonly agent: string | undefined;
}

/** Access to messages that a record holds as JSON in strings, as keys of an object, or in several lists. */
export interface Envelope {
  /** Returns one list of messages per transcript; undefined if the record is not such an envelope. */
  open(record: JsonNode): readonly JsonNode[] | undefined;
  /** Members of the record whose messages these are, so that a conversion loses nothing else with them. */
  readonly holders?: readonly string[];
  /** Returns the record with edited lists. Unchanged lists are the nodes that `open` returned. */
  close(record: JsonNode, lists: readonly Json[]): Json;
  /** Metadata of one list, by its index; overrides that of the record. */
  describe?(list: JsonNode, record: JsonNode, index: number): Description;
}

/** Like `Envelope`, but over all records of a file. A record is a line, or an element of a top-level array. */
export interface Bundle {
  /** The elements of each array of a file are a bundle of their own. */
  readonly eachRow?: true;
  /** Returns one list of messages per transcript; undefined if the records are not such a bundle. */
  open(records: readonly JsonNode[]): readonly JsonNode[] | undefined;
  /**
   * Returns all records, in order, with edited lists. Unchanged records are the same nodes. An array stands for several
   * records in the place of one, or for none.
   */
  close(records: readonly JsonNode[], lists: readonly Json[]): readonly Json[];
  /** Metadata of one list. */
  describe(list: JsonNode): Description;
}

/** Lines with strings that are among the marks of an edited line may have to change with it. */
export interface Echoes {
  /** Strings by which other lines refer to one that goes, or that changes. */
  marks(line: JsonNode, goes: boolean): Marks;
  /** Whether a line with a message repeats others beside it. */
  repeats?(line: JsonNode): boolean;
  /** Whether a line without a message repeats what is marked, though none of its strings is a mark. */
  mayRepeat?(line: JsonNode, marks: ReadonlySet<string>): boolean;
  /** The joined texts that a line without a message repeats in pieces. */
  joined?(line: JsonNode): readonly string[];
  /** What a line refers to is chosen among all messages with that mark: those have to be seen, too. */
  readonly areShared?: true;
}

export interface Marks {
  /** In any line. */
  readonly anywhere: readonly string[];
  /** In lines without a message. */
  readonly beside: readonly string[];
}

/** A row of a log, or an element of a list, about to be written. */
export interface Row {
  /** The row that the message was read from; undefined if the message was added. */
  readonly node: JsonNode | undefined;
  readonly message: Message;
  /** The value to write; equal to `node` if nothing changed. */
  readonly json: Json;
}

/** A message of a record before and after an edit. */
export interface MessageChange {
  readonly before: Message;
  /** The edited message; `before` itself if unchanged, undefined if removed. */
  readonly after: Message | undefined;
  /** `after` as written; undefined if removed. */
  readonly json: Json | undefined;
}

/** Metadata of a transcript. */
export interface Description {
  readonly id?: string;
  readonly model?: string;
  /** The folder in which the agent worked. */
  readonly project?: string;
  /** The id or the file of the session that it was forked from. */
  readonly forkOf?: string;
  /** What the agent or the user named the session. */
  readonly title?: string;
  readonly tools?: LazyText;
  /** The context window that the request sets, in tokens: it holds less than its model can. */
  readonly contextWindow?: number;
  /** The request whose reply ends the record. */
  readonly reply?: Recorded;
  /** Requests that no message answers. */
  readonly others?: readonly Recorded[];
  /** The traits of this transcript, if they differ from those of its format. */
  readonly traits?: Traits;
}

/** Types a format: `export default defineFormat({...})`. */
export function defineFormat(format: Format): Format {
  return format;
}
