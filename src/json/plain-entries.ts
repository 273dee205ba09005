/** What was read of an object or array: entries in a row, and whether it still has them. */

/** Entries of three: the key of a member or element, its value, and its node, once it was asked for. */
export const KEY = 0;
export const VALUE = 1;
export const NODE = 2;
export const ENTRY = 3;

export type Entries = readonly unknown[];
type Members = Readonly<Record<string, unknown>>;

/** V8 ends the process where a list grows beyond this: a list with holes may say that it is that long. */
const MOST_ENTRIES = 30_000_000;

export function entriesOf(value: object): unknown[] {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const { length } = keys ?? (value as readonly unknown[]);
  if (length * ENTRY > MOST_ENTRIES) throw new RangeError('too many elements');
  const entries = new Array<unknown>(length * ENTRY);
  for (let i = 0, at = 0; i < length; i++, at += ENTRY) {
    const key = keys === undefined ? i : keys[i]!;
    entries[at + KEY] = key;
    entries[at + VALUE] = (value as Members)[key];
    entries[at + NODE] = undefined;
  }
  return entries;
}

export function hasEntries(value: object, entries: Entries): boolean {
  return Array.isArray(value) ? hasElements(value, entries) : hasMembers(value, entries);
}

function hasElements(array: readonly unknown[], entries: Entries): boolean {
  if (array.length * ENTRY !== entries.length) return false;
  for (let i = 0, at = VALUE; i < array.length; i++, at += ENTRY) if (array[i] !== entries[at]) return false;
  return true;
}

function hasMembers(object: object, entries: Entries): boolean {
  const keys = Object.keys(object);
  if (keys.length * ENTRY !== entries.length) return false;
  for (let i = 0, at = 0; i < keys.length; i++, at += ENTRY)
    if (keys[i] !== entries[at + KEY] || (object as Members)[keys[i]!] !== entries[at + VALUE]) return false;
  return true;
}
