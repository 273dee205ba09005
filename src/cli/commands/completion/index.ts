import { defineCommand } from '../../options/command.js';

export default defineCommand({
  id: 'completion',
  group: 'inspect',
  summary: 'complete commands and names with the Tab key',
  description:
    'Prints a script for bash, zsh or fish. With it, the Tab key completes commands, options, their values, and the ' +
    '@ names of sessions; elsewhere files, as usual.',
  words: '[shell]',
  about: 'bash, zsh or fish',
  options: {},
  examples: [
    ['source <(ctx-trim completion bash)', 'in ~/.bashrc'],
    ['source <(ctx-trim completion zsh)', 'in ~/.zshrc, after compinit'],
    ['ctx-trim completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  run: async (words, _, terminal) => (await import('./run.js')).runCompletion(words, terminal),
});
