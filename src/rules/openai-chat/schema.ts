import { isAgentRow } from '../../formats/openai/openai-chat-read.js';
import type { JsonNode } from '../../json/node.js';
import { errorRule, type RuleContext } from '../rule.js';
import { CHAT_MESSAGE } from '../shapes/openai-chat.js';
import { problemOf, schemaFaults } from '../shared/schema.js';

export default errorRule({
  id: 'openai-chat/schema',
  summary: 'a message that OpenAI’s published schema rejects',
  providers: ['openai-chat'],
  cleaned: true,
  error:
    "Invalid value: 'User'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and " +
    "'developer'. | Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got " +
    "an object instead. | Invalid 'messages[5].name': string does not match pattern.",
  cause: 'A message was written by hand, or converted from the format of another provider.',
  reported: ['FlowiseAI/Flowise#2948', 'volcengine/volcengine-java-sdk#105'],
  *check(context) {
    const faults = schemaFaults(context, (_, json) =>
      json?.get('role') === undefined || isAgentRow(json) ? undefined : { node: json, shape: CHAT_MESSAGE },
    );
    for (const fault of faults)
      yield { ...problemOf(context, fault), isNote: !context.asRequest && isOfExport(context, fault) };
  },
});

/** What exports of logs leave out, or write where nothing was said: an agent sends it otherwise. */
function isOfExport(
  { wire, transcript }: RuleContext,
  fault: { node: JsonNode; text: string; message: number },
): boolean {
  const hasCalls = (wire(transcript.messages[fault.message]!)?.get('tool_calls')?.length ?? 0) > 0;
  return (
    hasCalls && (/^`tool_calls\[\d+\]` has no `type`$/.test(fault.text) || fault.text === '`content` is an empty array')
  );
}
