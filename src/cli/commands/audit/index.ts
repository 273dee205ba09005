import { defineCommand } from '../../options/command.js';
import { auditOptions } from './options.js';

export default defineCommand({
  id: 'audit',
  group: 'check',
  summary: 'check tool use against a policy, with its cost',
  description:
    'Checks the tool calls of recordings against a policy. A row per tool shows its calls (valid, warned, denied, ' +
    'invalid), the misuse rate and the cost; then come the findings, each with what to use instead. The exit code ' +
    'is 1 if the misuse rate is above the threshold of the policy. --explain shows what the policy decides for a ' +
    'message, without a recording.',
  words: '[files...]',
  options: auditOptions,
  examples: [
    ['ctx-trim audit --policy query-history logs/', 'the use of query_history in a folder of recordings'],
    ['ctx-trim audit --policy policy.yaml --strict runs/*.json', 'your own policy; any denied call fails'],
    ['ctx-trim audit --policy policy.yaml --by day --since 2026-11-01 logs/', 'the trend, day by day'],
    [
      'ctx-trim audit --policy policy.yaml --reporter table --reporter junit=audit.xml logs/',
      'a table, and a report for CI',
    ],
    [
      'ctx-trim audit --explain "What did we say earlier about JWT?"',
      'the decision of the policy, and the words behind it',
    ],
  ],
  run: async (...given) => (await import('./run.js')).runAudit(...given),
});
