import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { digest, invalidCallIds, withValidCallIds } from '../shared/call-ids.js';

/** From the error text. */
const ID_LENGTH = 9;

export default errorRule({
  id: 'mistral/tool-call-id-format',
  summary: 'a tool call id that is not nine letters and digits',
  providers: ['mistral'],
  error:
    'Tool call id was call_0fypS1hVX but must be a-z, A-Z, 0-9, with a length of 9. (type ' +
    'invalid_function_call, code 3280)',
  cause: 'Another provider or the client made the ids.',
  reported: commaList(`
    anomalyco/opencode#1680, anomalyco/opencode#3080, avante-corp/avante.nvim#2951, jundot/omlx#1997,
    karthink/gptel#1203, jackmpcollins/magentic#276, nearai/ironclaw#1241, editor-code-assistant/eca#233
  `),
  check: (context) => invalidCallIds(context, fits, (id) => (id === '' ? 'is empty' : `is ${id}`)),
  fix: {
    safety: 'safe',
    summary: 'Replace each id with one of nine letters and digits, in calls and results.',
    apply: (context) => withValidCallIds(context, fits, (text) => digest(text, ID_LENGTH)),
  },
});

function fits(id: string): boolean {
  return id.length === ID_LENGTH && /^[a-zA-Z0-9]+$/.test(id);
}
