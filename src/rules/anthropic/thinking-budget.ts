import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { holderAt } from '../shared/parameters.js';
import { bodyFix, changeOf, valueAt } from '../shared/request.js';

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11 */
const LEAST = 1024;
/** Where thinking and the limit of the answer stand. */
const MESSAGES = ['thinking', 'max_tokens'] as const;
const CONVERSE = ['additionalModelRequestFields.thinking', 'inferenceConfig.maxTokens'] as const;

export default errorRule({
  id: 'anthropic/thinking-budget',
  summary: 'a thinking budget below 1024, or not below max_tokens',
  providers: ['anthropic', 'bedrock'],
  asRequest: true,
  error:
    '`max_tokens` must be greater than `thinking.budget_tokens`. | thinking.enabled.budget_tokens: Input should be ' +
    'greater than or equal to 1024',
  cause: 'The limit of the answer was lowered, or the budget raised, without the other.',
  reported: ['BerriAI/litellm#9001', 'liuw1535/antigravity2api-nodejs#150', 'griffinwork40/agent-afk#951'],
  *check(context) {
    const { provider } = context;
    const body = bodyOf(context);
    const [thinkingAt, mostAt] = provider.format === 'bedrock-converse' ? CONVERSE : MESSAGES;
    const thinking = valueAt(body, thinkingAt);
    const node = thinking?.get('budget_tokens');
    const [budget, most] = [node?.number, valueAt(body, mostAt)?.number];
    if (body === undefined || thinking === undefined || node === undefined || budget === undefined) return;
    const [holder, key] = holderAt(body, mostAt);
    if (budget < LEAST)
      yield {
        message: undefined,
        node,
        text: `the thinking budget is ${budget}; at least ${LEAST} are needed`,
        changes: changeOf(thinking, { budget_tokens: LEAST }),
      };
    else if (most !== undefined && most <= budget)
      yield {
        message: undefined,
        node,
        text: `the thinking budget is ${budget}, and \`${key}\` is only ${most}`,
        changes: changeOf(holder, { [key]: budget + most }),
        // with the beta of interleaved thinking, which a header turns on, it may be greater
        ...(body.get('tools') === undefined ? {} : { isNote: true }),
      };
  },
  fix: bodyFix('lossy', 'Raise the budget to 1024, and `max_tokens` by the budget.'),
});
