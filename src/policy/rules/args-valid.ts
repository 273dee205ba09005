import { complaint } from '../json-schema.js';
import { PHRASES } from '../phrases.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'args_valid',
  summary: 'The arguments are JSON, and as the JSON Schema in `tools.<name>.args` of the policy says.',
  isOfCall: true,
  isOfForm: true,
  fields: (_, { selector }) => ({ tool: selector }),
  judges: ({ tool }) => [tool],
  *check({ tool }, scene) {
    for (const call of scene.calls) {
      if (!scene.is(call, tool)) continue;
      const schema = scene.specOf(call.tool)?.args;
      const wrong =
        call.args === undefined ? 'they are no JSON' : schema === undefined ? undefined : complaint(call.args, schema);
      if (wrong !== undefined) yield { call, wrong: PHRASES[scene.language].badArguments(call.tool, wrong) };
      else if (schema !== undefined) yield { call };
    }
  },
});
