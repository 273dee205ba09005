/** One spelling for JSON texts that mean the same. It imports nothing: what compares calls need not load the scanner. */

/**
 * A JSON text without spaces, with the members of objects in order of their names, and strings and numbers in one spelling. `ignored`:
 * members of the outermost object that are left out. A text that is no JSON, or is nested deeper than anybody means, is itself; an empty one
 * is an empty object.
 */
export function canonical(text: string, ignored: ReadonlySet<string> = new Set()): string {
  if (text.trim() === '') return '{}';
  try {
    return spell(JSON.parse(text.replace(STRING_OR_NUMBER, keepDigits)), 0, ignored);
  } catch {
    return text;
  }
}

/** A string that is not closed goes to the end: to look for another one from each of its quotes would take quadratic time. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** A number that JavaScript cannot hold exactly keeps its own spelling: large ids that differ are not the same. */
function keepDigits(token: string): string {
  if (token.startsWith('"') || (token.match(/\d/g)!.length <= 15 && Number.isFinite(Number(token)))) return token;
  return JSON.stringify(`number ${token}`);
}

/** Functions that call themselves for each level of a value overflow the stack some thousand levels further down. */
const DEEPEST = 500;

function spell(value: unknown, level: number, ignored: ReadonlySet<string> = new Set()): string {
  if (level > DEEPEST) throw new RangeError('too deep');
  if (Array.isArray(value)) return `[${value.map((item) => spell(item, level + 1)).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([name]) => !ignored.has(name));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${spell(member, level + 1)}`)
    .join()}}`;
}
