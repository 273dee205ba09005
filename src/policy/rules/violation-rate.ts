import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'violation_rate',
  summary:
    'An alert where of the calls that a rule applied to a greater share is against it than `max` (0.30): above it, not at it, and of `min_calls` (1) calls at least. `of` is the id of a rule, or a glob of several: then the share of calls against any of them counts; of all (`*`), the share of calls that are denied or invalid, and those that are warned about do not count. With `tool`, only calls of that tool count. `per: transcript` looks at each transcript for itself, `run` (as usual) at all together.',
  fields: (z, { selector }) => ({
    of: z.string().min(1),
    tool: selector.optional(),
    max: z.number().min(0).max(1),
    min_calls: z.int().min(1).optional(),
    per: z.enum(['transcript', 'run']).optional(),
  }),
  judges: () => [],
  check: () => [], // it looks at what the others found: rates.ts
});
