/** Keys that stand twice in one object of a JSON file: `JSON.parse` takes the last value and says nothing. */
import { TranscriptError } from '../../errors.js';

/** Throws TranscriptError with the position of the second. `text`: valid JSON. */
export function rejectRepeatedKeys(text: string, file: string): void {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: key, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (key !== undefined) {
      const keys = open.at(-1)!;
      const name = JSON.parse(key) as string;
      if (keys.has(name)) refuse(name, text.slice(0, index).split('\n'), file);
      keys.add(name);
    }
  }
}

/** Brackets and strings; a string before a colon is a key. */
const TOKENS = /[{}[\]]|("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"/g;

function refuse(name: string, before: readonly string[], file: string): never {
  throw new TranscriptError('config', `the key \`${name}\` stands twice in one object; remove one of them`, {
    file,
    line: before.length,
    column: before[before.length - 1]!.length + 1,
  });
}
