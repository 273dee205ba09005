/** Replaces the results of a call, and on request its arguments. */
import { type Language, languageOf } from '../options/language.js';
import type { CallSite } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { CallPart, Part } from '../transcript/types.js';
import { withNote } from './results.js';
import type { Counts } from './transform.js';

/** The English text is that of Eino's `reduction`. https://github.com/cloudwego/eino */
export const CLEARED: Readonly<Record<Language, string>> = {
  en: '[Old tool result content cleared]',
  zh: '[旧的工具结果已清除]',
  ja: '[古いツール結果は消去されました]',
};

export interface ClearedWith {
  readonly text: string | undefined;
  readonly lang: Language | undefined;
  readonly clearInputs: boolean | undefined;
}

/** What replaces the results of a call and, if they are cleared too, its arguments; empty if nothing gets shorter. */
export function clearedParts({ part, results }: CallSite, options: ClearedWith, counts: Counts): Map<Part, Part> {
  const text = options.text ?? CLEARED[languageOf(options.lang)];
  const cleared = new Map<Part, Part>();
  if (options.clearInputs === true) cleared.set(part, withoutInput(part));
  for (const { part: result } of results) cleared.set(result, withNote(result, text, counts));
  for (const [before, after] of cleared) if (before === after) cleared.delete(before);
  return cleared;
}

/** An object with members becomes an empty one; arguments that are free text (custom tools) stay. */
function withoutInput(part: CallPart): CallPart {
  return part.kind === undefined && /^\s*\{\s*[^\s}]/.test(textOf(part.input)) ? { ...part, input: '{}' } : part;
}
