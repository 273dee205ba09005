import { defineCommand } from '../../options/command.js';
import { sessionsOptions } from './options.js';

export default defineCommand({
  id: 'sessions',
  group: 'inspect',
  summary: 'list the sessions that agents left on this machine',
  description:
    'Lists the sessions of coding agents on this machine, newest first, with their titles (or first prompts) and ' +
    'what they and their sub-agents used and cost; the total covers all of them, as stats --recorded @all does. ' +
    'Every command takes a session by name instead of a file: @last, @codex:last, or @ with the start of an id; ' +
    '@claude-code means all sessions of an agent, @all those of all agents. stats and report include the sub-agents ' +
    'of a session. If environment variables move the folders of an agent, they are found there. Your cache folder ' +
    'keeps what was read, so that only changed files are read again; nothing else is written.',
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
