/** Keys that stand twice in one object of a JSON file: `JSON.parse` takes the last value and says nothing. */
import { TranscriptError } from '../../errors.js';
import { safe, shown } from '../../safe/text.js';
import type { Terminal } from '../terminal/terminal.js';

interface RepeatedKey {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** Throws TranscriptError with the position of the second. `text`: valid JSON. */
export function rejectRepeatedKeys(text: string, file: string): void {
  for (const { key, line, column } of repeatedKeys(text))
    throw new TranscriptError('config', `the key \`${key}\` stands twice in one object; remove one of them`, {
      file,
      line,
      column,
    });
}

/** For lists of others, which may hold a model twice: they are read as JSON is, and that is said. */
export function warnOfRepeated(text: string, file: string, { stderr }: Pick<Terminal, 'stderr'>): void {
  const [first, ...more] = repeatedKeys(text);
  if (first === undefined) return;
  const place = safe`${shown(file)}:${first.line}:${first.column}`;
  const others = more.length === 0 ? safe`` : safe` (and ${more.length} more)`;
  const what = safe`\`${shown(first.key)}\` stands twice in one object${others}: the last one is taken`;
  stderr.write(safe`ctx-trim: warning: ${place}: ${what}\n`);
}

/** The keys that stood before in their object. `text`: valid JSON. */
function* repeatedKeys(text: string): Generator<RepeatedKey> {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: key, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (key !== undefined) {
      const keys = open.at(-1)!;
      const name = JSON.parse(key) as string;
      if (keys.has(name)) yield placed(name, text.slice(0, index).split('\n'));
      keys.add(name);
    }
  }
}

/** Brackets and strings; a string before a colon is a key. */
const TOKENS = /[{}[\]]|("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"/g;

function placed(key: string, before: readonly string[]): RepeatedKey {
  return { key, line: before.length, column: before[before.length - 1]!.length + 1 };
}
