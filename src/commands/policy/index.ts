import { defineCommand } from '../command.js';
import { policyCommandOptions } from '../shared/options.js';

export default defineCommand({
  id: 'policy',
  group: 'check',
  summary: 'write a policy to start from, test one by its examples, or find what is wrong with it',
  description:
    'init: prints a policy (YAML, with comments) that fits what the recordings show: which tools were called, how often in a turn, and in which order. test: asks a policy about the examples that it carries, messages and whole recordings, and exits with 1 where one comes out otherwise than it says. lint: says which rules can never apply, be broken or be kept, and which are against each other; with recordings also which tools and arguments none of them has; it exits with 1 where there are any.',
  words: '<init|test|lint> [files...]',
  about: 'init, test or lint; then recordings (for init) or a policy (for test; for lint, recordings too)',
  options: policyCommandOptions,
  examples: [
    ['ctx-trim policy init logs/ > policy.yaml', 'a policy to start from'],
    ['ctx-trim policy test policy.yaml', 'whether it decides as its examples say'],
    ['ctx-trim policy lint policy.yaml logs/', 'what is wrong with it, and which of its tools no recording has'],
  ],
  run: async (...given) => (await import('./run.js')).runPolicy(...given),
});
