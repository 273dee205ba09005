/** Faults of Anthropic's messages, and of the system prompt beside them, by the table of their shapes. */
import { JsonNode } from '../../json/node.js';
import type { Subject } from '../rule.js';
import { ANTHROPIC_MESSAGE, ANTHROPIC_SYSTEM } from '../shapes/anthropic.js';
import { schemaFaults } from './schema.js';

export function anthropicFaults(subject: Subject) {
  const isOwn = subject.transcript.format === subject.provider.format;
  return schemaFaults(subject, ({ role, raw }, json) => {
    if (json !== undefined)
      return json.get('role') === undefined ? undefined : { node: json, shape: ANTHROPIC_MESSAGE };
    const isBeside = isOwn && role === 'system' && raw instanceof JsonNode && raw.isArray;
    return isBeside ? { node: raw, shape: ANTHROPIC_SYSTEM, path: 'system' } : undefined;
  });
}
