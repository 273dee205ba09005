/**
 * Words in blocks that only Bedrock has: a text for a guardrail, and a text of the model with its citations.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html (2026-11-30)
 */
import type { JsonNode } from '../json/node.js';

export interface ToldText {
  readonly text: string;
  /** What is lost where the words stand alone. */
  readonly lost: string;
}

/** The words of such a block; undefined if it is another one, or has none. */
export function toldTextIn(block: JsonNode): ToldText | undefined {
  const guarded = block.get('guardContent')?.get('text')?.get('text')?.string;
  if (guarded) return { text: guarded, lost: 'that a guardrail judges a text' };
  const cited = block.get('citationsContent');
  const text = (cited?.get('content')?.items() ?? []).map((piece) => piece.get('text')?.string ?? '').join('');
  return text === '' ? undefined : { text, lost: 'the citations of a text' };
}
