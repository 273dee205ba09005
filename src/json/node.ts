/**
 * JSON values as light nodes over a tape. A node decodes a value only when it is read, and an unchanged value is
 * printed as its original bytes.
 */
import { decodeNumber } from './numbers.js';
import {
  ARRAY,
  createSharingScan,
  ENTRY,
  ESCAPED,
  FALSE,
  INVALID,
  KIND,
  LARGEST_COPY,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  scanInPlace,
  Tape,
  TRUE,
} from './scan.js';
import { skipSpace } from './space.js';
import { decodeEnds, decodeString, isKey, type JsonSource, type Keys } from './strings.js';

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

  /** @internal */
  constructor(
    /** @internal */
    readonly source: JsonSource,
    /** @internal The index of this value's entry on the tape. */
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

  /** The offset of the value's first byte in the source's bytes. */
  get start(): number {
    return this.source.tape[this.at + 1]!;
  }

  /** The offset after the value's last byte. */
  get end(): number {
    return this.source.tape[this.at + 2]!;
  }

  /** An upper bound of the text's length in characters, without decoding. */
  get byteLength(): number {
    return this.end - this.start - (this.isString ? 2 : 0);
  }

  /** So many bytes at both ends of the text, as they are spelled, byte by byte; all of it if it is short. */
  ends(bytes: number): string {
    const quote = Number(this.isString);
    const [start, end] = [this.start + quote, this.end - quote];
    const slice = (from: number, to: number) => this.source.bytes.latin1Slice(from, to);
    return end - start <= 2 * bytes ? slice(start, end) : slice(start, start + bytes) + slice(end - bytes, end);
  }

  /** As of `decodeEnds`: what a long string begins and ends with. */
  excerpt(characters: number): string | undefined {
    return this.isString ? decodeEnds(this.source, this.at, characters) : undefined;
  }

  /** Whether each byte is one character of the text. */
  get isPlain(): boolean {
    return this.source.tape[this.at] === STRING;
  }

  /** Whether the text equals the bytes (of a string: those between its quotes). */
  get isVerbatim(): boolean {
    return (this.source.tape[this.at]! & ESCAPED) === 0;
  }

  /** The decoded text of a string; the JSON of any other value. */
  get text(): string {
    this.decoded ??= this.isString ? this.decode() : this.json;
    return this.decoded;
  }

  /** The value as it is written. */
  get json(): string {
    return this.source.bytes.utf8Slice(this.start, this.end);
  }

  /** For `JSON.stringify`: the value. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }

  private decode(): string {
    const { source, at } = this;
    if (this.end - this.start < LONG) return decodeString(source, at);
    source.texts ??= new Map();
    const text = source.texts.get(at) ?? decodeString(source, at);
    source.texts.set(at, text);
    return text;
  }

  /**
   * The member of that name; the last of several, as in JSON.parse. Undefined if there is none, or this is no object.
   */
  get(key: string): JsonNode | undefined {
    const { tape } = this.source;
    if ((tape[this.at]! & KIND) !== OBJECT) return undefined;
    const end = tape[this.at + 3]!;
    let found = -1;
    for (let i = this.at + ENTRY; i < end; i = tape[i + ENTRY + 3]!) if (isKey(this.source, i, key)) found = i + ENTRY;
    return found < 0 ? undefined : new JsonNode(this.source, found);
  }

  /**
   * @internal The tape indices of the members with these names, as `get` finds them; -1 for those that are missing. The
   * next search for the same keys overwrites the answer. For hot paths: a node for each member would cost too much.
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

  /** The node at a tape index from `find`; undefined for -1. */
  nodeAt(at: number): JsonNode | undefined {
    return at < 0 ? undefined : new JsonNode(this.source, at);
  }

  /** @internal The index of the name that equals the string at a tape index from `find`; -1 if there is none. */
  nameAt(at: number, names: Keys): number {
    return at >= 0 && (this.source.tape[at]! & KIND) === STRING ? names.indexOf(this.source, at) : -1;
  }

  /** The string at a tape index from `find`; undefined for -1 and for other kinds. */
  stringAt(at: number): string | undefined {
    return at >= 0 && (this.source.tape[at]! & KIND) === STRING ? decodeString(this.source, at) : undefined;
  }

  /** The number at a tape index from `find`, as `number` reads it; undefined for -1 and for other kinds. */
  numberAt(at: number): number | undefined {
    return at >= 0 && (this.source.tape[at]! & KIND) === NUMBER ? decodeNumber(this.source, at) : undefined;
  }

  /** Whether the value at a tape index from `find` exists and is not null. */
  isAt(at: number): boolean {
    return at >= 0 && (this.source.tape[at]! & KIND) !== NULL;
  }

  /** The number of elements of an array; 0 for other kinds. */
  get length(): number {
    const { tape } = this.source;
    if ((tape[this.at]! & KIND) !== ARRAY) return 0;
    let length = 0;
    const end = tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = tape[i + 3]!) length++;
    return length;
  }

  /** The elements of an array, or the first `most` of them; none for other kinds. */
  items(most = Number.POSITIVE_INFINITY): JsonNode[] {
    const { source } = this;
    const length = Math.min(this.length, most);
    const items = new Array<JsonNode>(length); // an array that grows is copied as it grows
    for (let index = 0, at = this.at + ENTRY; index < length; index++, at = source.tape[at + 3]!)
      items[index] = new JsonNode(source, at);
    return items;
  }

  /** The members of an object in order, including repeated keys; none for other kinds. */
  members(): { key: JsonNode; value: JsonNode }[] {
    const { tape } = this.source;
    const members: { key: JsonNode; value: JsonNode }[] = [];
    if ((tape[this.at]! & KIND) !== OBJECT) return members;
    const end = tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = tape[i + ENTRY + 3]!)
      members.push({ key: new JsonNode(this.source, i), value: new JsonNode(this.source, i + ENTRY) });
    return members;
  }

  /** @internal Calls back for each member with the index of its name among the keys, or -1: for hot paths. */
  eachMember(keys: Keys, visit: (key: number, value: JsonNode) => void): void {
    const { source } = this;
    if ((source.tape[this.at]! & KIND) !== OBJECT) return;
    const end = source.tape[this.at + 3]!;
    for (let i = this.at + ENTRY; i < end; i = source.tape[i + ENTRY + 3]!)
      visit(keys.indexOf(source, i), new JsonNode(source, i + ENTRY));
  }

  /** The text of a string; undefined for any other kind. */
  get string(): string | undefined {
    return this.isString ? this.text : undefined;
  }

  /** The value of a number, with JavaScript's precision; undefined for any other kind. */
  get number(): number | undefined {
    return this.numberAt(this.at);
  }

  get boolean(): boolean | undefined {
    const kind = this.source.tape[this.at]! & KIND;
    return kind === TRUE || kind === FALSE ? kind === TRUE : undefined;
  }

  /** Whether an array has these elements: its own, in order. */
  hasItems(items: readonly unknown[]): boolean {
    const { source } = this;
    const end = source.tape[this.at + 3]!;
    let at = this.at + ENTRY; // the next element
    for (const item of items) {
      if (at >= end || !(item instanceof JsonNode) || item.at !== at || item.source !== source) return false;
      at = source.tape[at + 3]!;
    }
    return at === end;
  }

  /** Whether the other value is this one, or in it. */
  encloses(other: JsonNode): boolean {
    return other.source === this.source && this.start <= other.start && other.end <= this.end;
  }

  /** Whether both are the same value of the same source. */
  is(other: unknown): boolean {
    return other instanceof JsonNode && other.at === this.at && other.source === this.source;
  }
}

