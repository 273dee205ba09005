import { defineCommand } from '../../options/command.js';
import { reportOptions } from './options.js';

export default defineCommand({
  id: 'report',
  group: 'plan',
  summary: 'write one page that shows what sessions cost and why',
  description:
    'Writes an HTML page that needs no network and no server: what a session cost, how its context grew and of what, ' +
    'what its tool results cost in all requests that sent them, what the prompt cache missed, what check finds, what ' +
    'policies would have changed, and the transcript to read and search, with those of sub-agents. Several sessions ' +
    'give a trend, what changed since last week, and costs by day, project, model and tool; two of them stand side ' +
    'by side. Secrets are redacted.',
  words: '[files...]',
  takesParts: true,
  options: reportOptions,
  examples: [
    ['ctx-trim report @last -o report.html', 'the newest session on this machine'],
    [
      "ctx-trim report session.jsonl --policy 'filter:max-tool-calls=10,every=20' -o report.html",
      'and what a policy would have changed',
    ],
    ['ctx-trim report @claude-code --split -o audit', 'all sessions of an agent, a page each'],
    ['ctx-trim report session.jsonl --format json', 'the figures for programs'],
  ],
  run: async (...given) => (await import('./run.js')).runReport(...given),
});
