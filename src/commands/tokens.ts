import type { Options } from '../transforms/transform.js';

export const tokenOptions = {
  model: { type: 'text', value: 'model', summary: 'count and price as this model, whatever the recording says' },
  tokenizer: { type: 'choice', choices: ['exact', 'tiktoken'], default: 'exact', summary: 'what counts: our exact counter, or tiktoken itself' },
} as const satisfies Options;
