/** Lines of a read that the next read of the same file shows again: the earlier result loses them. */
import { type Language, languageOf } from '../options/language.js';
import type { CallSite } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { ResultPart } from '../transcript/types.js';
import type { FileCall } from './file-calls.js';
import type { Counts } from './transform.js';

/** So many lines in a row are no coincidence. */
const LEAST_LINES = 5;

const AGAIN: Readonly<Record<Language, readonly [start: string, end: string]>> = {
  en: ['[', ' lines that the next read of this file shows again]'],
  zh: ['[', ' 行，下一次读取此文件时再次显示]'],
  ja: ['[', ' 行: このファイルの次の読み取りに再び表示されます]'],
};
const NOTES = Object.values(AGAIN);

/**
 * Calls are added from the last to the first. Only the next read counts, so that what goes is known once it came:
 * later reads change nothing about it.
 */
export class Overlaps {
  private readonly next = new Map<string, { readonly call: CallSite; readonly file: FileCall; blocks?: Set<string> }>();

  add(call: CallSite, file: FileCall): void {
    if (file.does === 'read' && file.paths.length === 1) this.next.set(file.paths[0]!, { call, file });
  }

  /** The result without the lines that come again, and since when; undefined if there are none. */
  of(call: CallSite, file: FileCall, lang: Language | undefined, counts: Counts) {
    const next = file.paths.length === 1 ? this.next.get(file.paths[0]!) : undefined;
    const [site, other] = call.results;
    if (next === undefined || site === undefined || other !== undefined) return undefined;
    next.blocks ??= blocksIn(bodyOf(next.call.results[0]!.part, next.file) ?? '');
    if (next.blocks.size === 0) return undefined;
    const after = withoutLines(site.part, file, { blocks: next.blocks, words: AGAIN[languageOf(lang)] });
    const isShorter = after !== site.part && tokens(after, counts) < tokens(site.part, counts);
    return isShorter ? { before: site.part, after, since: next.call.results[0]!.message } : undefined;
  }
}

const tokens = (part: ResultPart, counts: Counts) => counts.message({ role: 'tool', parts: [part] });

function bodyOf({ content: [piece, other] }: ResultPart, file: FileCall): string | undefined {
  if (piece?.type !== 'text' || other !== undefined) return undefined;
  const text = textOf(piece.text);
  return file.output === undefined ? text : file.output(text);
}

const isNote = (line: string) => NOTES.some(([start, end]) => line.startsWith(start) && line.endsWith(end));

/** Each five lines in a row, by the first of them; undefined where a note is among them. */
function blocksOf(lines: readonly string[]): (string | undefined)[] {
  const starts = lines.slice(0, Math.max(0, lines.length - LEAST_LINES + 1));
  const notes = lines.map(isNote);
  return starts.map((_, at) =>
    notes.slice(at, at + LEAST_LINES).includes(true) ? undefined : lines.slice(at, at + LEAST_LINES).join('\n'),
  );
}

function blocksIn(text: string): Set<string> {
  return new Set(blocksOf(text.split('\n')).filter((block) => block !== undefined));
}

interface Again {
  readonly blocks: ReadonlySet<string>;
  readonly words: readonly [start: string, end: string];
}

function withoutLines(part: ResultPart, file: FileCall, again: Again): ResultPart {
  const body = bodyOf(part, file);
  const [piece] = part.content;
  if (body === undefined || piece?.type !== 'text') return part;
  const text = textOf(piece.text);
  const left = shortened(body, again);
  if (left === body) return part;
  // what wraps it stays; in JSON, a text stands there as JSON spells it
  const [from, to] = text.includes(body) ? [body, left] : [body, left].map((one) => JSON.stringify(one));
  const at = text.lastIndexOf(from!);
  return at < 0
    ? part
    : { ...part, content: [{ ...piece, text: text.slice(0, at) + to + text.slice(at + from!.length) }] };
}

function shortened(text: string, { blocks, words: [start, end] }: Again): string {
  const lines = text.split('\n');
  const comes = lines.map(() => false);
  blocksOf(lines).forEach((block, at) => {
    if (block !== undefined && blocks.has(block)) comes.fill(true, at, at + LEAST_LINES);
  });
  const left: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let to = at + 1;
    while (to < lines.length && comes[to] === comes[at]) to++;
    const run = lines.slice(at, to);
    const note = `${start}${run.length}${end}`;
    if (comes[at] && note.length < run.join('\n').length) left.push(note);
    else left.push(...run);
    at = to;
  }
  return left.join('\n');
}
