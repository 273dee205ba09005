import { errorRule } from '../rule.js';
import { missingOrSplitResults, RESULTS_TOGETHER } from '../shared/results.js';

export default errorRule({
  id: 'bedrock/tool-result-missing',
  summary: 'a toolUse without its toolResult in the next message',
  providers: ['bedrock'],
  error: 'Expected toolResult blocks at messages.2.content for the following Ids: tooluse_…',
  cause: 'The run was interrupted, or each result of parallel calls is in a separate message.',
  reported: ['genkit-ai/aws-bedrock-js-plugin#664'],
  check: missingOrSplitResults,
  fix: RESULTS_TOGETHER,
});
