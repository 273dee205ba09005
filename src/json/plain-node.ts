/**
 * JavaScript values as nodes: the same face as a node over JSON text, without bytes. A node is made only for a value
 * that is read, and there is only one for each place. So everything that was read of a value is known, and whether it
 * still is the same can be checked.
 */
import { type JsonKind, JsonNode } from './node.js';
import { ENTRY, type Entries, entriesOf, hasEntries, KEY, NODE, VALUE } from './plain-entries.js';
import type { JsonSource, Keys } from './strings.js';

/** The `at` of a root, which is no entry. */
const ROOT = -1;

/** The root is the source of all nodes in it. */
export class PlainNode extends JsonNode implements JsonSource {
  declare source: PlainNode;
  /** What is in it, once it was read. */
  private entries: unknown[] | undefined = undefined;
  /** From the root on: all whose entries were read. */
  private next: PlainNode | undefined = undefined;

  private constructor(
    source: PlainNode | undefined,
    at: number,
    readonly value: unknown,
  ) {
    super(source as JsonSource, at);
    this.source ??= this;
  }

  /** The node of a value that is in no other. */
  static root(value: unknown): PlainNode {
    return new PlainNode(undefined, ROOT, value);
  }

  get bytes(): never {
    throw new Error('a JavaScript value has no bytes');
  }

  get tape(): never {
    throw new Error('a JavaScript value has no tape');
  }

  get isAtHand(): boolean {
    return true;
  }

  override get kind(): JsonKind {
    return kindOf(this.value);
  }

  override get isObject(): boolean {
    return kindOf(this.value) === 'object';
  }

  override get isArray(): boolean {
    return Array.isArray(this.value);
  }

  override get isString(): boolean {
    return kindOf(this.value) === 'string';
  }

  override get isNull(): boolean {
    return kindOf(this.value) === 'null';
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
    return this.isString ? dateText(value as Date | URL) : undefined;
  }

  override get number(): number | undefined {
    return this.kind === 'number' ? Number(this.value) : undefined;
  }

  override get boolean(): boolean | undefined {
    return typeof this.value === 'boolean' ? this.value : undefined;
  }

  override get length(): number {
    return Array.isArray(this.value) ? this.open().length / ENTRY : 0;
  }

  override toJSON(): unknown {
    return this.value;
  }

  override get(key: string): PlainNode | undefined {
    const entries = this.membersIn();
    for (let at = 0; at < entries.length; at += ENTRY) if (entries[at + KEY] === key) return this.memberAt(at);
    return undefined;
  }

  override find(keys: Keys): Int32Array {
    const { found } = keys;
    found.fill(-1);
    const entries = this.membersIn();
    for (let at = 0; at < entries.length; at += ENTRY) {
      const index = keys.indexOfName(entries[at + KEY] as string);
      if (index >= 0 && !isLeftOut(entries[at + VALUE])) found[index] = at;
    }
    return found;
  }

  override nodeAt(at: number): PlainNode | undefined {
    if (at < 0) return undefined;
    const entries = this.open();
    entries[at + NODE] ??= new PlainNode(this.source, at, entries[at + VALUE]);
    return entries[at + NODE] as PlainNode;
  }

  override nameAt(at: number, names: Keys): number {
    const text = this.stringAt(at);
    return text === undefined ? -1 : names.indexOfName(text);
  }

  override stringAt(at: number): string | undefined {
    if (at < 0) return undefined;
    const value = this.open()[at + VALUE];
    return typeof value === 'string' ? value : this.nodeAt(at)!.string;
  }

  override numberAt(at: number): number | undefined {
    return this.nodeAt(at)?.number;
  }

  override isAt(at: number): boolean {
    return at >= 0 && kindOf(this.open()[at + VALUE]) !== 'null';
  }

  override items(most = Number.POSITIVE_INFINITY): PlainNode[] {
    const length = Math.min(this.length, most);
    const items = new Array<PlainNode>(length);
    for (let i = 0; i < length; i++) items[i] = this.nodeAt(i * ENTRY)!;
    return items;
  }

  override members(): { key: JsonNode; value: PlainNode }[] {
    const members: { key: JsonNode; value: PlainNode }[] = [];
    const entries = this.membersIn();
    for (let at = 0; at < entries.length; at += ENTRY) {
      const value = this.memberAt(at);
      if (value !== undefined) members.push({ key: PlainNode.root(entries[at + KEY]), value });
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

  /** There is one for each place. */
  override is(other: unknown): boolean {
    return other === this;
  }

  /** Whether all that was read of a root, and of what is in it, still is the same. */
  isUnchanged(): boolean {
    for (let node: PlainNode | undefined = this; node !== undefined; node = node.next)
      if (node.entries !== undefined && !hasEntries(node.value as object, node.entries)) return false;
    return true;
  }

  /** The members of an object; none of another kind. */
  private membersIn(): Entries {
    return Array.isArray(this.value) ? NONE : this.open();
  }

  /** Reads the members of an object, or the elements of an array. Others, and bytes, have none. */
  private open(): unknown[] {
    if (this.entries !== undefined) return this.entries;
    const { value, source, kind } = this;
    if ((kind !== 'object' && kind !== 'array') || isBinary(value)) return NONE;
    this.entries = entriesOf(value as object);
    if (this !== source) [this.next, source.next] = [source.next, this];
    return this.entries;
  }

  /** The value of a member; undefined where JSON would leave the member out. */
  private memberAt(at: number): PlainNode | undefined {
    return isLeftOut(this.open()[at + VALUE]) ? undefined : this.nodeAt(at);
  }

  /** The object or array around it. */
  private holder(): PlainNode | undefined {
    let node = this.at === ROOT ? undefined : this.source;
    while (node !== undefined && node.entries?.[this.at + NODE] !== this) node = node.next;
    return node;
  }
}

const NONE: unknown[] = [];

function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
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
