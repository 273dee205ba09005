import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { MISTRAL_MESSAGE } from '../shapes/mistral.js';
import { chatFaults } from '../shared/chat-schema.js';
import { rewireProblems } from '../shared/edits.js';
import { problemOf } from '../shared/schema.js';

export default errorRule({
  id: 'mistral/schema',
  summary: 'a message that Mistral’s published schema rejects',
  providers: ['mistral'],
  cleaned: true,
  error:
    "Input tag 'human' found using 'role' does not match any of the expected tags: 'assistant', 'system', 'tool', " +
    "'user' | body.messages.1.assistant.tool_calls: Input should be a valid list",
  cause: 'A message was written by hand, or converted from the format of another provider.',
  reported: ['openai/openai-dotnet#394'],
  *check(context) {
    for (const fault of chatFaults(context, MISTRAL_MESSAGE)) if (!fault.isExtra) yield problemOf(context, fault);
  },
  fix: {
    safety: 'safe',
    summary: 'Write a file of OpenAI’s as `document_url`.',
    reaches: (_, { node }) => node !== undefined && documentOf(node) !== undefined,
    apply: (context, problems) => rewireProblems(context, problems, documentOf),
  },
});

/** Data URLs are taken: https://ai-sdk.dev/providers/ai-sdk-providers/mistral, 2026-11 */
function documentOf(node: JsonNode): Json | undefined {
  const data = node.get('file')?.get('file_data');
  if (!data?.isString) return undefined;
  return { type: 'document_url', document_url: data, document_name: node.get('file')!.get('filename') };
}
