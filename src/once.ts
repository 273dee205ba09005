/** Finds a value when it is first needed, and keeps it. */
export function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** The same for each key. */
export function onceEach<K, V>(find: (key: K) => V): (key: K) => V {
  const found = new Map<K, V>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key)!;
  };
}

/** The same for each object, as long as that is in memory. */
export function onceFor<K extends object, V>(find: (key: K) => V): (key: K) => V {
  const found = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = found.get(key) ?? { value: find(key) };
    found.set(key, known);
    return known.value;
  };
}
