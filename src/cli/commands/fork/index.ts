import { defineCommand } from '../../options/command.js';
import { forkOptions } from './options.js';
import { runFork } from './run.js';

export default defineCommand({
  id: 'fork',
  group: 'rewrite',
  summary: 'go on with a session from an earlier message',
  description:
    'Writes a session of Claude Code, Codex or pi again under a new id, up to a message or turn, where its agent ' +
    'looks for it, and prints the command that resumes it and the one that removes it. The old session stays as it ' +
    'is, and nothing is overwritten. Messages count as in stats and show. Sub-agents and todo lists are copied; what ' +
    'else the agent keeps for the old session stays there, and is listed.',
  words: '<session>',
  about: 'a session file, or its name: @last, @codex:last',
  options: forkOptions,
  examples: [
    ["ctx-trim fork @last --until '#4'", 'up to this message'],
    ['ctx-trim fork @last --turn 1 --dry-run', 'what would be written where'],
    ["ctx-trim fork @last --steps 'stale, retries, filter:max-tool-calls=40'", 'a shorter session to go on with'],
  ],
  run: runFork,
});
