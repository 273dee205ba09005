import { errorRule } from '../rule.js';
import { OLLAMA_MESSAGE } from '../shapes/ollama.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default errorRule({
  id: 'ollama/schema',
  summary: 'a message that Ollama cannot decode',
  providers: ['ollama'],
  error: 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
  cause: 'A message was written by hand, or converted from the format of another provider.',
  reported: ['ollama/ollama#6451', 'BerriAI/litellm#11273'],
  *check(context) {
    const faults = schemaFaults(context, (_, json) => {
      const node = json?.get('role') === undefined ? json?.get('message') : json;
      return node?.isObject ? { node, shape: OLLAMA_MESSAGE } : undefined;
    });
    for (const fault of faults) yield problemOf(context, fault);
  },
});
