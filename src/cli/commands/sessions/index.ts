import { defineCommand } from '../../options/command.js';
import { sessionsOptions } from './options.js';

export default defineCommand({
  id: 'sessions',
  group: 'inspect',
  summary: 'list the sessions that agents left on this machine',
  description:
    'Lists the sessions of coding agents on this machine, newest first, with their titles (or first prompts) and ' +
    'what they and their sub-agents used and cost; the total is that of all of them, as in stats --recorded @all. ' +
    'Every command takes them by name in place of a file: @last, @claude-code (all of an agent), @codex:last, ' +
    '@ and the start of an id, @all; stats and report take the sub-agents of a session with it. Environment ' +
    'variables that move the folders of an agent are followed. ' +
    'What it read is kept in your cache folder, so that only changed files are read again; nothing else is written.',
  words: '[agents...]',
  about: 'only sessions of these agents, such as claude-code or codex',
  options: sessionsOptions,
  examples: [
    ['ctx-trim sessions', 'the newest sessions of all agents'],
    ['ctx-trim sessions codex --since 7d', 'those of one agent in the last week'],
    ["ctx-trim sessions --grep 'rate limit'", 'the sessions that mention it, and how to go on with each'],
    ['ctx-trim show @last', 'read the newest session'],
    ['ctx-trim check --fix=synthetic --diff @claude-code:last', 'how to fix a session that is refused'],
    ['ctx-trim stats --by day --recorded @all', 'what all agents cost, day by day'],
    ['ctx-trim stats --by branch --recorded @all', 'what each branch of git cost'],
  ],
  run: async (...given) => (await import('./run.js')).runSessions(...given),
});
