/** Faults of Anthropic's messages, and of the system prompt beside them, by the table of their shapes. */
import { JsonNode } from '../../json/node.js';
import type { Message } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { ANTHROPIC_MESSAGE, ANTHROPIC_SYSTEM } from '../shapes/anthropic.js';
import { isSent } from './own-format.js';
import { schemaFaults } from './schema.js';

export function anthropicFaults(subject: RuleContext) {
  const isOwn = subject.transcript.format === subject.provider.format;
  return schemaFaults(subject, (said, json) => {
    const { role, raw } = said;
    if (json !== undefined) {
      const isMessage = json.get('role') !== undefined || isInRequest(subject, said);
      return isMessage ? { node: json, shape: ANTHROPIC_MESSAGE } : undefined;
    }
    const isBeside = isOwn && role === 'system' && raw instanceof JsonNode && raw.isArray;
    return isBeside ? { node: raw, shape: ANTHROPIC_SYSTEM, path: 'system' } : undefined;
  });
}

/** Whether the message stands in the body of a request: every request says these two. */
export function isInRequest(subject: RuleContext, message: Message): boolean {
  return isSent(subject, message, ['model', 'max_tokens']);
}

/** Whether an agent wrote the message down in its own way: in another format, or with fields beside those that messages have. */
export function isOfLog(subject: RuleContext, message: Message): boolean {
  const { raw } = message;
  if (subject.transcript.format !== subject.provider.format) return true;
  return (
    raw instanceof JsonNode &&
    raw.get('content') !== undefined &&
    raw.members().some(({ key }) => key.text !== 'role' && key.text !== 'content') &&
    !isInRequest(subject, message)
  );
}
