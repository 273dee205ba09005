/** What was read of objects and arrays: entries in a row, and whether a value still has them. */

/** Entries of three: the key of a member or element, its value, and its node, once it was asked for. */
export const KEY = 0;
export const VALUE = 1;
export const NODE = 2;
export const ENTRY = 3;

export type Members = Readonly<Record<string, unknown>>;

/** Where its entries are, and how many. */
export interface Place {
  readonly first: number;
  readonly count: number;
}

export function hasElements(array: readonly unknown[], entries: readonly unknown[], { first, count }: Place): boolean {
  if (array.length !== count) return false;
  let at = first + VALUE;
  for (let i = 0; i < count; i++, at += ENTRY) if (array[i] !== entries[at]) return false;
  return true;
}

export function hasMembers(object: object, entries: readonly unknown[], { first, count }: Place): boolean {
  if (isBinary(object)) return true;
  const keys = Object.keys(object);
  if (keys.length !== count) return false;
  let at = first;
  for (let i = 0; i < count; i++, at += ENTRY)
    if (keys[i] !== entries[at + KEY] || (object as Members)[keys[i]!] !== entries[at + VALUE]) return false;
  return true;
}

export function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}
