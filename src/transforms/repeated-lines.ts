/** Runs of lines that stand somewhere else, too: a note stands for them. */

import { addAll } from '../lists.js';
import { textOf } from '../transcript/text.js';
import type { ResultPart } from '../transcript/types.js';
import { argumentsIn } from './file-calls.js';
import { mapTexts } from './results.js';

/** So many lines in a row are no coincidence. */
export const LEAST_LINES = 5;

/** Lines that stand somewhere, five by five. */
export type Blocks = Set<string>;

export interface Notes {
  /** What stands for a run of lines. */
  of(run: readonly string[]): string;
  isOne(line: string): boolean;
}

/** The texts of a result in which lines stand: Codex wraps what a command printed in JSON. */
export function bodiesOf({ content }: ResultPart): string[] {
  return content.flatMap((piece) => (piece.type === 'text' ? [bodyOf(textOf(piece.text))] : []));
}

function bodyOf(text: string): string {
  const output = text.startsWith('{"output":') ? argumentsIn(text)['output'] : undefined;
  return typeof output === 'string' ? output : text;
}

export function addBlocks(blocks: Blocks, text: string, isNote: Notes['isOne']): void {
  for (const block of blocksOf(text.split('\n'), isNote)) if (block !== undefined) blocks.add(block);
}

/** By the first of its five lines; undefined where a note is among them. */
function blocksOf(lines: readonly string[], isNote: Notes['isOne']): (string | undefined)[] {
  const bare = lines.map((line) => (isNote(line) ? undefined : line.replace(GUTTER, '')));
  return lines.slice(0, Math.max(0, lines.length - LEAST_LINES + 1)).map((_, at) => {
    const block = bare.slice(at, at + LEAST_LINES);
    return block.includes(undefined) ? undefined : block.join('\n');
  });
}

/** The number of a line that a read shows: it moves when the file changes above it. */
const GUTTER = /^ *\d+[→\t]/;

/** The result with notes for its runs of lines that are in `blocks`, where that is shorter; itself if none is. */
export function withoutLines(part: ResultPart, blocks: Blocks, notes: Notes): ResultPart {
  return mapTexts(part, (text) => {
    const body = bodyOf(text);
    const left = shortened(body, blocks, notes);
    // in JSON, a text stands as JSON spells it
    return body === text ? left : text.replace(JSON.stringify(body), () => JSON.stringify(left));
  });
}

function shortened(text: string, blocks: Blocks, notes: Notes): string {
  const lines = text.split('\n');
  const isThere = lines.map(() => false);
  blocksOf(lines, notes.isOne).forEach((block, at) => {
    if (block !== undefined && blocks.has(block)) isThere.fill(true, at, at + LEAST_LINES);
  });
  const left: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const next = isThere.indexOf(!isThere[at], at);
    const run = lines.slice(at, next < 0 ? lines.length : next);
    const note = isThere[at] ? notes.of(run) : undefined;
    addAll(left, note !== undefined && note.length < run.join('\n').length ? [note] : run);
    at += run.length;
  }
  return left.join('\n');
}
