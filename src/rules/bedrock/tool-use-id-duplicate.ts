import anthropic from '../anthropic/tool-use-id-duplicate.js';
import { defineRule } from '../rule.js';
import { isClaude } from '../shared/bedrock.js';

export default defineRule({
  ...anthropic,
  id: 'bedrock/tool-use-id-duplicate',
  summary: 'two toolUse blocks with the same id',
  providers: ['bedrock'],
  error: 'The toolUse blocks at messages.1.content contain duplicate Ids: tooluse_1',
  reported: ['BerriAI/litellm#20048', 'kirodotdev/Kiro#9355'],
  /** Whether other models mind an id that comes again in a later turn is not known. */
  check: (context) => (isClaude(context) ? anthropic.check(context) : []),
});
