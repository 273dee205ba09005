import { defineCommand } from '../../options/command.js';

export default defineCommand({
  id: 'completion',
  group: 'inspect',
  summary: 'complete commands and names with the Tab key; print the manual page',
  description:
    'Prints a script for bash, zsh or fish. With it, the Tab key completes commands, options, their values, the @ ' +
    'names of sessions, and files. `man` prints a manual page of all commands.',
  words: '[shell]',
  about: 'bash, zsh or fish; or man',
  options: {},
  examples: [
    ['source <(ctx-trim completion bash)', 'in ~/.bashrc'],
    ['source <(ctx-trim completion zsh)', 'in ~/.zshrc, after compinit'],
    ['ctx-trim completion fish | source', 'in ~/.config/fish/config.fish'],
    ['ctx-trim completion man > ~/.local/share/man/man1/ctx-trim.1', 'then man ctx-trim shows it'],
  ],
  run: async (words, _, terminal) => (await import('./run.js')).runCompletion(words, terminal),
});
