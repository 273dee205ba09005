import { defineCommand } from '../../options/command.js';
import { handoverOptions } from './options.js';

export default defineCommand({
  id: 'handover',
  group: 'rewrite',
  summary: 'go on with a session in another agent',
  description:
    'Writes a session as a new one of another agent, where that looks for it, and prints the command that goes on ' +
    'with it. Calls become those of its tools; the rest stands as text. What is lost is listed. Nothing is ' +
    'overwritten, and the old session stays as it is.',
  words: '<session>',
  about: 'a session file, or its name: @last, @codex:last',
  options: handoverOptions,
  examples: [
    ['ctx-trim handover @claude-code:last --to codex --dry-run', 'what would be written where, and what is lost'],
    ['ctx-trim handover session.jsonl --to codex', 'go on in Codex'],
    ['ctx-trim handover session.jsonl --to atif -o trajectory.json', "a trajectory in Harbor's format"],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runHandover(words, options, terminal),
});
