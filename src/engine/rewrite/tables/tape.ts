/** Walks over a tape without nodes. */
import { ENTRY, KIND, STRING } from '../../../json/scan.js';
import type { JsonSource, Keys } from '../../../json/strings.js';

type Take<T> = (source: JsonSource, at: number, into: T) => boolean;

/** Takes the elements of an array, up to the first that does not fit. Returns whether all fit. */
export function eachItem<T>(source: JsonSource, list: number, take: Take<T>, into: T): boolean {
  const { tape } = source;
  const end = tape[list + 3]!;
  for (let at = list + ENTRY; at < end; at = tape[at + 3]!) if (!take(source, at, into)) return false;
  return true;
}

export function isFull({ tape }: JsonSource, list: number): boolean {
  return tape[list + 3]! > list + ENTRY;
}

/** As `JsonNode.find`, without a node. */
export function findIn(source: JsonSource, at: number, keys: Keys): Int32Array {
  const { tape } = source;
  const end = tape[at + 3]!;
  keys.found.fill(-1);
  for (let i = at + ENTRY; i < end; i = tape[i + ENTRY + 3]!) {
    const index = keys.indexOf(source, i);
    if (index >= 0) keys.found[index] = i + ENTRY;
  }
  return keys.found;
}

export function kindAt({ tape }: JsonSource, at: number): number {
  return tape[at]! & KIND;
}

export function isText(source: JsonSource, at: number): boolean {
  return at >= 0 && kindAt(source, at) === STRING;
}

/** The ranges that a list loses with some of its elements, as `print` has it; undefined if none is left. */
export function itemCuts({ tape }: JsonSource, list: number, isGone: (at: number) => boolean): number[] | undefined {
  const cuts: number[] = [];
  let before = -1; // where the element before it ends, if any is left
  for (let at = list + ENTRY, next = at; at < tape[list + 3]!; at = next) {
    next = tape[at + 3]!;
    const goes = isGone(at);
    if (goes && before >= 0) cuts.push(before, tape[at + 2]!);
    else if (goes) cuts.push(tape[at + 1]!, tape[(next < tape[list + 3]! ? next : at) + 1]!);
    if (!goes || before >= 0) before = tape[at + 2]!;
  }
  return before >= 0 ? cuts : undefined;
}
