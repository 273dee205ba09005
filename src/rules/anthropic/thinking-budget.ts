import { defineRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, changeOf, valueAt } from '../shared/request.js';

/** https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking, 2026-11 */
const LEAST = 1024;

export default defineRule({
  id: 'anthropic/thinking-budget',
  summary: 'a thinking budget below 1024, or not below max_tokens',
  severity: 'error',
  providers: ['anthropic'],
  asRequest: true,
  error:
    '`max_tokens` must be greater than `thinking.budget_tokens`. | thinking.enabled.budget_tokens: Input should be ' +
    'greater than or equal to 1024',
  cause: 'The limit of the answer was lowered, or the budget raised, without the other.',
  reported: ['BerriAI/litellm#9001', 'liuw1535/antigravity2api-nodejs#150', 'griffinwork40/agent-afk#951'],
  *check(context) {
    const body = bodyOf(context);
    const node = valueAt(body, 'thinking.budget_tokens');
    const [budget, most] = [node?.number, body?.get('max_tokens')?.number];
    if (body === undefined || node === undefined || budget === undefined) return;
    const thinking = body.get('thinking')!;
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
        text: `the thinking budget is ${budget}, and \`max_tokens\` is only ${most}`,
        changes: changeOf(body, { max_tokens: budget + most }),
        // with the beta of interleaved thinking, which a header turns on, it may be greater
        ...(body.get('tools') === undefined ? {} : { isNote: true }),
      };
  },
  fix: bodyFix('lossy', 'Raise the budget to 1024, and `max_tokens` by the budget.'),
});
