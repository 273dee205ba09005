import { errorRule } from '../rule.js';
import { blocksOf } from '../shared/bedrock.js';
import { mapProblemParts } from '../shared/edits.js';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html (2026-11) */
const MOST = 5;

export default errorRule({
  id: 'bedrock/document-count',
  summary: 'more than five documents',
  providers: ['bedrock'],
  error: "You can't include more than 5 documents in a request.",
  cause: 'Each turn attaches files, and the whole history is sent again.',
  reported: ['aws-samples/generative-ai-use-cases#1685'],
  *check(context) {
    const documents = [...blocksOf(context, 'document')];
    for (const { message, part, node } of documents.slice(0, Math.max(0, documents.length - MOST)))
      yield {
        message,
        part,
        node,
        text: `one of ${documents.length} documents; at most ${MOST} are allowed`,
      };
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace the earliest documents with a note.',
    apply(context, problems) {
      const nodes = new Map(problems.map(({ part, node }) => [part, node]));
      return mapProblemParts(context, problems, (part) => {
        const name = nodes.get(part)?.get('name')?.string;
        return { type: 'text', text: name ? `[document removed: ${name}]` : '[document removed]' };
      });
    },
  },
});
