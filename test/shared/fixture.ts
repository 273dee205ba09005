/** The recordings of the fixtures, and what is written of them, as texts and values. */
import { readFileSync } from 'node:fs';

/** A recording by its format and name: `claude-code/short.jsonl`. */
export function fixture(path: string): string {
  return readFileSync(`fixtures/formats/${path}`, 'utf8');
}

/** The values of the lines of a log. */
// biome-ignore lint/suspicious/noExplicitAny: lines of many shapes
export function linesOf<Line = any>(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
