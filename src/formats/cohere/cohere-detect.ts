/** What tells Cohere's messages from those of other chat APIs with the same roles. */
import type { JsonNode } from '../../json/node.js';

/** Whether a message with these members (`tool_plan`, `citations`, `content`) has what only Cohere's have. */
export function isCoheres(
  plan: JsonNode | undefined,
  citations: JsonNode | undefined,
  content: JsonNode | undefined,
): boolean {
  return (
    plan?.isString || citations?.items()[0]?.get('sources') !== undefined || content?.items().some(isDocument) === true
  );
}

/** A result as a document: `{type: "document", document: {data}}`. */
export function isDocument(block: JsonNode): boolean {
  return block.get('type')?.string === 'document' && block.get('document') !== undefined;
}
