import { defineRule } from '../rule.js';
import { digest, invalidCallIds, withValidCallIds } from '../shared/call-ids.js';

/** From the error text. */
const MAX_LENGTH = 64;
const LONG_ID = 'c'.repeat(116);

export default defineRule({
  id: 'responses/call-id-length',
  summary: 'a call_id of more than 64 characters',
  severity: 'error',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string " +
    'with length 116 instead. (code string_above_max_length)',
  cause: 'The id was composed of several other ids.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        {
          type: 'function_call',
          call_id: LONG_ID,
          name: 'ls',
          arguments: '{}',
        },
        {
          type: 'function_call_output',
          call_id: LONG_ID,
          output: 'a',
        },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_cccc', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_cccc', output: 'a' },
      ],
    },
  },
  reported: ['AnswerDotAI/fastllm#45', 'openclaw/openclaw#875'],
  check: (context) =>
    invalidCallIds(context, fits, (id) => `has ${id.length} characters; at most ${MAX_LENGTH} are allowed`),
  fix: {
    safety: 'safe',
    summary: 'Shorten the ids, in calls and outputs.',
    apply: (context) => withValidCallIds(context, fits, (text) => `call_${digest(text)}`),
  },
});

function fits(id: string): boolean {
  return id.length <= MAX_LENGTH;
}
