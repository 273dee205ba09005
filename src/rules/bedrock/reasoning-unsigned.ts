import { errorRule } from '../rule.js';
import { blocksOf, isClaude } from '../shared/bedrock.js';
import { withoutParts } from '../shared/without-parts.js';

export default errorRule({
  id: 'bedrock/reasoning-unsigned',
  summary: 'reasoning without a signature',
  providers: ['bedrock'],
  error:
    'The model returned the following errors: messages.1.content.0.thinking.signature: Field required | ' +
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  cause: 'The turn was aborted before the signature came, or the reasoning is of another provider’s model.',
  reported: ['vercel/ai#18452', 'anomalyco/opencode#11210'],
  /** Other models sign nothing, and take their reasoning back as it is. */
  *check(context) {
    if (context.transcript.model === undefined || !isClaude(context)) return;
    for (const { message, part, node } of blocksOf(context, 'reasoningContent')) {
      const thought = node.get('reasoningText');
      if (thought?.isObject && !thought.get('signature')?.string)
        yield { message, part, node: thought, text: 'the reasoning has no signature' };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove reasoning without a signature.',
    apply: (context, problems) => withoutParts(context, problems),
  },
});
