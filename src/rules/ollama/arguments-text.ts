import { tryParse } from '../../formats/shared/json-fields.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { nameOfCall } from '../shared/calls.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'ollama/arguments-text',
  summary: 'arguments as a text, where Ollama takes an object',
  providers: ['ollama'],
  error:
    'json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type ' +
    'api.ToolCallFunctionArguments',
  cause: 'The history is in OpenAI’s format, in which arguments are JSON in a text.',
  covers: ['ollama/schema'],
  reported: ['aliasrobotics/cai#76', 'neuron-core/neuron-ai#219'],
  *check({ pairing, wire, transcript }) {
    for (const { part, message } of pairing.calls) {
      const calls = wire(transcript.messages[message]!)?.get('tool_calls')?.items() ?? [];
      const node = calls
        .find((call) => call.is(part.raw))
        ?.get('function')
        ?.get('arguments');
      if (node?.isString)
        yield { message, part, callId: part.callId, node, text: `the arguments of ${nameOfCall(part)} are a text` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Write the object that the text holds.',
    reaches: (_, { node }) => objectIn(node!) !== undefined,
    apply: (context, problems) => rewireProblems(context, problems, objectIn),
  },
});

function objectIn(text: JsonNode): JsonNode | undefined {
  const value = text.text.trim() === '' ? tryParse('{}') : tryParse(text.text);
  return value?.isObject ? value : undefined;
}
