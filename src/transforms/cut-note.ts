/** The note in which a cut result ends: how it is written, and how one of an earlier cut is found again. */
import { LANGUAGES, type Language } from '../options/language.js';
import type { Unit } from './transform.js';

const UNIT_NAMES: Readonly<Record<Language, Readonly<Record<Unit, string>>>> = {
  en: { chars: 'chars', bytes: 'bytes', tokens: 'tokens' },
  zh: { chars: '字符', bytes: '字节', tokens: '令牌' },
  ja: { chars: '文字', bytes: 'バイト', tokens: 'トークン' },
};

const NOTES: Readonly<Record<Language, (length: string, unit: string) => string>> = {
  en: (length, unit) => `[result truncated, original length: ${length} ${unit}]`,
  zh: (length, unit) => `[结果已截断，原始长度: ${length} ${unit}]`,
  ja: (length, unit) => `[結果は切り詰められました。元の長さ: ${length} ${unit}]`,
};

/** How long a result was before it was cut. */
export interface Original {
  readonly length: string;
  readonly unit: Unit;
}

/** What a result that was cut says at its end. */
export function noteOf({ length, unit }: Original, language: Language): string {
  return NOTES[language](length, UNIT_NAMES[language][unit]);
}

/** A note of an earlier cut at the end of a text. */
export interface EarlierNote {
  /** Where it starts, with what leads up to it. */
  readonly start: number;
  readonly lead: string;
  readonly original: Original;
}

const UNITS: readonly Unit[] = ['chars', 'bytes', 'tokens'];
/** No length of a text has more digits. */
const MOST_DIGITS = 15;
/** No note is longer. */
const LONGEST_NOTE = 100;

/** Every note, in any language and unit, as the pattern of its text. */
const EARLIER_NOTES = LANGUAGES.flatMap((language) =>
  UNITS.map((unit) => {
    const [before, after] = noteOf({ length: '\0', unit }, language).split('\0') as [string, string];
    const escaped = (text: string) => text.replace(/[[\].]/g, '\\$&');
    return { unit, pattern: new RegExp(`((?:\\.{3})?\\n)${escaped(before)}(\\d{1,${MOST_DIGITS}})${escaped(after)}$`) };
  }),
);

/** The note at the end of a text that was cut before. One that names less than the text is now was written by somebody else. */
export function earlierNote(
  text: string,
  now: { readonly length: number; readonly unit: Unit },
): EarlierNote | undefined {
  if (!text.endsWith(']')) return undefined;
  const from = Math.max(0, text.length - LONGEST_NOTE);
  const end = text.slice(from);
  for (const { unit, pattern } of EARLIER_NOTES) {
    const found = pattern.exec(end);
    if (found === null || (unit === now.unit && Number(found[2]) < now.length)) continue;
    return { start: from + found.index, lead: found[1]!, original: { length: found[2]!, unit } };
  }
  return undefined;
}
