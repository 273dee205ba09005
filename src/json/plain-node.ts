/**
 * JavaScript values as nodes: the same face as a node over JSON text, without bytes. A node is made only for a value
 * that is read, and there is only one for each place. So everything that was read of a value is known, and whether it
 * still is the same can be checked.
 */
import { type JsonKind, JsonNode } from './node.js';
import { ENTRY, hasElements, hasMembers, isBinary, KEY, type Members, NODE, VALUE } from './plain-entries.js';
import type { JsonSource, Keys } from './strings.js';

/** What was read of a root: the members of an object, or elements of an array, are entries in a row. */
class PlainSource implements JsonSource {
  readonly isPlain = true;
  readonly entries: unknown[] = [];
  /** The object or array whose members were read last; each knows the one before it. */
  opened: PlainNode | undefined = undefined;

  get bytes(): never {
    throw new Error('a JavaScript value has no bytes');
  }

  get tape(): never {
    throw new Error('a JavaScript value has no tape');
  }
}

/** The `at` of a root, which is no entry. */
const ROOT = -1;

export class PlainNode extends JsonNode {
  declare readonly source: PlainSource;
  private readonly type: JsonKind;
  /** The first entry of what is in it, and the number of entries; -1 until they are read. */
  private first = 0;
  private count = -1;
  private openedBefore: PlainNode | undefined = undefined;

  private constructor(
    source: PlainSource,
    at: number,
    readonly value: unknown,
  ) {
    super(source, at);
    this.type = kindOf(value);
  }

  /** The node of a value that is in no other. */
  static root(value: unknown): PlainNode {
    return new PlainNode(new PlainSource(), ROOT, value);
  }

  override get kind(): JsonKind {
    return this.type;
  }

  override get isObject(): boolean {
    return this.type === 'object';
  }

  override get isArray(): boolean {
    return this.type === 'array';
  }

  override get isString(): boolean {
    return this.type === 'string';
  }

  override get isNull(): boolean {
    return this.type === 'null';
  }

  /** The text needs no decoding. */
  get isAtHand(): boolean {
    return true;
  }

  override get start(): never {
    return this.source.bytes;
  }

  override get end(): never {
    return this.source.bytes;
  }

  override get byteLength(): number {
    return this.text.length;
  }

  override get isPlain(): boolean {
    return false;
  }

  override get isVerbatim(): boolean {
    return false;
  }

  override get text(): string {
    return this.string ?? this.json;
  }

  override get json(): string {
    const { value } = this;
    return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
  }

  override get string(): string | undefined {
    const { value } = this;
    if (typeof value === 'string') return value;
    return this.type === 'string' ? dateText(value as Date | URL) : undefined;
  }

  override get number(): number | undefined {
    return this.type === 'number' ? Number(this.value) : undefined;
  }

  override get boolean(): boolean | undefined {
    return this.type === 'boolean' ? (this.value as boolean) : undefined;
  }

  override get length(): number {
    return this.type === 'array' ? this.open() : 0;
  }

  override toJSON(): unknown {
    return this.value;
  }

  override get(key: string): PlainNode | undefined {
    if (this.type !== 'object') return undefined;
    const { entries } = this.source;
    const end = this.open() * ENTRY + this.first;
    for (let at = this.first; at < end; at += ENTRY) if (entries[at + KEY] === key) return this.memberAt(at);
    return undefined;
  }

  override find(keys: Keys): Int32Array {
    const { found } = keys;
    found.fill(-1);
    if (this.type !== 'object') return found;
    const { entries } = this.source;
    const end = this.open() * ENTRY + this.first;
    for (let at = this.first; at < end; at += ENTRY) {
      const index = keys.indexOfName(entries[at + KEY] as string);
      if (index >= 0 && !isLeftOut(entries[at + VALUE])) found[index] = at;
    }
    return found;
  }

  override nodeAt(at: number): PlainNode | undefined {
    if (at < 0) return undefined;
    const { entries } = this.source;
    entries[at + NODE] ??= new PlainNode(this.source, at, entries[at + VALUE]);
    return entries[at + NODE] as PlainNode;
  }

  override nameAt(at: number, names: Keys): number {
    const text = this.stringAt(at);
    return text === undefined ? -1 : names.indexOfName(text);
  }

