/** Deeper in, values count as the same: a function that calls itself for each level overflows the stack. */
const DEEPEST = 500;

/** A value as text in which its spelling does not show: members in the order of their names, without those that are left out. */
export function canonical(value: unknown, isLeftOut: (name: string) => boolean = () => false, level = 0): string {
  if (level > DEEPEST) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, isLeftOut, level + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value)
    .filter((name) => !isLeftOut(name))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name], isLeftOut, level + 1)}`).join(',')}}`;
}
