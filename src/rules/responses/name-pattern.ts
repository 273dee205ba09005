import { defineRule } from '../rule.js';
import { takeFree } from '../shared/call-ids.js';
import { asName, NAME } from '../shared/calls.js';
import { rewireProblems } from '../shared/edits.js';

/** https://platform.openai.com/docs/api-reference/responses/create, 2026-11 */
const LONGEST = 128;

export default defineRule({
  id: 'responses/name-pattern',
  summary: 'a tool name with invalid characters, or one that is too long',
  severity: 'error',
  providers: ['openai-responses'],
  error:
    "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern " +
    "'^[a-zA-Z0-9_-]+$'. | Invalid 'input[1].name': string too long. Expected a string with maximum length 128",
  cause: 'The model made the name up, or it is an MCP or OpenAPI name with dots, slashes or spaces.',
  example: {
    bad: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'fs.read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
    repaired: {
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: 'call_1', name: 'fs_read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      ],
    },
  },
  reported: ['openai/codex#6926'],
  *check({ transcript, pairing, wire }) {
    for (const { part, message } of pairing.calls) {
      const node = wire(transcript.messages[message]!)?.get('name');
      if (node?.string && (!NAME.test(node.string) || node.string.length > LONGEST))
        yield {
          message,
          part,
          callId: part.callId,
          node,
          text: `the tool name ${JSON.stringify(node.string)} is invalid`,
        };
    }
  },
  fix: {
    safety: 'synthetic',
    summary: 'Replace invalid characters by underscores, and cut the name.',
    apply(context, problems) {
      const taken = new Set(context.pairing.calls.map(({ part }) => part.tool));
      const names = new Map<string, string>();
      for (const { node } of problems)
        if (!names.has(node!.text)) names.set(node!.text, takeFree(asName(node!.text).slice(0, LONGEST), taken));
      return rewireProblems(context, problems, (node) => names.get(node.text)!);
    },
  },
});
