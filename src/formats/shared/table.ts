/** What a name stands for, of a fixed set of names. A name that every object knows, such as `constructor`, stands for nothing. */
export function table<V>(entries: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.assign(Object.create(null) as Record<string, V>, entries);
}
