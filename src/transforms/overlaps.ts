/** Lines of a read that the next read of the same file shows again: the earlier result loses them. */
import { type Language, languageOf } from '../options/language.js';
import type { CallSite } from '../transcript/pairs.js';
import type { FileCall } from './file-calls.js';
import { addBlocks, type Blocks, bodiesOf, type Notes, withoutLines } from './repeated-lines.js';
import { isShorter } from './results.js';
import type { Counts } from './transform.js';

const AGAIN: Readonly<Record<Language, readonly [start: string, end: string]>> = {
  en: ['[', ' lines that the next read of this file shows again]'],
  zh: ['[', ' 行，下一次读取此文件时再次显示]'],
  ja: ['[', ' 行: このファイルの次の読み取りに再び表示されます]'],
};
const isOne: Notes['isOne'] = (line) =>
  Object.values(AGAIN).some(
    ([start, end]) => line.endsWith(end) && /^\d+$/.test(line.slice(start.length, -end.length)),
  );

/** How many lines the notes of a text stand for, beside themselves. */
export function linesOfNotes(text: string): number {
  return text.includes('[')
    ? text.split('\n').reduce((sum, line) => sum + (isOne(line) ? parseInt(line.slice(1), 10) - 1 : 0), 0)
    : 0;
}

/**
 * Calls are added from the last to the first. Only the next read counts, so that what goes is known once it came:
 * later reads change nothing about it.
 */
export class Overlaps {
  private readonly next = new Map<string, { readonly call: CallSite; blocks?: Blocks }>();

  add(call: CallSite, file: FileCall): void {
    if (file.does === 'read' && file.paths.length === 1) this.next.set(file.paths[0]!, { call });
  }

  /** The result without the lines that come again, and since when; undefined if there are none. */
  of({ results: [site, other] }: CallSite, file: FileCall, lang: Language | undefined, counts: Counts) {
    const next = file.paths.length === 1 ? this.next.get(file.paths[0]!) : undefined;
    if (next === undefined || site === undefined || other !== undefined) return undefined;
    const { part: shown, message: since } = next.call.results[0]!;
    if (next.blocks === undefined) {
      next.blocks = new Set();
      for (const body of bodiesOf(shown)) addBlocks(next.blocks, body, isOne);
    }
    const [start, end] = AGAIN[languageOf(lang)];
    const after = withoutLines(site.part, next.blocks, { of: (run) => `${start}${run.length}${end}`, isOne });
    return isShorter(after, site.part, counts) ? { before: site.part, after, since } : undefined;
  }
}
