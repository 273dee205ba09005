import { commaList } from '../../lists.js';
import { defineRule } from '../rule.js';
import { FUNCTION_MEMBERS } from '../shared/foreign-parameters.js';
import { removedErrors } from '../shared/long-errors.js';
import { bodyOf } from '../shared/own-format.js';
import { parameterFaults } from '../shared/parameters.js';
import { REMOVED } from '../shared/removed-parameters.js';
import { bodyFix, changeOf, toolsOf } from '../shared/request.js';

export default defineRule({
  id: 'request/parameter-removed',
  summary: 'a parameter that the API or the model does not take',
  severity: 'error',
  providers: [...new Set(REMOVED.flatMap(({ providers }) => providers))],
  alone: true,
  asRequest: true,
  get error() {
    return removedErrors();
  },
  cause: 'The request was written for another API, or for an older model.',
  reported: commaList(`
    tmc/langchaingo#1355, BeehiveInnovations/pal-mcp-server#78, Vali-98/ChatterUI#564, The-PR-Agent/pr-agent#2456,
    BoltAI/BoltAI#410, QuantumNous/new-api#6081, BerriAI/litellm#16265, iOfficeAI/gemini-cli-pro#30,
    ItzCrazyKns/Vane#969, elizaOS/eliza#16175, nashsu/llm_wiki#49
  `),
  *check(context) {
    const body = bodyOf(context);
    if (body === undefined) return;
    for (const { holder, key, value, text, narrowed } of parameterFaults(context, body, REMOVED)) {
      const changes = narrowed ?? changeOf(holder, { [key]: undefined });
      yield { message: undefined, node: value, text, changes };
    }
    const members = FUNCTION_MEMBERS[context.provider.id];
    for (const { inner, path } of members === undefined ? [] : toolsOf(context, body))
      for (const { key, value } of inner.members())
        if (!members!.has(key.text))
          yield {
            message: undefined,
            node: value,
            text: `this API does not take \`${path}.${key.text}\``,
            changes: changeOf(inner, { [key.text]: undefined }),
          };
  },
  fix: bodyFix('lossy', 'Remove the parameter, or the part of it that the API does not take.'),
});
