/** The option that chooses a language. */
import { LANGUAGES, type Language } from './languages.js';
import type { Options } from './transform.js';

export { LANGUAGES, type Language };

export const languageOption = {
  lang: {
    type: 'choice',
    choices: LANGUAGES,
    value: 'language',
    summary: 'language of the texts that are put in: en, zh, ja (or CTX_TRIM_LANG)',
  },
} as const satisfies Options;

export function languageOf(lang: Language | undefined): Language {
  return lang ?? 'en';
}
