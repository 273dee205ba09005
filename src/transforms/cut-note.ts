/** The note at the end of a cut result: writes it, and finds the note of an earlier cut. */
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

export function noteOf({ length, unit }: Original, language: Language): string {
  return NOTES[language](length, UNIT_NAMES[language][unit]);
}

/** A note of an earlier cut at the end of a text. */
export interface EarlierNote {
  /** Its start in the text, including `lead`: the ellipsis and line break before the note. */
  readonly start: number;
  readonly lead: string;
  readonly original: Original;
}

const UNITS: readonly Unit[] = ['chars', 'bytes', 'tokens'];
/** The most digits of a length. */
const MOST_DIGITS = 15;
/** The most characters of a note. */
const LONGEST_NOTE = 100;

/** A pattern for the note in each language and unit. */
const EARLIER_NOTES = LANGUAGES.flatMap((language) =>
  UNITS.map((unit) => {
    const [before, after] = noteOf({ length: '\0', unit }, language).split('\0') as [string, string];
    const escaped = (text: string) => text.replace(/[[\].]/g, '\\$&');
    const length = `(?<length>\\d{1,${MOST_DIGITS}})`;
    return { unit, pattern: new RegExp(`(?<lead>(?:\\.{3})?\\n)${escaped(before)}${length}${escaped(after)}$`) };
  }),
);

/** The note of an earlier cut. A note with a length below the text's own is not ours. */
export function earlierNote(
  text: string,
  now: { readonly length: number; readonly unit: Unit },
): EarlierNote | undefined {
  if (!text.endsWith(']')) return undefined;
  const from = Math.max(0, text.length - LONGEST_NOTE);
  const end = text.slice(from);
  for (const { unit, pattern } of EARLIER_NOTES) {
    const found = pattern.exec(end);
    const { lead, length } = found?.groups ?? {};
    if (found === null || (unit === now.unit && Number(length) < now.length)) continue;
    return { start: from + found.index, lead: lead!, original: { length: length!, unit } };
  }
  return undefined;
}
