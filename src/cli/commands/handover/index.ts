import { defineCommand } from '../../options/command.js';
import { handoverOptions } from './options.js';

export default defineCommand({
  id: 'handover',
  group: 'rewrite',
  summary: 'go on with a session in another agent',
  description:
    'Writes a session as a new session of another agent, where that agent finds it, and prints the command that ' +
    'resumes it. Calls become calls of its own tools; the others become text. What is lost is listed. Nothing is ' +
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
