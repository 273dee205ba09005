import { defineCommand } from '../../options/command.js';
import { selectOptions } from './options.js';

export default defineCommand({
  id: 'select',
  group: 'rewrite',
  summary: 'keep or drop the records of a dataset',
  description:
    'Keeps the records of a dataset that meet all conditions. A record is a line of JSON Lines, an element of an ' +
    'array, a document or a session log. What stays keeps its bytes. All files of a run are one dataset.',
  words: '[files...]',
  options: selectOptions,
  examples: [
    ['ctx-trim select --valid --min-calls 1 --max-tokens 32000 runs.jsonl > train.jsonl', 'what a trainer can use'],
    ['ctx-trim select --where "reward>=0.5" --unique --summary runs.jsonl -o good.jsonl', 'the good ones, once each'],
    ['ctx-trim select --near 0.9 --sample 10% runs.jsonl > sample.jsonl', 'a tenth, without near duplicates'],
    [
      'ctx-trim select --split train=0.9,test=0.1 --split-by meta.repo runs.jsonl -o data',
      'data/train.jsonl and data/test.jsonl, with no repository in both',
    ],
    ['ctx-trim select --has-error --list logs/', 'the session logs in which a call failed'],
  ],
  run: async (words, options, terminal, config) =>
    (await import('./run.js')).runSelect(words, options, terminal, config),
});
