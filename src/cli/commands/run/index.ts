import { everyForSteps } from '../../../transforms/every.js';
import { defineCommand } from '../../options/command.js';
import { rewriteOptions } from '../../options/options.js';

export default defineCommand({
  id: 'run',
  group: 'rewrite',
  summary: 'run several transforms, or a named pipeline',
  description:
    'Applies steps from left to right. A step is a transform with its options: `patch`, ' +
    '`filter:max-tool-calls=3`, `truncate:max-length=4000,keep=both`; an option without a value is switched on. A ' +
    'pipeline is a named list of steps in the config. The arguments after the steps are files.',
  words: '<steps-and-files...>',
  options: { ...everyForSteps, ...rewriteOptions },
  examples: [
    [
      'ctx-trim run patch filter:max-tool-calls=3 truncate:max-length=4000 session.jsonl',
      'fix it, keep three calls, cut long results',
    ],
    [
      'ctx-trim run --every 20 filter:max-tool-calls=10 dedupe session.jsonl',
      'drop and shorten 20 calls at a time, so that the prompt cache is lost once in 20 calls',
    ],
  ],
  run: async (...given) => (await import('./run.js')).runSteps(...given),
});
