import { errorRule } from '../rule.js';
import { COHERE_MESSAGE } from '../shapes/cohere.js';
import { extraFields, withoutFields } from '../shared/chat-schema.js';

export default errorRule({
  id: 'cohere/extra-fields',
  summary: 'a field that Cohere does not know',
  providers: ['cohere'],
  error:
    "unknown field: parameter 'strict' is not a valid field. For proper usage, please refer to " +
    'https://docs.cohere.com/reference/chat',
  cause: 'A reply of another provider is sent back with all its fields, or a framework stores its own.',
  reported: ['OpenRouterTeam/openrouter-examples#71'],
  check: (context) => extraFields(context, COHERE_MESSAGE),
  fix: withoutFields(COHERE_MESSAGE),
});
