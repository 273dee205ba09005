/**
 * The messages of a transcript as rows of integers, without an object for any of them: enough for steps that ask who
 * spoke, which result answers which call, and how long a result is. docs/how-it-works.md says where it is used.
 */
import type { Message, Part, ResultPart, Role } from './types.js';

/** Columns of integers that grow together. */
export class Columns<Name extends string> {
  length = 0;
  readonly of: Record<Name, Int32Array>;
  private room = 64;

  constructor(private readonly names: readonly Name[]) {
    this.of = Object.fromEntries(names.map((name) => [name, new Int32Array(this.room)])) as Record<Name, Int32Array>;
  }

  /** Adds a row, which may hold anything; returns its index. */
  add(): number {
    if (this.length === this.room) {
      this.room *= 2;
      for (const name of this.names) {
        const longer = new Int32Array(this.room);
        longer.set(this.of[name]);
        this.of[name] = longer;
      }
    }
    return this.length++;
  }
}

/** The roles by their number in a table. */
export const ROW_ROLES = ['system', 'user', 'assistant', 'tool'] as const satisfies readonly Role[];
export const [SYSTEM, USER, ASSISTANT, TOOL] = [0, 1, 2, 3] as const;

/** The bytes of a record, and its tape. */
interface Scanned {
  readonly bytes: Buffer;
  readonly tape: Int32Array;
}

const NOTHING: Message = { role: 'meta', parts: [] };

/** Ids are ranges of the bytes, compared as such. Calls and results of a message end where those of the next begin. */
export class MessageTable {
  source: Scanned = { bytes: Buffer.alloc(0), tape: new Int32Array() };
  /** By message, where each is a line of a log. */
  private readonly lines: Scanned[] = [];
  /** Reads the message of a row. */
  read: (row: number) => Message = () => NOTHING;
  /** The bytes of the record that holds the messages. */
  size = 0;
  /** Those of system prompts beside the list of messages, and how many messages these are. */
  beside = 0;
  prompts = 0;
  /** Whether something in a message is neither a text nor a call: media, or what the format does not know. */
  hasMore = false;
  /** Whether results say by a flag that they are errors. */
  flagsErrors = false;
  /** Whether each piece of a message of the model is a row. */
  inPieces = false;
  /** Whether results in a row, each in a message of its own, have to be joined. */
  joinsResults = false;
  /**
   * `start`, `end`: where it stands in the bytes; `at`: its index on the tape. `says`: 1 if it holds content besides
   * calls, results and thoughts. `text`: the bytes of its texts. `textAt`: the index on the
   * tape of the only one; -1 without one, or `SEVERAL`. `calls`, `results`: the index after its last one. Of pieces:
   * `thinks`: 1 if it is reasoning; `goesOn`: 1 if it belongs to the message of the row before it.
   */
  readonly messages = new Columns([
    ...(['role', 'at', 'start', 'end', 'says', 'text', 'textAt', 'calls', 'results'] as const),
    ...(['thinks', 'goesOn'] as const),
  ]);
  /** `name`, `input`: on the tape; -1 without input. `isName`: 1 if it has no id, so that `id` is its name. */
  readonly calls = new Columns(['message', 'id', 'idEnd', 'isName', 'name', 'input']);
  /** `at`: as `textAt`. `failed`: 1 if it is flagged as an error. `isName`: as in calls. */
  readonly results = new Columns(['message', 'id', 'idEnd', 'isName', 'text', 'at', 'failed']);

  clear(source: Scanned, { flagsErrors, inPieces = false }: { flagsErrors: boolean; inPieces?: boolean }): void {
    this.source = source;
    this.flagsErrors = flagsErrors;
    this.inPieces = inPieces;
    this.hasMore = false;
    this.size = 0;
    this.messages.length = this.calls.length = this.results.length = this.lines.length = 0;
  }

  /** The last message stands in a line of its own. */
  addLine(): void {
    this.lines.push(this.source);
  }

  sourceOf(message: number): Scanned {
    return this.lines[message] ?? this.source;
  }

  sourceOfCall(call: number): Scanned {
    return this.sourceOf(this.calls.of.message[call]!);
  }

  sourceOfResult(result: number): Scanned {
    return this.sourceOf(this.results.of.message[result]!);
  }

  readResult(result: number): ResultPart {
    const row = this.results.of.message[result]!;
    return this.read(row).parts.filter((part) => part.type === 'result')[result - this.firstResult(row)]!;
  }

  firstCall(message: number): number {
    return message === 0 ? 0 : this.messages.of.calls[message - 1]!;
  }

  firstResult(message: number): number {
    return message === 0 ? 0 : this.messages.of.results[message - 1]!;
  }

