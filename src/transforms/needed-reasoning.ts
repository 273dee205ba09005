/**
 * Reasoning that goes back into a request. Anthropic: "When `thinking` is enabled, a final `assistant` message must
 * start with a thinking block". OpenAI: "Item 'fc_…' of type 'function_call' was provided without its required
 * 'reasoning' item". https://platform.claude.com/docs/en/build-with-claude/extended-thinking, read 2026-11-29
 */
import { JsonNode } from '../json/node.js';
import type { Message, Transcript } from '../transcript/types.js';

/** Of a transcript whose API needs it: that of calls of the current run, and of calls that OpenAI knows by ids. */
export function isNeededIn({ messages, traits }: Transcript): (message: Message, index: number) => boolean {
  if (traits.needsReasoning !== true) return () => false;
  const run = messages.findLastIndex(isAsking);
  return (message, index) =>
    message.parts.some(({ type }) => type === 'call') && (index > run || blocksOf(message).some(hasItem));
}

/** Results come in messages of the user, too. */
function isAsking({ role, parts }: Message): boolean {
  return role === 'user' && !parts.some(({ type }) => type === 'result');
}

function blocksOf({ raw }: Message): readonly JsonNode[] {
  return raw instanceof JsonNode ? ((raw.get('content') ?? raw.get('parts'))?.items() ?? []) : [];
}

/** Whether a block is, or holds, a reasoning item of OpenAI's Responses API. pi keeps it as JSON, in the signature. */
function hasItem(block: JsonNode): boolean {
  const itemId = (block.get('providerOptions') ?? block.get('metadata'))?.get('openai')?.get('itemId');
  const isItem = block.get('type')?.string === 'reasoning' && block.get('id')?.string?.startsWith('rs_') === true;
  return itemId?.isString === true || isItem || block.get('thinkingSignature')?.string?.startsWith('{') === true;
}
