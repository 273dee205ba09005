/** Appends items. Spreading a long list into arguments could overflow the stack. */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}

/** The items of lists, one after the other. A list that stands alone is not copied. */
export function flattened<T>(lists: readonly (readonly T[])[]): readonly T[] {
  return lists.length === 1 ? lists[0]! : lists.flat();
}

/** The greatest number, at least `least`. */
export function greatest(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let most = least;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

/** The list of a key; creates it if there is none. */
export function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  map.set(key, list);
  return list;
}

/** The items of a list that is written as a text, with commas between them: long lists of names and words. */
export function commaList(text: string): string[] {
  return text.trim().split(/,\s*/);
}

/** The same without repetitions, to look up in. */
export function commaSet(text: string): Set<string> {
  return new Set(commaList(text));
}

/** The index of the first number that is at least `least`. */
export function firstFrom(ascending: readonly number[], least: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
