import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { errorRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'anthropic/citations-mixed',
  summary: 'citations for some documents only',
  providers: ['anthropic'],
  error: 'Citations must be enabled on all or none of the document blocks',
  cause: 'Documents were added by code that sets `citations`, and by other code that does not.',
  reported: ['UKGovernmentBEIS/inspect_ai#4527'],
  /** Documents and search results each. https://docs.anthropic.com/en/docs/build-with-claude/citations, 2026-11 */
  *check({ transcript, wire }) {
    const found: Cited[] = [];
    for (const [message, one] of transcript.messages.entries())
      if (wire(one) !== undefined)
        for (const part of one.parts)
          for (const { raw } of part.type === 'result' ? part.content : [part]) {
            const type = raw instanceof JsonNode ? raw.get('type')?.string : undefined;
            if (type !== undefined && CITED.includes(type)) found.push({ message, node: raw as JsonNode, type });
          }
    for (const cited of found.length === 0 ? [] : CITED) {
      const blocks = found.filter(({ type }) => type === cited);
      if (!blocks.some(({ node }) => isCited(node))) continue;
      for (const block of blocks)
        if (!isCited(block.node))
          yield {
            message: block.message,
            node: block.node,
            text: `the ${cited} has no citations, but another one has`,
          };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Enable them for all.',
    apply: (context, problems) =>
      rewireProblems(context, problems, (node) => patch(node, { citations: { enabled: true } })),
  },
});

const CITED = ['document', 'search_result'];

interface Cited {
  readonly message: number;
  readonly node: JsonNode;
  readonly type: string;
}

function isCited(block: JsonNode): boolean {
  return block.get('citations')?.get('enabled')?.boolean === true;
}
