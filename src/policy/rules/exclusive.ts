import { PHRASES } from '../phrases.js';
import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'exclusive',
  summary:
    'Calls of different entries of `tools` (names, globs or aliases) may not meet in one turn, or in one transcript. The call at fault is every one of `tool` where that is given; else the first one that meets another, and within one message of the model that of the later entry.',
  fields: (z, { selector, selectors, per }) => ({
    tools: selectors.min(2),
    tool: selector.optional().describe('the tool that is at fault where they meet'),
    reason: z
      .union([z.string(), z.strictObject({ en: z.string(), zh: z.string().optional(), ja: z.string().optional() })])
      .optional()
      .describe('why, as a text or by language'),
    per,
  }),
  judges: ({ tool, tools }) => (tool === undefined ? tools : [tool]),
  *check({ tools, tool, per = 'turn', reason }, scene) {
    const why = typeof reason === 'object' ? (reason[scene.language] ?? reason.en) : reason;
    for (const calls of scopes(scene.calls, per)) {
      const entryOf = new Map(
        calls.flatMap((call) =>
          tools.flatMap((selector, entry) => (scene.is(call, selector) ? [[call, entry] as const] : [])).slice(0, 1),
        ),
      );
      const involved = [...entryOf.keys()];
      const inOrder = [...involved].sort((a, b) => a.step - b.step || entryOf.get(a)! - entryOf.get(b)!);
      const [one] = involved;
      const another = involved.find((call) => entryOf.get(call) !== entryOf.get(one!));
      const meeting = inOrder.find((call) => entryOf.get(call) !== entryOf.get(inOrder[0]!));
      for (const call of involved) {
        const isAtFault = meeting !== undefined && (tool === undefined ? call === meeting : scene.is(call, tool));
        if (tool !== undefined && !scene.is(call, tool)) continue;
        if (!isAtFault) yield { call };
        else
          yield {
            call,
            wrong: PHRASES[scene.language].together(
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
