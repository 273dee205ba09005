/**
 * Documents and search results whose content is text, read from the blocks of any provider: Anthropic's `document` with
 * a text or blocks as its source, and `search_result`; Bedrock's `document` with a text, and `searchResult`.
 * https://docs.anthropic.com/en/docs/build-with-claude/citations
 * https://docs.anthropic.com/en/docs/build-with-claude/search-results
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentSource.html
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_SearchResultBlock.html
 */
import type { JsonNode } from '../../json/node.js';

export interface TextDocument {
  readonly kind: 'document' | 'search result';
  readonly title?: string | undefined;
  /** What the user says about a document. */
  readonly context?: string | undefined;
  /** Where a search result is from. */
  readonly source?: string | undefined;
  /** Where the model may cite it. */
  readonly citations?: { readonly enabled: true } | undefined;
  readonly texts: readonly string[];
  /** Blocks that are no texts, such as images. */
  readonly others: readonly JsonNode[];
}

/** The document in a block; undefined if the block is no document, or not one of text. */
export function textDocumentIn(block: JsonNode): TextDocument | undefined {
  const found = block.get('searchResult') ?? (block.get('type')?.string === 'search_result' ? block : undefined);
  if (found?.isObject) return { ...contentOf(found.get('content')), ...namesOf(found), kind: 'search result' };
  const holder = block.get('document') ?? block;
  const source = holder.get('source');
  const content = source?.get('type')?.string === 'text' ? source.get('data') : (source?.get('text') ?? undefined);
  const blocks = content ?? source?.get('content');
  const isDocument = block.get('document') !== undefined || block.get('type')?.string === 'document';
  if (!isDocument || blocks === undefined) return undefined;
  return { ...contentOf(blocks), ...namesOf(holder), source: undefined, kind: 'document' };
}

/** The `citations` of a block that the model may cite; both providers spell it so. */
export function citationsOf(block: JsonNode): TextDocument['citations'] {
  return block.get('citations')?.get('enabled')?.boolean === true ? { enabled: true } : undefined;
}

/** The document as text: its names, then its content. */
export function textOfDocument({ title, source, context, texts }: TextDocument): string {
  const heading = [title, source, context].filter((line) => line !== undefined && line !== '');
  return [...(heading.length === 0 ? [] : [heading.join('\n')]), ...texts].join('\n\n');
}

function namesOf(node: JsonNode): Pick<TextDocument, 'title' | 'context' | 'source' | 'citations'> {
  return {
    title: (node.get('title') ?? node.get('name'))?.string,
    context: node.get('context')?.string,
    source: node.get('source')?.string,
    citations: citationsOf(node),
  };
}

function contentOf(content: JsonNode | undefined): Pick<TextDocument, 'texts' | 'others'> {
  if (content?.isString) return { texts: [content.text], others: [] };
  const blocks = content?.items() ?? [];
  return {
    texts: blocks.flatMap((block) => block.get('text')?.string ?? []),
    others: blocks.filter((block) => block.get('text')?.isString !== true),
  };
}
