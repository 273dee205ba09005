import { defineCommand } from './command.js';
import { policyCommandOptions } from './options.js';
import { runPolicy } from './policy-run.js';

export default defineCommand({
  id: 'policy',
  summary: 'write a policy to start from, or test one by its examples',
  description:
    'init: prints a policy (YAML, with comments) that fits what the recordings show: which tools were called, how often in a turn, and in which order. test: asks a policy about the examples that it carries, and exits with 1 where one comes out otherwise than it says.',
  words: '<init|test> [files...]',
  about: 'init or test, then recordings (for init) or a policy (for test)',
  options: policyCommandOptions,
  examples: [
    ['ctx-trim policy init logs/ > policy.yaml', 'a policy to start from'],
    ['ctx-trim policy test policy.yaml', 'whether it decides as its examples say'],
  ],
  run: runPolicy,
});
