import { defineCommand } from '../../options/command.js';
import { policyCommandOptions } from './options.js';

export default defineCommand({
  id: 'policy',
  group: 'check',
  summary: 'create, test or lint a policy',
  description:
    'init: prints a policy (YAML, with comments) based on recordings: which tools were called, how often per ' +
    'turn, and in which order. test: runs the examples of a policy, messages and whole recordings; the exit code ' +
    'is 1 if a decision differs from an example. lint: finds rules that can never apply, can never be broken or are ' +
    'always broken, and rules that contradict each other; with recordings, also tools and arguments that no ' +
    'recording has. The ' +
    'exit code is 1 if there are any.',
  words: '<init|test|lint> [files...]',
  about: 'init, test or lint; then recordings (init), a policy (test), or a policy and recordings (lint)',
  options: policyCommandOptions,
  examples: [
    ['ctx-trim policy init logs/ > policy.yaml', 'a policy to start from'],
    ['ctx-trim policy test policy.yaml', 'do its decisions match its examples?'],
    ['ctx-trim policy lint policy.yaml logs/', 'mistakes in it, and tools that no recording has'],
  ],
  run: async (...given) => (await import('./run.js')).runPolicy(...given),
});
