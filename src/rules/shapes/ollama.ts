/**
 * Messages as Ollama's server decodes them: it ignores what it does not know, null is as nothing, and the names of
 * roles are for the model's template to judge.
 * https://github.com/ollama/ollama/blob/main/docs/openapi.yaml (`ChatMessage`, 2026-11)
 */
import type { Shape } from './shape.js';

export const OLLAMA_MESSAGE: Shape = {
  fields: {
    role: 'string|null',
    'content?': 'string|null',
    'thinking?': 'string|null',
    'images?': { either: [{ list: 'string' }, 'null'] },
    'tool_name?': 'string|null',
    'tool_call_id?': 'string|null',
    'tool_calls?': {
      either: [
        {
          list: {
            fields: {
              'id?': 'string|null',
              'function?': { fields: { 'name?': 'string|null', 'arguments?': 'object|null' } },
            },
          },
        },
        'null',
      ],
    },
  },
};
