/**
 * JavaScript values as nodes: the same face as a node over JSON text, without bytes. A node is made only for a value
 * that is read, and there is only one for each place. So everything that was read of a value is known, and whether it
 * still is the same can be checked.
 */
import { ArrayEdit, type Json, ObjectEdit } from './edit.js';
import { type JsonKind, JsonNode } from './node.js';
import type { JsonSource, Keys } from './strings.js';

/** The nodes of one value, by their `at`. */
class PlainSource implements JsonSource {
  readonly nodes: PlainNode[] = [];

  get bytes(): never {
    throw new Error('a JavaScript value has no bytes');
  }

  get tape(): never {
    throw new Error('a JavaScript value has no tape');
  }
}

type Key = string | number;

export class PlainNode extends JsonNode {
  declare readonly source: PlainSource;
  private readonly type: JsonKind;
  /** The names of an object's members, as they were when they were first read. */
  private ownKeys: readonly string[] | undefined = undefined;
  private elements: readonly PlainNode[] | undefined = undefined;
  private children: PlainNode[] | undefined = undefined;
  private byKey: Map<Key, PlainNode> | undefined = undefined;

  private constructor(
    source: PlainSource,
    readonly value: unknown,
    readonly parent: PlainNode | undefined,
    readonly key: Key,
  ) {
    super(source, source.nodes.length);
    source.nodes.push(this);
    this.type = kindOf(value);
  }

  /** The node of a value that is in no other. */
  static root(value: unknown): PlainNode {
    return new PlainNode(new PlainSource(), value, undefined, '');
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
    const { value } = this;
    if (typeof value === 'string') return value;
    return this.isString ? textOf(value as Date | URL) : this.json;
  }

  override get json(): string {
    const { value } = this;
    return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
  }

  override get string(): string | undefined {
    return this.isString ? this.text : undefined;
  }

  override get number(): number | undefined {
    return this.type === 'number' ? Number(this.value) : undefined;
  }

  override get boolean(): boolean | undefined {
    return this.type === 'boolean' ? (this.value as boolean) : undefined;
  }

  override get length(): number {
    return this.isArray ? this.all().length : 0;
  }

  override toJSON(): unknown {
    return this.value;
  }

  override get(key: string): PlainNode | undefined {
    if (this.type !== 'object') return undefined;
    return this.names().length > 0 && isMember.call(this.value, key) ? this.child(key) : undefined;
  }

  override find(keys: Keys): Int32Array {
    const { found } = keys;
    found.fill(-1);
    if (this.type !== 'object') return found;
    for (const key of this.names()) {
      const index = keys.indexOfName(key);
      if (index >= 0) found[index] = this.child(key)?.at ?? -1;
    }
    return found;
  }

  override nodeAt(at: number): PlainNode | undefined {
    return at < 0 ? undefined : this.source.nodes[at];
  }

  override nameAt(at: number, names: Keys): number {
    const text = this.stringAt(at);
    return text === undefined ? -1 : names.indexOfName(text);
  }

  override stringAt(at: number): string | undefined {
    return this.nodeAt(at)?.string;
  }

  override numberAt(at: number): number | undefined {
    return this.nodeAt(at)?.number;
  }

  override isAt(at: number): boolean {
    return at >= 0 && !this.nodeAt(at)!.isNull;
  }

  override items(most = Number.POSITIVE_INFINITY): PlainNode[] {
    return this.isArray ? this.all().slice(0, most) : [];
  }

  override members(): { key: JsonNode; value: PlainNode }[] {
    if (this.type !== 'object') return [];
    return this.names().flatMap((name) => {
      const value = this.child(name);
      return value === undefined ? [] : [{ key: PlainNode.root(name), value }];
    });
  }

  override hasItems(items: readonly unknown[]): boolean {
    const own = this.all();
    return own.length === items.length && own.every((item, index) => item === items[index]);
  }

  override encloses(other: JsonNode): boolean {
    let at: PlainNode | undefined = other instanceof PlainNode ? other : undefined;
    while (at !== undefined && at !== this) at = at.parent;
    return at === this;
  }

  /** Whether all that was read of a root, and of what is in it, still is the same. */
  isUnchanged(): boolean {
    return this.source.nodes.every((node) => node.isCurrent());
  }

  private isCurrent(): boolean {
    const { parent, key, value, ownKeys, elements } = this;
    if (parent !== undefined && (parent.value as Readonly<Record<Key, unknown>>)[key] !== value) return false;
    if (elements !== undefined) return elements.length === (value as readonly unknown[]).length;
    if (ownKeys === undefined) return true;
    const now = Object.keys(value as object);
    return now.length === ownKeys.length && now.every((name, index) => name === ownKeys[index]);
  }

  private names(): readonly string[] {
    this.ownKeys ??= isBinary(this.value) ? [] : Object.keys(this.value as object);
    return this.ownKeys;
  }

  private all(): readonly PlainNode[] {
    if (this.type !== 'array') return [];
    this.elements ??= Array.from(
      this.value as readonly unknown[],
      (value, index) => new PlainNode(this.source, value, this, index),
    );
    return this.elements;
  }

  /** The member of that name; undefined where JSON would leave it out. */
  private child(key: string): PlainNode | undefined {
    const known = this.byKey?.get(key) ?? this.children?.find((child) => child.key === key);
    if (known !== undefined) return known;
    const value = (this.value as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return undefined;
    const child = new PlainNode(this.source, value, this, key);
    this.children ??= [];
    if (this.children.length < FEW) this.children.push(child);
    else {
      this.byKey ??= new Map();
      this.byKey.set(key, child);
    }
    return child;
  }
}

const isMember = Object.prototype.propertyIsEnumerable;

/** So many members are found by looking at each of them. */
const FEW = 8;

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
function textOf(value: Date | URL): string {
  return (value.toJSON() as string | null) ?? '';
}

function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/**
 * The JavaScript value of an edit. What was not edited is the same object; what was edited keeps its prototype and its
 * other members.
 */
export function plainOf(json: Json): unknown {
  if (json instanceof JsonNode) return json.toJSON();
  if (json instanceof ArrayEdit) return json.items.map(plainOf);
  if (json instanceof ObjectEdit) return editedObject(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map(plainOf);
  const entries = Object.entries(json).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, plainOf(value as Json)]));
}

function editedObject({ base, fields }: ObjectEdit): object {
  const object = copyOf(base.toJSON() as object) as Record<string, unknown>;
  for (const [key, value] of fields) {
    if (value === undefined) delete object[key];
    else
      Object.defineProperty(object, key, {
        value: plainOf(value),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return object;
}

function copyOf(value: object): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return { ...value };
  return Object.create(prototype as object | null, Object.getOwnPropertyDescriptors(value)) as object;
}

/** Whether a value to print is one of JavaScript values. */
export function isPlainBased(json: Json): boolean {
  const base = json instanceof ObjectEdit || json instanceof ArrayEdit ? json.base : json;
  return base instanceof PlainNode;
}
