import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, changeOf } from '../shared/request.js';

/** All models allow as many. https://docs.anthropic.com/en/docs/about-claude/models, 2026-11 */
const ALLOWED = 4096;

export default errorRule({
  id: 'anthropic/max-tokens-missing',
  summary: 'a request without max_tokens',
  providers: ['anthropic'],
  asRequest: true,
  error: 'max_tokens: Field required',
  cause: 'The request was written for an API that does not need it.',
  reported: ['tickernelz/opencode-mem#50'],
  *check(context) {
    const body = bodyOf(context);
    if (body?.get('model')?.string === undefined || body.get('max_tokens') !== undefined) return;
    if (!RECORDED.every((key) => body.get(key) === undefined)) return;
    yield {
      message: undefined,
      node: body.get('model')!,
      text: 'the request has no `max_tokens`',
      changes: changeOf(body, { max_tokens: ALLOWED }),
    };
  },
  fix: bodyFix('synthetic', 'Add `max_tokens` of 4096, which all models allow.'),
});

/** Members of records that are more than a request, and may leave out what was sent. */
const RECORDED = ['response', 'usage', 'id', 'stop_reason', 'output', 'completion', 'timestamp', 'created_at'];
