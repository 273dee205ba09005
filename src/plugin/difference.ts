/** The first difference of two values, in words: `parts[0].text is "a"; expected "b"`. Undefined if there is none. */
export function differenceOf(found: unknown, expected: unknown, path = ''): string | undefined {
  if (Object.is(found, expected)) return undefined;
  if (isHolder(found) && isHolder(expected) && Array.isArray(found) === Array.isArray(expected)) {
    const keys = new Set([...Object.keys(found), ...Object.keys(expected)]);
    for (const key of keys) {
      const inner = differenceOf(found[key], expected[key], joined(path, key, Array.isArray(found)));
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  return `${path === '' ? 'it' : `\`${path}\``} is ${spelled(found)}; expected ${spelled(expected)}`;
}

function joined(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

const LONGEST = 200;

/** A value as JSON, cut where it is long. */
export function spelled(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
