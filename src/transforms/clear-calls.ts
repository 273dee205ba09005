/** Replaces the results of a call, and on request its arguments. */
import { LANGUAGES, type Language, languageOf } from '../options/language.js';
import type { CallSite } from '../transcript/pairs.js';
import { grouped, joinTexts, textOf } from '../transcript/text.js';
import type { CallPart, Part, ResultPart } from '../transcript/types.js';
import { withNote } from './results.js';
import type { Counts } from './transform.js';

const CLEARED: Readonly<Record<Language, readonly [start: string, end: string]>> = {
  en: ['[Old tool result cleared: ', ' characters'],
  zh: ['[旧的工具结果已清除：', ' 个字符'],
  ja: ['[古いツール結果は消去されました: ', ' 文字'],
};
/** How to see a result again. Only what reads does no harm when it is called twice. */
export const REPEAT: Readonly<Record<Language, string>> = {
  en: '; if you need it and the call only reads, repeat the call',
  zh: '；如需此结果且该调用只读取，请重新调用',
  ja: '。必要で、読み取るだけの呼び出しなら、もう一度呼び出してください',
};

/** What an earlier run put there. */
const NOTE = new RegExp(
  `^(?:${LANGUAGES.map((id) => `\\${CLEARED[id].join('[\\d,]{1,20}')}(?:${REPEAT[id]})?`).join('|')})\\]$`,
);
const LONGEST_NOTE = 120;

/** What stands for a result. */
export function clearedNote({ content }: ResultPart, { text, lang, clearInputs }: ClearedWith): string {
  if (text !== undefined) return text;
  const whole = joinTexts(content);
  if (whole.length <= LONGEST_NOTE && NOTE.test(whole)) return whole;
  const id = languageOf(lang);
  return `${CLEARED[id].join(grouped(whole.length))}${clearInputs === true ? '' : REPEAT[id]}]`;
}

export interface ClearedWith {
  readonly text: string | undefined;
  readonly lang: Language | undefined;
  readonly clearInputs: boolean | undefined;
}

/** What replaces the results of a call and, if they are cleared too, its arguments; empty if nothing gets shorter. */
export function clearedParts({ part, results }: CallSite, options: ClearedWith, counts: Counts): Map<Part, Part> {
  const cleared = new Map<Part, Part>();
  if (options.clearInputs === true) cleared.set(part, withoutInput(part));
  for (const { part: result } of results) cleared.set(result, withNote(result, clearedNote(result, options), counts));
  for (const [before, after] of cleared) if (before === after) cleared.delete(before);
  return cleared;
}

/** An object with members becomes an empty one; arguments that are free text (custom tools) stay. */
function withoutInput(part: CallPart): CallPart {
  return part.kind === undefined && /^\s*\{\s*[^\s}]/.test(textOf(part.input)) ? { ...part, input: '{}' } : part;
}
