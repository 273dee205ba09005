import type { JsonFields } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { REMODELED } from '../shared/parameters.js';
import { bodyFix, changeOf, modelOf, valueAt } from '../shared/request.js';

/** The kinds of thinking that models do not take, and what is sent instead. */
const REFUSED: readonly { models: RegExp; type: string; instead: JsonFields | undefined; source: string }[] = [
  {
    models: REMODELED,
    type: 'enabled',
    instead: { type: 'adaptive' },
    source: 'earendil-works/pi#3297, 2026-04; docker/docker-agent#3093, 2026-06; onyx-dot-app/onyx#12735, 2026-07',
  },
  {
    models: /claude-(?:3|haiku-4-5|(?:opus|sonnet)-4(?:-[0-5](?!\d)|-20\d|@|$))/,
    type: 'adaptive',
    instead: undefined,
    source: 'elizaOS/eliza#16175, 2026-07; checkmarble/llmberjack#14, 2026',
  },
  { models: /claude-fable-5/, type: 'disabled', instead: undefined, source: 'platberlitz/SillyBunny#403, 2026-06' },
];

export default errorRule({
  id: 'anthropic/thinking-unsupported',
  summary: 'a kind of thinking that the model does not take',
  providers: ['anthropic'],
  asRequest: true,
  covers: ['anthropic/thinking-budget'],
  error:
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and ' +
    '"output_config.effort" to control thinking behavior. | adaptive thinking is not supported on this model',
  cause: 'The request was written for another model: since Claude 4.7 thinking has no budget, before 4.6 it needs one.',
  reported: ['earendil-works/pi#3297', 'docker/docker-agent#3093', 'elizaOS/eliza#16175', 'AAswordman/Operit#568'],
  *check(context) {
    const body = bodyOf(context);
    const node = valueAt(body, 'thinking.type');
    if (body === undefined || node === undefined) return;
    const model = modelOf(context, body);
    const refused = REFUSED.find(({ models, type }) => type === node.string && models.test(model));
    if (refused !== undefined)
      yield {
        message: undefined,
        node,
        text: `\`${model}\` does not take \`thinking.type\` \`${node.text}\``,
        changes: changeOf(body, { thinking: refused.instead }),
      };
  },
  fix: bodyFix('lossy', 'Let the model decide how much it thinks.'),
});
