/** A lookup table without a prototype, so that `constructor` and other names of every object are not in it. */
export function table<V>(entries: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.assign(Object.create(null) as Record<string, V>, entries);
}
