import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { MISTRAL_MESSAGE } from '../shapes/mistral.js';
import { extraFields, withoutFields } from '../shared/chat-schema.js';

export default errorRule({
  id: 'mistral/extra-fields',
  summary: 'a field that Mistral does not know',
  providers: ['mistral'],
  error:
    '{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are ' +
    'not permitted"}',
  cause: 'A reply of another provider is sent back with all its fields, or an agent stores its own in messages.',
  reported: commaList(`
    charmbracelet/crush#1590, BerriAI/litellm#30835, BerriAI/litellm#30882, Gage-Technologies/mistral-go#3,
    nomtek/mistralai_client_dart#44
  `),
  check: (context) => extraFields(context, MISTRAL_MESSAGE),
  fix: withoutFields(MISTRAL_MESSAGE),
});
