/**
 * Edits are overlays: "this node, but with these members" or "this array, but with these elements". Nothing is copied
 * or decoded until it is printed, and everything that an edit does not name is printed as its original bytes.
 */
import { JsonNode } from './node.js';

/** Values that can be printed: nodes, overlays over nodes, and plain values, which may hold both. */
export type Json = JsonNode | ObjectEdit | ArrayEdit | JsonPlain;
export type JsonPlain = string | number | boolean | null | readonly Json[] | JsonFields;
export interface JsonFields {
  readonly [key: string]: Json | undefined;
}

export class ObjectEdit {
  constructor(
    readonly base: JsonNode,
    /** New values by key; undefined removes the member. New keys are appended in this order. */
    readonly fields: ReadonlyMap<string, Json | undefined>,
  ) {}
}

export class ArrayEdit {
  constructor(
    readonly base: JsonNode,
    /** All elements. Nodes of the base keep their bytes and the separator before them. */
    readonly items: readonly Json[],
  ) {}
}

/** A text that is JSON in a record, and its replacement. */
export class EditedText {
  constructor(
    /** The value to replace. */
    readonly base: JsonNode,
    readonly json: Json,
    readonly text: string,
  ) {}

  get byteLength(): number {
    return this.text.length * 3;
  }

  toJSON(): string {
    return this.text;
  }
}

/**
 * `base` with other values for some members; `base` itself if none differs. A base that is not an object is replaced by
 * the fields.
 */
export function patch(base: JsonNode, fields: JsonFields): JsonNode | ObjectEdit | JsonFields {
  if (!base.isObject) return fields;
  const changed = new Map<string, Json | undefined>();
  for (const [key, value] of Object.entries(fields)) {
    const old = base.get(key);
    if (!(value === undefined ? old === undefined : isSame(old, value))) changed.set(key, value);
  }
  return changed.size === 0 ? base : new ObjectEdit(base, changed);
}

/**
 * `base` with these elements; `base` itself if they are its own in order. A base that is not an array is replaced by
 * them.
 */
export function patchItems(base: JsonNode, items: readonly Json[]): JsonNode | ArrayEdit | readonly Json[] {
  if (!base.isArray) return items;
  return base.hasItems(items) ? base : new ArrayEdit(base, items);
}

/** `base` with its elements mapped; undefined removes an element. A base that is not an array does not change. */
export function patchEach(base: JsonNode, change: (item: JsonNode, index: number) => Json | undefined): Json;
export function patchEach(
  base: JsonNode | undefined,
  change: (item: JsonNode, index: number) => Json | undefined,
): Json | undefined;
export function patchEach(
  base: JsonNode | undefined,
  change: (item: JsonNode, index: number) => Json | undefined,
): Json | undefined {
  if (!base?.isArray) return base;
  const items = base.items().map(change);
  return patchItems(
    base,
    items.filter((item) => item !== undefined),
  );
}

/** Applies `patch` on top of `json`, which is `node` or an edit of it. */
export function amend(node: JsonNode, json: Json, fields: JsonFields): Json {
  const edit = patch(node, fields);
  if (!(json instanceof ObjectEdit) || edit === node) return edit === node ? json : edit;
  return new ObjectEdit(node, new Map([...json.fields, ...(edit as ObjectEdit).fields]));
}

function isSame(node: JsonNode | undefined, value: Json): boolean {
  if (node === undefined) return false;
  if (value instanceof JsonNode) return node.is(value);
  if (typeof value === 'string') return node.string === value;
  if (value === null) return node.isNull;
  return typeof value === 'boolean' && node.boolean === value;
}
