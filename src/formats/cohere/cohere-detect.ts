/** Distinguishes Cohere's messages from those of other chat APIs with the same roles. */
import type { JsonNode } from '../../json/node.js';

/** Whether these members of a message have anything that only Cohere writes. */
export function isCohereMessage(
  plan: JsonNode | undefined,
  citations: JsonNode | undefined,
  content: JsonNode | undefined,
): boolean {
  return (
    plan?.isString || citations?.items()[0]?.get('sources') !== undefined || content?.items().some(isDocument) === true
  );
}

/** Whether a block is a result as a document: `{type: "document", document: {data}}`. */
export function isDocument(block: JsonNode): boolean {
  return block.get('type')?.string === 'document' && block.get('document') !== undefined;
}
