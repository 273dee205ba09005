/** Who serves a model, by its name, in the words that agents share with models.dev. */
export function providerOf(model = ''): 'anthropic' | 'google' | 'openai' {
  if (/claude/i.test(model)) return 'anthropic';
  return /gemini/i.test(model) ? 'google' : 'openai';
}
