import { PHRASES } from '../phrases.js';
import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'exclusive',
  summary:
    'Calls of different entries of `tools` (names, globs or aliases) must not occur in the same turn, or ' +
    'transcript. The findings are the calls of `tool` if given; else the first call that joins another entry, ' +
    'and within one message the call of the later entry.',
  fields: (z, { selector, selectors, per }) => ({
    tools: selectors.min(2),
    tool: selector.optional().describe('the tool whose calls are reported'),
    reason: z
      .union([z.string(), z.strictObject({ en: z.string(), zh: z.string().optional(), ja: z.string().optional() })])
      .optional()
      .describe('why, as a text or by language'),
    per,
  }),
  judges: ({ tool, tools }) => (tool === undefined ? tools : [tool]),
  *check({ tools, tool, per = 'turn', reason }, context) {
    const why = typeof reason === 'object' ? (reason[context.language] ?? reason.en) : reason;
    for (const calls of scopes(context.calls, per)) {
      const entryOf = new Map(
        calls.flatMap((call) =>
          tools.flatMap((selector, entry) => (context.is(call, selector) ? [[call, entry] as const] : [])).slice(0, 1),
        ),
      );
      const involved = [...entryOf.keys()];
      const inOrder = [...involved].sort((a, b) => a.step - b.step || entryOf.get(a)! - entryOf.get(b)!);
      const [one] = involved;
      const another = involved.find((call) => entryOf.get(call) !== entryOf.get(one!));
      const meeting = inOrder.find((call) => entryOf.get(call) !== entryOf.get(inOrder[0]!));
      for (const call of involved) {
        const isAtFault = meeting !== undefined && (tool === undefined ? call === meeting : context.is(call, tool));
        if (tool !== undefined && !context.is(call, tool)) continue;
        if (!isAtFault) yield { call };
        else
          yield {
            call,
            wrong: PHRASES[context.language].together(
              call.tool,
              (entryOf.get(one!) === entryOf.get(call) ? another : one)!.tool,
              per,
              why,
            ),
          };
      }
    }
  },
});
