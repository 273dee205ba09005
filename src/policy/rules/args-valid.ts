import { schemaComplaint } from '../arguments.js';
import { PHRASES } from '../phrases.js';
import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'args_valid',
  summary:
    'The arguments must be JSON that is valid by the JSON Schema in `tools.<name>.args` of the policy. What a custom ' +
    'tool takes is a string.',
  judgesSingleCalls: true,
  judgesArguments: true,
  fields: (_, { selector }) => ({ tool: selector }),
  judges: ({ tool }) => [tool],
  *check({ tool }, context) {
    for (const call of context.calls) {
      if (!context.is(call, tool)) continue;
      const schema = context.specOf(call.tool)?.args;
      const wrong =
        call.args === undefined
          ? 'they are not JSON'
          : schema === undefined
            ? undefined
            : schemaComplaint(call.args, schema);
      if (wrong !== undefined) yield { call, wrong: PHRASES[context.language].badArguments(call.tool, wrong) };
      else if (schema !== undefined) yield { call };
    }
  },
});
