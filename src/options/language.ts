/** The languages of texts that a transform or a policy puts into a transcript, and the option that chooses one. */
export const LANGUAGES = ['en', 'zh', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

export const languageOption = {
  lang: {
    type: 'choice',
    choices: LANGUAGES,
    value: 'language',
    summary: 'language of inserted texts (or CTX_TRIM_LANG)',
  },
} as const;

export function languageOf(lang: Language | undefined): Language {
  return lang ?? 'en';
}
