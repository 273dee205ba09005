import { defineCommand } from '../command.js';
import { rewriteOptions } from '../shared/options.js';

export default defineCommand({
  id: 'run',
  group: 'rewrite',
  summary: 'several transforms in a row, or a named pipeline',
  description:
    'Applies steps from left to right. A step is a transform and its options: `patch`, `filter:max-tool-calls=3`, `truncate:max-length=4000,keep=both`; an option without a value is switched on. A pipeline is a list of steps with a name, in the config. Words behind the steps are files.',
  words: '<steps-and-files...>',
  options: rewriteOptions,
  examples: [
    [
      'ctx-trim run patch filter:max-tool-calls=3 truncate:max-length=4000 session.jsonl',
      'mend, then keep three calls, then cut what is long',
    ],
  ],
  run: async (...given) => (await import('./run.js')).runSteps(...given),
});
