/** What a text or value says, however it is spelled: for judges that know no format. */

/** Only letters and digits: notations differ in the rest. */
export function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Fewer letters are found anywhere. */
export const TELLING = 4;

/** The letters of all strings, numbers and keys of a value, those of JSON in its strings too; in two spellings. */
export function lettersIn(value: unknown): readonly string[] {
  return [letters(wordsIn(value).join('\n')), letters(JSON.stringify(value))];
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...(/^\s*[[{"]/.test(value) ? wordsIn(parsed(value)) : [])];
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, member]) => [key, ...wordsIn(member)]);
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
