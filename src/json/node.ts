/**
 * JSON values as light nodes over a tape: a node decodes only what it is asked for, so a value that nobody looks at is
 * never built, and a value that nobody changes is printed as the bytes it came in.
 */
import {
  ARRAY,
  createScan,
  ENTRY,
  ESCAPED,
  FALSE,
  INVALID,
  KIND,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  Tape,
  TRUE,
  WIDE,
} from './scan.js';

declare global {
  interface Buffer {
    // Node's own fast paths: `toString` picks between them at every call.
    latin1Slice(start?: number, end?: number): string;
    utf8Slice(start?: number, end?: number): string;
  }
}

/** The bytes of a scanned value and its tape, which may be longer than the value's own. Offsets count from the start of `bytes`. */
export interface JsonSource {
  readonly bytes: Buffer;
  readonly tape: Int32Array;
  /** Texts that were decoded, by their place on the tape: whoever asks has a node of its own. */
  texts?: Map<number, string>;
}

export type JsonKind = 'null' | 'boolean' | 'number' | 'string' | 'object' | 'array';

const KIND_NAMES: Record<number, JsonKind> = {
  [NULL]: 'null',
  [TRUE]: 'boolean',
  [FALSE]: 'boolean',
  [NUMBER]: 'number',
  [STRING]: 'string',
  [OBJECT]: 'object',
  [ARRAY]: 'array',
};

export class JsonNode {
  private decoded: string | undefined = undefined;

  constructor(
    readonly source: JsonSource,
    /** The index of this value's entry on the tape. */
    readonly at: number,
  ) {}

  get kind(): JsonKind {
    return KIND_NAMES[this.source.tape[this.at]! & KIND]!;
  }

  get isObject(): boolean {
    return (this.source.tape[this.at]! & KIND) === OBJECT;
  }

  get isArray(): boolean {
    return (this.source.tape[this.at]! & KIND) === ARRAY;
  }

  get isString(): boolean {
    return (this.source.tape[this.at]! & KIND) === STRING;
  }

  get isNull(): boolean {
    return (this.source.tape[this.at]! & KIND) === NULL;
  }

  /** Where the value's bytes begin, counted from the start of the source's bytes. */
  get start(): number {
    return this.source.tape[this.at + 1]!;
  }

  /** Where the value's bytes end (exclusive). */
  get end(): number {
    return this.source.tape[this.at + 2]!;
  }

  /** An upper bound of the text's length, in bytes and so in characters: known without decoding. */
  get byteLength(): number {
    return this.end - this.start - (this.isString ? 2 : 0);
  }

  /** Whether the text has as many characters as bytes, one for one. */
  get isPlain(): boolean {
    return this.source.tape[this.at] === STRING;
  }

  /** Whether the text is the very bytes (of a string, those between its quotes). */
  get isVerbatim(): boolean {
    return (this.source.tape[this.at]! & ESCAPED) === 0;
  }

  /** The decoded text of a string; of any other value, its JSON as it is written. */
  get text(): string {
    this.decoded ??= this.isString ? this.decode() : this.source.bytes.utf8Slice(this.start, this.end);
    return this.decoded;
  }

  private decode(): string {
    const { source, at } = this;
    if (this.end - this.start < LONG) return decodeString(source, at);
    source.texts ??= new Map();
    const text = source.texts.get(at) ?? decodeString(source, at);
    source.texts.set(at, text);
    return text;
  }

  /** The member of that name; of several, the last, as JSON.parse takes it. Undefined where there is none, or no object. */
  get(key: string): JsonNode | undefined {
    const { tape } = this.source;
    if ((tape[this.at]! & KIND) !== OBJECT) return undefined;
    const end = tape[this.at + 3]!;
    let found = -1;
    for (let i = this.at + ENTRY; i < end; i = tape[i + ENTRY + 3]!) if (isKey(this.source, i, key)) found = i + ENTRY;
    return found < 0 ? undefined : new JsonNode(this.source, found);
  }