/** Texts of this many bytes are kept: decoding them again costs more. */
const LONG = 256;

const scratch = new Tape();
const scan = createSharingScan();

/** Parses a JSON text. Throws SyntaxError, as JSON.parse does. */
export function parse(text: string | Uint8Array): JsonNode {
  return typeof text === 'string' ? parseEnded(Buffer.from(`${text}\0`)) : parsePieces([text]);
}

/** Parses JSON that a zero byte ends, the scan's sentinel. The bytes are kept. */
export function parseEnded(bytes: Buffer): JsonNode {
  return parsed(scan(bytes, 0, bytes.length - 1, true, scratch), bytes);
}

/** Parses what the pieces are together. */
export function parsePieces(pieces: readonly Uint8Array[]): JsonNode {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const inPlace = length > LARGEST_COPY ? scanInPlace(length + 1) : undefined;
  if (inPlace === undefined) return parseEnded(Buffer.concat([...pieces, END]));
  let at = 0;
  for (const piece of pieces) {
    inPlace.bytes.set(piece, at);
    at += piece.length;
  }
  return parsed(inPlace.scan(0, length, true, scratch), inPlace.bytes);
}

const END = new Uint8Array(1);

/** The value of which the scan said that it ends there. */
function parsed(end: number, bytes: Buffer): JsonNode {
  if (end < 0) throw new SyntaxError(end === INVALID ? scratch.error : 'the JSON ends in the middle of a value');
  if (skipSpace(bytes, end) < bytes.length - 1) throw new SyntaxError('expected the end of the JSON');
  return new JsonNode({ bytes, tape: scratch.keep() }, 0);
}
