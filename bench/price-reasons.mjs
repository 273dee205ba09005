/** Why a list has another price than ours; the first that applies. `of`: only this list. */
export const REASONS = [
  { names: /^deepseek-ai\/|^Qwen|gpt-oss|llama-4/, of: 'LiteLLM', why: 'open weights; the price of another host' },
  {
    names: /^deepseek-(?:reasoner|chat)$/,
    of: 'LiteLLM',
    why: 'the price of V3.2, before both names stood for V4 Flash',
  },
  { names: /^deepseek-v4/, of: 'LiteLLM', why: 'the price before August 16, 2026; since then it is by the hour' },
  {
    names: /^deepseek-(?:v4|flash)/,
    of: 'models.dev',
    why: 'the price of peak hours; ours is by the hour, here outside of them',
  },
  {
    names: /^claude-sonnet-5$/,
    of: 'LiteLLM',
    why: 'older: $2 / $10 in its file of 2026-11-20, in models.dev and in the price package',
  },
  {
    names: /^gpt-5\.[45]-pro$/,
    of: 'LiteLLM',
    why: 'a price of cache reads that neither models.dev nor the price package has',
  },
  { names: /^gpt-realtime-2$/, of: 'LiteLLM', why: 'it has the figures of gpt-realtime; ours: the package' },
  {
    names: /-latest$|^open-mistral-nemo$/,
    of: 'LiteLLM',
    why: 'stale: the alias stands for a newer model, or the price fell',
  },
  {
    names: /^gemma-/,
    why: 'open weights; free in Google’s own API (`gemini/gemma-…` here), other hosts have other prices',
  },
  {
    names: /^labs-|-highspeed$/,
    of: 'models.dev',
    why: 'it writes 0 for previews and plans, which are no price for tokens',
  },
];
