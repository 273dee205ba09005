import { defineCommand } from '../../options/command.js';
import { redactOptions } from './options.js';

export default defineCommand({
  id: 'redact',
  group: 'rewrite',
  summary: 'replace keys, tokens and passwords with marks',
  description:
    'Replaces secrets with marks such as [secret:github-token:1], wherever they are: in texts, arguments, results, ' +
    'names, and JSON in strings. The same secret gets the same mark in all files of a run. All other bytes stay. ' +
    'It finds API keys, tokens, private keys and passwords of known forms, and values with the name of a secret; ' +
    'no tool finds every secret, so read what you share. It reads any text file, even one that is not valid JSON.',
  words: '[files...]',
  options: redactOptions,
  examples: [
    ['ctx-trim redact session.jsonl -o shared.jsonl', 'a copy to pass on'],
    ['ctx-trim redact --personal --map marks.json session.jsonl > shared.jsonl', 'without names; keep the way back'],
    ['ctx-trim redact --check logs/', 'list the files that hold secrets; exit 1 if there are any'],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runRedact(words, options, terminal),
});
