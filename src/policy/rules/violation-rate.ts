import { defineRuleType } from './rule.js';

export default defineRuleType({
  type: 'violation_rate',
  summary:
    'Raises an alert if the share of violations among the calls that a rule applied to is above `max` (such as ' +
    '0.30), with at least `min_calls` (default 1) calls. `of` is a rule id, or a glob for several rules: a call ' +
    'counts once if it violates any of them. With `*` denied and invalid calls count, but not warnings. With ' +
    '`tool`, only calls of that tool count. `per: transcript` checks each transcript separately, `run` ' +
    '(default) all together.',
  fields: (z, { selector }) => ({
    of: z.string().min(1),
    tool: selector.optional(),
    max: z.number().min(0).max(1),
    min_calls: z.int().min(1).optional(),
    per: z.enum(['transcript', 'run']).optional(),
  }),
  judges: () => [],
  check: () => [], // evaluated over the findings of the other rules, in audit.ts
});
