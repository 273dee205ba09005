import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'bedrock/result-json-not-object',
  summary: 'a JSON result that is not an object',
  providers: ['bedrock'],
  error:
    'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. Provide a json object for ' +
    'the field and try again.',
  cause: 'The tool returned a list or a number, which was sent as JSON because it is valid JSON.',
  reported: ['aws/aws-sdk-js-v3#7330', 'sigoden/aichat#1542', 'deepset-ai/haystack-core-integrations#3766'],
  *check({ pairing }) {
    for (const { part, message } of pairing.results)
      for (const { raw } of part.content) {
        const value = raw instanceof JsonNode ? raw.get('json') : undefined;
        if (value?.isObject === false)
          yield {
            message,
            part,
            callId: part.callId,
            node: raw as JsonNode,
            text: `the JSON of a result is ${value.isNull ? 'null' : `of the kind ${value.kind}`}, not an object`,
          };
      }
  },
  fix: {
    safety: 'safe',
    summary: 'Write the JSON as text.',
    apply: (context, problems) =>
      rewireProblems(context, problems, (node) => ({ text: textOf(node.get('json') ?? '') })),
  },
});
