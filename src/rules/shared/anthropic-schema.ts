/** Schema faults of Anthropic messages and of the separate system prompt. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { ANTHROPIC_MESSAGE, ANTHROPIC_SYSTEM } from '../shapes/anthropic.js';
import { isSent } from './own-format.js';
import { schemaFaults } from './schema.js';

export function anthropicFaults(context: RuleContext) {
  const isOwn = context.transcript.format === context.provider.format;
  return schemaFaults(context, (message, json) => {
    const { role, raw } = message;
    if (json !== undefined) {
      const isMessage = json.get('role') !== undefined || isInRequest(context, message);
      return isMessage ? { node: json, shape: ANTHROPIC_MESSAGE } : undefined;
    }
    const isBeside = isOwn && role === 'system' && raw instanceof JsonNode && raw.isArray;
    return isBeside ? { node: raw, shape: ANTHROPIC_SYSTEM, path: 'system' } : undefined;
  });
}

/** Whether the message is in a request body: every request has these two fields. */
export function isInRequest(context: RuleContext, message: Message): boolean {
  return isSent(context, message, ['model', 'max_tokens']);
}

/** Whether an agent logged the message: in another format, or with additional fields. */
export function isOfLog(context: RuleContext, message: Message): boolean {
  const { raw } = message;
  if (context.transcript.format !== context.provider.format) return true;
  return (
    raw instanceof JsonNode &&
    raw.get('content') !== undefined &&
    raw.members().some(({ key }) => key.text !== 'role' && key.text !== 'content') &&
    !isInRequest(context, message)
  );
}
