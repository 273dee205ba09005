import { defineCommand } from '../command.js';
import { auditOptions } from './options.js';

export default defineCommand({
  id: 'audit',
  group: 'check',
  summary: 'was a tool used where it should be?',
  description:
    'Holds the tool calls of recordings against a policy: a row for each tool with calls, what of them was valid, warned, denied or invalid, the share of misuse and what it cost; then each finding, with what to use instead. The exit code is 1 where the share of misuse is above the threshold of the policy. With --explain: what the policy says of a message, without a recording.',
  words: '[files...]',
  options: auditOptions,
  examples: [
    ['ctx-trim audit --policy query-history logs/', 'how query_history was used, in a folder of recordings'],
    ['ctx-trim audit --policy policy.yaml --strict runs/*.json', 'a policy of your own; any call that is denied fails'],
    ['ctx-trim audit --policy policy.yaml --by day --since 2026-11-01 logs/', 'the trend, day by day'],
    [
      'ctx-trim audit --policy policy.yaml --reporter table --reporter junit=audit.xml logs/',
      'a table, and a report for CI',
    ],
    ['ctx-trim audit --explain "What did we say earlier about JWT?"', 'what the policy decides, and by which words'],
  ],
  run: async (...given) => (await import('./run.js')).runAudit(...given),
});
