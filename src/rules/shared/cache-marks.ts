/** Blocks of a history that have a cache breakpoint, in their order: those of the system prompt, of messages, and of results. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { isOwn } from './own-format.js';

export interface CacheMark {
  readonly message: number;
  readonly part: Part;
  readonly block: JsonNode;
  /** The value of its `cache_control`. */
  readonly mark: JsonNode;
}

export function* cacheMarks(subject: RuleContext): Generator<CacheMark> {
  for (const [message, said] of subject.transcript.messages.entries()) {
    if (said.role === 'meta' || !isOwn(subject, said)) continue;
    for (const part of said.parts)
      for (const { raw: block } of part.type === 'result' ? [...part.content, part] : [part]) {
        const mark = block instanceof JsonNode ? block.get('cache_control') : undefined;
        if (block instanceof JsonNode && mark !== undefined && !mark.isNull) yield { message, part, block, mark };
      }
  }
}
