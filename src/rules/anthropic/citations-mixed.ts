import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Part } from '../../transcript/types.js';
import { defineRule } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';

export default defineRule({
  id: 'anthropic/citations-mixed',
  summary: 'citations for some documents only',
  severity: 'error',
  providers: ['anthropic'],
  error: 'Citations must be enabled on all or none of the document blocks',
  cause: 'Documents were added by code that sets `citations`, and by other code that does not.',
  reported: ['UKGovernmentBEIS/inspect_ai#4527'],
  /** Documents and search results each. https://docs.anthropic.com/en/docs/build-with-claude/citations, 2026-11 */
  *check({ transcript, wire }) {
    const found = transcript.messages.flatMap((message, index) =>
      wire(message) === undefined
        ? []
        : message.parts
            .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
            .flatMap(({ raw }) => (raw instanceof JsonNode && raw.isObject ? [{ message: index, node: raw }] : [])),
    );
    for (const type of ['document', 'search_result']) {
      const blocks = found.filter(({ node }) => node.get('type')?.string === type);
      if (!blocks.some(({ node }) => isCited(node))) continue;
      for (const block of blocks)
        if (!isCited(block.node)) yield { ...block, text: `the ${type} has no citations, but another one has` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Enable them for all.',
    apply: (context, problems) =>
      rewireProblems(context, problems, (node) => patch(node, { citations: { enabled: true } })),
  },
});

function isCited(block: JsonNode): boolean {
  return block.get('citations')?.get('enabled')?.boolean === true;
}
