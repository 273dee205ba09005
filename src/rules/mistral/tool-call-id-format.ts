import { defineRule } from '../rule.js';
import { digest, unfitCallIds, withFitCallIds } from '../shared/call-ids.js';

/** The error says so. */
const ID_LENGTH = 9;

export default defineRule({
  id: 'mistral/tool-call-id-format',
  summary: 'a call id that is not nine letters and digits',
  severity: 'error',
  providers: ['mistral'],
  error:
    'Tool call id was call_0fypS1hVX but must be a-z, A-Z, 0-9, with a length of 9. (type invalid_function_call, code 3280)',
  cause: 'The ids were made by another provider, or by the client.',
  example: {
    bad: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_abc123', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_abc123', content: 'a' },
      ],
    },
    repaired: {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'Ab3xK9mP2', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'Ab3xK9mP2', content: 'a' },
      ],
    },
  },
  reported: [
    'anomalyco/opencode#1680',
    'anomalyco/opencode#3080',
    'avante-corp/avante.nvim#2951',
    'jundot/omlx#1997',
    'karthink/gptel#1203',
    'jackmpcollins/magentic#276',
    'nearai/ironclaw#1241',
    'editor-code-assistant/eca#233',
  ],
  check: (subject) => unfitCallIds(subject, fits, (id) => (id === '' ? 'is empty' : `is ${id}`)),
  fix: {
    safety: 'safe',
    summary: 'Give each such id another of nine letters and digits, on both sides.',
    apply: (subject) => withFitCallIds(subject, fits, (text) => digest(text, ID_LENGTH)),
  },
});

function fits(id: string): boolean {
  return id.length === ID_LENGTH && /^[a-zA-Z0-9]+$/.test(id);
}
