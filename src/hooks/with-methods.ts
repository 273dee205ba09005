/** An object with some methods of its own in place. Its other methods run on it, since it may have private members. */
export function withMethods<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
  const bound = (from: object, key: PropertyKey): unknown => {
    const value: unknown = Reflect.get(from, key);
    return typeof value === 'function' ? value.bind(from) : value;
  };
  return new Proxy(target, {
    get: (from, key) => (typeof key === 'string' && Object.hasOwn(own, key) ? own[key] : bound(from, key)),
  });
}
