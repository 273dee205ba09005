/** The blocks with a cache breakpoint, in order: in the system prompt, in messages and in results. */
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import type { RuleContext } from '../rule.js';
import { bodyOf, isOwn } from './own-format.js';
import { valueAt } from './request.js';

export interface CacheMark {
  readonly message: number;
  readonly part: Part;
  readonly block: JsonNode;
  /** The value of its `cache_control`. */
  readonly mark: JsonNode;
}

export function* cacheMarks(context: RuleContext): Generator<CacheMark> {
  for (const [index, message] of context.transcript.messages.entries()) {
    if (message.role === 'meta' || !isOwn(context, message)) continue;
    for (const part of message.parts)
      for (const { raw: block } of part.type === 'result' ? [...part.content, part] : [part]) {
        const mark = block instanceof JsonNode ? block.get('cache_control') : undefined;
        if (block instanceof JsonNode && mark !== undefined && !mark.isNull)
          yield { message: index, part, block, mark };
      }
  }
}

/** The tool definitions with a cache breakpoint. */
export function toolMarks(context: RuleContext): { readonly tool: JsonNode; readonly mark: JsonNode }[] {
  return (bodyOf(context)?.get('tools')?.items() ?? []).flatMap((tool) => {
    const mark = tool.get('cache_control');
    return mark === undefined || mark.isNull ? [] : { tool, mark };
  });
}

/**
 * The breakpoint that the request itself asks for. The API puts it on the last block, and it takes one of the four.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#edge-cases
 */
export function automaticMark(context: RuleContext): JsonNode | undefined {
  return valueAt(bodyOf(context), 'cache_control');
}
