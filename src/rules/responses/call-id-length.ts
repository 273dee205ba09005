import { defineRule } from '../rule.js';
import { digest, unfitCallIds, withFitCallIds } from '../shared/call-ids.js';

/** The error says so. */
const MAX_LENGTH = 64;

export default defineRule({
  id: 'responses/call-id-length',
  summary: 'a call_id of more than 64 characters',
  severity: 'error',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead. (code string_above_max_length)",
  cause: 'The id was put together of several others.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        {
          type: 'function_call',
          call_id:
            'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',
          name: 'ls',
          arguments: '{}',
        },
        {
          type: 'function_call_output',
          call_id:
            'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',
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
  check: (subject) => unfitCallIds(subject, fits, (id) => `has ${id.length} characters, ${MAX_LENGTH} are allowed`),
  fix: {
    safety: 'safe',
    summary: 'Give each such id a shorter one, on both sides.',
    apply: (subject) => withFitCallIds(subject, fits, (text) => `call_${digest(text)}`),
  },
});

function fits(id: string): boolean {
  return id.length <= MAX_LENGTH;
}