  /**
   * Where on the tape the members of these names stand, as `get` finds them, in one walk: -1 where there is none. The answer is
   * overwritten by the next search for the same keys. For what is read of every message, where a node each would cost too much.
   */
  find(keys: Keys): Int32Array {
    const { tape } = this.source;
    const { found } = keys;
    found.fill(-1);
    if ((tape[this.at]! & KIND) !== OBJECT) return found;
    const end = tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = tape[i + ENTRY + 3]!) {
      const index = keys.indexOf(this.source, i);
      if (index >= 0) found[index] = i + ENTRY;
    }
    return found;
  }

  /** The node at a place that `find` told; undefined for -1. */
  nodeAt(at: number): JsonNode | undefined {
    return at < 0 ? undefined : new JsonNode(this.source, at);
  }

  /** Which of these names the string at a place that `find` told is; -1 where it is none of them, or there is none. */
  nameAt(at: number, names: Keys): number {
    return at >= 0 && (this.source.tape[at]! & KIND) === STRING ? names.indexOf(this.source, at) : -1;
  }

  /** The string at a place that `find` told; undefined where there is none, or another kind. */
  stringAt(at: number): string | undefined {
    return at >= 0 && (this.source.tape[at]! & KIND) === STRING ? decodeString(this.source, at) : undefined;
  }

  /** Whether something other than null stands at a place that `find` told. */
  isAt(at: number): boolean {
    return at >= 0 && (this.source.tape[at]! & KIND) !== NULL;
  }

  /** How many elements an array has. */
  get length(): number {
    const { tape } = this.source;
    if ((tape[this.at]! & KIND) !== ARRAY) return 0;
    let length = 0;
    const end = tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = tape[i + 3]!) length++;
    return length;
  }

  /** The elements of an array, or the first of them; none of anything else. */
  items(most = Number.POSITIVE_INFINITY): JsonNode[] {
    const { source } = this;
    const length = Math.min(this.length, most);
    const items = new Array<JsonNode>(length); // an array that grows is copied as it grows
    for (let index = 0, at = this.at + ENTRY; index < length; index++, at = source.tape[at + 3]!)
      items[index] = new JsonNode(source, at);
    return items;
  }

  /** The members of an object in their order, repeated keys included; none of anything else. */
  members(): { key: JsonNode; value: JsonNode }[] {
    const { tape } = this.source;
    const members: { key: JsonNode; value: JsonNode }[] = [];
    if ((tape[this.at]! & KIND) !== OBJECT) return members;
    const end = tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = tape[i + ENTRY + 3]!)
      members.push({ key: new JsonNode(this.source, i), value: new JsonNode(this.source, i + ENTRY) });
    return members;
  }

  /** The text of a string; undefined for any other kind. */
  get string(): string | undefined {
    return this.isString ? this.text : undefined;
  }

  /** The value of a number, with JavaScript's precision; undefined for any other kind. */
  get number(): number | undefined {
    return (this.source.tape[this.at]! & KIND) === NUMBER ? Number(this.text) : undefined;
  }

  get boolean(): boolean | undefined {
    const kind = this.source.tape[this.at]! & KIND;
    return kind === TRUE ? true : kind === FALSE ? false : undefined;
  }

  /** Whether both stand for the same place of the same source. */
  is(other: unknown): boolean {
    return other instanceof JsonNode && other.at === this.at && other.source === this.source;
  }
}

/** Names to find together, of members or as values: sorted by length once, so that most are told apart without a look at their letters. */
export class Keys {
  readonly found: Int32Array;
  private readonly byLength: (readonly number[] | undefined)[] = [];

  constructor(readonly names: readonly string[]) {
    this.found = new Int32Array(names.length);
    names.forEach((name, index) => {
      this.byLength[name.length] = [...(this.byLength[name.length] ?? []), index];
    });
  }

  /** Which of the names the string at `at` of the tape is; -1 where none. */
  indexOf(source: JsonSource, at: number): number {
    const { tape } = source;
    if ((tape[at]! & SPELLED) !== 0) return this.names.indexOf(decodeString(source, at));
    const candidates = this.byLength[tape[at + 2]! - tape[at + 1]! - 2];
    if (candidates === undefined) return -1;
    for (let i = 0; i < candidates.length; i++)
      if (isKey(source, at, this.names[candidates[i]!]!)) return candidates[i]!;
    return -1;
  }
}

/** A string whose bytes are not its characters one by one. */
const SPELLED = ESCAPED | WIDE;

/** Whether the string at `at` of the tape, decoded, equals `text`. */
function isKey(source: JsonSource, at: number, text: string): boolean {
  const { bytes, tape } = source;
  if ((tape[at]! & SPELLED) !== 0) return decodeString(source, at) === text;
  const start = tape[at + 1]! + 1;
  if (tape[at + 2]! - start - 1 !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

function decodeString({ bytes, tape }: JsonSource, at: number): string {
  const flags = tape[at]!;
  const start = tape[at + 1]!;
  const end = tape[at + 2]!;
  if (flags === STRING && end - start <= SHORT) return shortString(bytes, start + 1, end - 1);
  if ((flags & ESCAPED) !== 0) return JSON.parse(bytes.utf8Slice(start, end)) as string;
  return (flags & WIDE) !== 0 ? bytes.utf8Slice(start + 1, end - 1) : bytes.latin1Slice(start + 1, end - 1);
}

/** From so many bytes on, decoding a text again costs more than keeping it. */
const LONG = 256;

/** Roles, types, names of tools: short strings come again and again, and finding one is cheaper than making one. */
const SHORT = 26;
const shortStrings: string[] = new Array(1024).fill('');

function shortString(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  const slot = (length * 31 + bytes[start]! * 7 + bytes[end - 1]! * 13 + bytes[start + (length >> 1)]! * 3) & 1023;
  const known = shortStrings[slot]!;
  if (known.length === length) {
    let i = 0;
    while (i < length && known.charCodeAt(i) === bytes[start + i]) i++;
    if (i === length) return known;
  }
  const text = bytes.latin1Slice(start, end);
  shortStrings[slot] = text;
  return text;
}

const scratch = new Tape();
const scan = createScan();

/** One whole JSON text as a node. Throws SyntaxError, as JSON.parse does. */
export function parse(text: string | Uint8Array): JsonNode {
  const content = Buffer.from(text);
  const bytes = Buffer.alloc(content.length + 1); // the scan's sentinel
  content.copy(bytes);
  const end = scan(bytes, 0, content.length, true, scratch);
  if (end < 0) throw new SyntaxError(end === INVALID ? scratch.error : 'the JSON ends in the middle of a value');
  const tape = scratch.keep();
  if (skipSpace(bytes, end) < content.length) throw new SyntaxError('expected the end of the JSON');
  return new JsonNode({ bytes, tape }, 0);
}

/** The offset of the first byte at or after `at` that is no JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  for (let byte = bytes[i]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[i]) i++;
  return i;
}
