import { errorRule } from '../rule.js';
import { digest, invalidCallIds, withValidCallIds } from '../shared/call-ids.js';

/** From the error text. */
const MAX_LENGTH = 64;

export default errorRule({
  id: 'responses/call-id-length',
  summary: 'a call_id of more than 64 characters',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string " +
    'with length 116 instead. (code string_above_max_length)',
  cause: 'The id was composed of several other ids.',
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
