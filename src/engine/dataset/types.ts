/** One type at each path over all rows, as Arrow has it; null goes with every type. */

export interface TypesSeen {
  /** The first path whose type differs from that in a row before; then nothing of the value counts. */
  conflictIn(value: unknown): string | undefined;
}

export function createTypesSeen(): TypesSeen {
  const seen = new Map<string, string>();
  return {
    conflictIn(value) {
      const found = new Map<string, string>();
      const conflict = visit(value, '', (path, type) => {
        const known = seen.get(path) ?? found.get(path) ?? type;
        if (known === type) found.set(path, type);
        return known === type;
      });
      if (conflict === undefined) for (const [path, type] of found) seen.set(path, type);
      return conflict;
    },
  };
}

function visit(value: unknown, path: string, add: (path: string, type: string) => boolean): string | undefined {
  if (value === null || value === undefined) return undefined;
  const type = Array.isArray(value) ? 'list' : typeof value;
  if (!add(path, type)) return path;
  if (type !== 'list' && type !== 'object') return undefined;
  for (const [key, member] of type === 'list' ? (value as unknown[]).entries() : Object.entries(value)) {
    const conflict = visit(member, type === 'list' ? `${path}[]` : `${path}.${key}`, add);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}