  /** More tokens than a request with these messages can have: a token is a byte at least, an image may be of many. */
  mostTokens(): number {
    return this.hasMore ? Number.POSITIVE_INFINITY : TOKENS_PER_BYTE * this.size + TOKENS_PER_REQUEST;
  }

  /** The bytes of all texts of a role. */
  textOf(role: number): number {
    const { role: roles, text } = this.messages.of;
    let sum = 0;
    for (let i = 0; i < this.messages.length; i++) if (roles[i] === role) sum += text[i]!;
    return sum;
  }
}

/** Above the factors of all estimates, and the overhead of messages by their bytes as JSON. */
const TOKENS_PER_BYTE = 2;
/** Above what models add to a request, such as the prompt for tools. */
const TOKENS_PER_REQUEST = 2000;

/** In place of an index on the tape. */
export const SEVERAL = -2;

/** What a step makes of a table: nothing new, or what becomes of each message. */
export type RowPlan = 'same' | RowChanges;

export interface RowChanges {
  /** By message: `STAYS`, `GOES` or `CHANGES`; `LOSES` is a change, too: some calls or results go, the rest stays. */
  readonly fates: Uint8Array;
  /** For a message that loses parts: whether one goes. Asked for each call and result in order. */
  isGone?(row: number): (part: Pick<Part, 'type'>) => boolean;
  /** The message of a row that changes; undefined if nothing is left of it. */
  change(message: Message, row: number): Message | undefined;
}
export const [STAYS, GOES, CHANGES, LOSES] = [0, 1, 2, 3] as const;

export interface RowPairs {
  /** The call that each result answers. */
  readonly callOf: Int32Array;
  /** The result of each call; -1 if it is open. */
  readonly resultOf: Int32Array;
  /** Two calls of one message have the same id. */
  readonly repeatsIds: boolean;
}

/** With more calls in a message, comparing each with each would take long. */
const MANY = 64;

/**
 * Pairs results with calls as `pair` does. Undefined unless each result answers a call of the message before its run,
 * and those of one message come in the order of their calls: what is harder is left to `pair`.
 */
export function pairRows(table: MessageTable): RowPairs | undefined {
  const { messages, calls, results } = table;
  const callOf = new Int32Array(results.length);
  const resultOf = new Int32Array(calls.length).fill(-1);
  let repeatsIds = false;
  let first = 0; // the calls before the current run of results
  let end = 0;
  let result = 0;
  for (let message = 0; message < messages.length; message++) {
    const resultsEnd = messages.of.results[message]!;
    if (result === resultsEnd) {
      const goesOn = messages.of.goesOn[message] === 1;
      if (!goesOn) first = table.firstCall(message);
      end = messages.of.calls[message]!;
      if (end - first > MANY) return undefined;
      repeatsIds ||= end - first > 1 && hasRepeatedId(table, first, end);
      if (goesOn && repeatsIds) return undefined;
    }
    for (let last = -1; result < resultsEnd; result++) {
      const call = openCall(table, result, first, end, resultOf);
      if (call <= last) return undefined;
      last = callOf[result] = call;
      resultOf[call] = result;
    }
  }
  return { callOf, resultOf, repeatsIds };
}

/** The first open call with the id of a result, or with its name where neither has one; -1 if there is none. */
function openCall(
  table: MessageTable,
  result: number,
  ...[first, end, resultOf]: [first: number, end: number, resultOf: Int32Array]
): number {
  const { calls, results } = table;
  const { bytes } = table.sourceOfResult(result);
  for (let call = first; call < end; call++)
    if (
      resultOf[call]! < 0 &&
      calls.of.isName[call] === results.of.isName[result] &&
      hasSameId(table.sourceOfCall(call).bytes, calls.of, call, bytes, results.of, result)
    )
      return call;
  return -1;
}

function hasRepeatedId(table: MessageTable, first: number, end: number): boolean {
  const { of } = table.calls;
  for (let one = first + 1; one < end; one++)
    for (let other = first; other < one; other++)
      if (of.isName[one] === 0 && of.isName[other] === 0)
        if (hasSameId(table.sourceOfCall(one).bytes, of, one, table.sourceOfCall(other).bytes, of, other)) return true;
  return false;
}

interface Ids {
  readonly id: Int32Array;
  readonly idEnd: Int32Array;
}

/** Whether two ids, each in its bytes, are equal. */
function hasSameId(
  ...[bytes, ids, row, others, otherIds, other]: [Uint8Array, Ids, number, Uint8Array, Ids, number]
): boolean {
  const [from, start] = [ids.id[row]!, otherIds.id[other]!];
  const length = ids.idEnd[row]! - from;
  if (length !== otherIds.idEnd[other]! - start) return false;
  for (let i = length - 1; i >= 0; i--) if (bytes[from + i] !== others[start + i]) return false; // ids begin alike
  return true;
}
