import { readTools } from '../../formats/shared/tools.js';
import { defineRule } from '../rule.js';
import { isOwn } from '../shared/own-format.js';

/** https://ai.google.dev/api/caching#FunctionDeclaration, 2026-11 */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

export default defineRule({
  id: 'gemini/function-name',
  summary: 'a function name that does not match Gemini’s pattern',
  severity: 'error',
  providers: ['gemini'],
  error:
    '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a ' +
    'letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes ' +
    '(-), with a maximum length of 64.',
  cause: 'An MCP or OpenAPI name has slashes or spaces, begins with a digit, or is too long.',
  example: {
    bad: {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [{ name: '1 bad name' }] }],
    },
    repaired: {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [{ name: 'good_name' }] }],
    },
  },
  reported: [],
  *check(context) {
    const { transcript, pairing } = context;
    for (const { name } of readTools(transcript.tools?.text ?? '[]').definitions)
      if (!NAME.test(name))
        yield { message: undefined, text: `the name of the tool ${JSON.stringify(name)} is invalid` };
    for (const { part, message } of pairing.calls)
      if (!NAME.test(part.tool) && isOwn(context, transcript.messages[message]!))
        yield {
          message,
          part,
          callId: part.callId,
          text: `the name ${JSON.stringify(part.tool)} in a call is invalid`,
        };
  },
});
