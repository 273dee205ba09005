/** Lists may be longer than the stack has room for: they are not spread into arguments. */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}

/** The greatest of the numbers, and `least` where none is greater. */
export function greatest(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let most = least;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

/** The list of that key, which is begun where there is none. */
export function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const known = map.get(key);
  if (known !== undefined) return known;
  const list: V[] = [];
  map.set(key, list);
  return list;
}