  override stringAt(at: number): string | undefined {
    if (at < 0) return undefined;
    const value = this.source.entries[at + VALUE];
    return typeof value === 'string' ? value : this.nodeAt(at)!.string;
  }

  override numberAt(at: number): number | undefined {
    return this.nodeAt(at)?.number;
  }

  override isAt(at: number): boolean {
    return at >= 0 && kindOf(this.source.entries[at + VALUE]) !== 'null';
  }

  override items(most = Number.POSITIVE_INFINITY): PlainNode[] {
    if (this.type !== 'array') return [];
    const length = Math.min(this.open(), most);
    const items = new Array<PlainNode>(length);
    for (let i = 0; i < length; i++) items[i] = this.nodeAt(this.first + i * ENTRY)!;
    return items;
  }

  override members(): { key: JsonNode; value: PlainNode }[] {
    const members: { key: JsonNode; value: PlainNode }[] = [];
    if (this.type !== 'object') return members;
    const end = this.open() * ENTRY + this.first;
    for (let at = this.first; at < end; at += ENTRY) {
      const value = this.memberAt(at);
      if (value !== undefined) members.push({ key: PlainNode.root(this.source.entries[at + KEY]), value });
    }
    return members;
  }

  override eachMember(keys: Keys, visit: (key: number, value: JsonNode) => void): void {
    for (const { key, value } of this.members()) visit(keys.indexOfName(key.text), value);
  }

  override hasItems(items: readonly unknown[]): boolean {
    const own = this.items();
    return own.length === items.length && own.every((item, index) => item === items[index]);
  }

  override encloses(other: JsonNode): boolean {
    if (other.source !== this.source) return false;
    let at: PlainNode | undefined = other as PlainNode;
    while (at !== undefined && at !== this) at = at.holder();
    return at === this;
  }

  /** Whether all that was read of a root, and of what is in it, still is the same. */
  isUnchanged(): boolean {
    for (let node = this.source.opened; node !== undefined; node = node.openedBefore)
      if (!node.hasSameMembers()) return false;
    return true;
  }

  private hasSameMembers(): boolean {
    const { value, source, first, count } = this;
    const place = { first, count };
    return this.type === 'array'
      ? hasElements(value as unknown[], source.entries, place)
      : hasMembers(value as object, source.entries, place);
  }

  /** Reads the members of an object, or the elements of an array; returns their number. */
  private open(): number {
    if (this.count >= 0) return this.count;
    const { source, value } = this;
    this.first = source.entries.length;
    this.openedBefore = source.opened;
    source.opened = this;
    this.count = this.type === 'array' ? addElements(source, value as unknown[]) : addMembers(source, value as object);
    return this.count;
  }

  /** The value of a member; undefined where JSON would leave the member out. */
  private memberAt(at: number): PlainNode | undefined {
    return isLeftOut(this.source.entries[at + VALUE]) ? undefined : this.nodeAt(at);
  }

  /** The object or array around it. */
  private holder(): PlainNode | undefined {
    let node = this.at === ROOT ? undefined : this.source.opened;
    while (node !== undefined && !(node.first <= this.at && this.at < node.first + node.count * ENTRY))
      node = node.openedBefore;
    return node;
  }
}

/** V8 ends the process where a list grows beyond this: a list with holes may say that it is that long. */
const MOST_ENTRIES = 100_000_000;

function addElements({ entries }: PlainSource, values: readonly unknown[]): number {
  if (entries.length + values.length * ENTRY > MOST_ENTRIES) throw new RangeError('too many elements');
  for (let i = 0; i < values.length; i++) entries.push(i, values[i], undefined);
  return values.length;
}

function addMembers({ entries }: PlainSource, object: object): number {
  if (isBinary(object)) return 0;
  const keys = Object.keys(object);
  for (let i = 0; i < keys.length; i++) entries.push(keys[i], (object as Members)[keys[i]!], undefined);
  return keys.length;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** The kind of a value as JSON would write it, except that bytes and classes are objects with their own members. */
function kindOf(value: unknown): JsonKind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return 'array';
    return value instanceof Date || value instanceof URL ? 'string' : 'object';
  }
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)) ? 'number' : 'null';
}

/** The text of a date is empty if the date is not valid. */
function dateText(value: Date | URL): string {
  return (value.toJSON() as string | null) ?? '';
}
