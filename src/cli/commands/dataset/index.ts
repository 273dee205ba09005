import { defineCommand } from '../../options/command.js';
import { datasetOptions } from './options.js';

export default defineCommand({
  id: 'dataset',
  group: 'rewrite',
  summary: 'turn recordings into rows for training',
  description:
    'Turns recordings in any format into rows with messages, tools and metadata, with the same keys and types in ' +
    'every row, as JSON Lines or Parquet. Each conversation is a row: kept, changed or dropped; the ledger says why.',
  words: '[files...]',
  options: datasetOptions,
  examples: [
    ['ctx-trim dataset --unique --ledger ledger.jsonl runs.jsonl -o train.parquet', 'rows, and what became of each'],
    ['ctx-trim dataset --max-tokens 32000 --over cut logs/ > train.jsonl', 'sessions of agents, cut after a reply'],
    [
      'ctx-trim dataset --near 0.9 --against benchmark.jsonl runs.jsonl -o train.jsonl',
      'without near duplicates, and without questions of a benchmark',
    ],
    [
      'ctx-trim dataset --split train=0.9,test=0.1 --split-by meta.repo runs.jsonl -o data',
      'data/train.jsonl and data/test.jsonl, with no repository in both',
    ],
  ],
  run: async (words, options, terminal) => (await import('./run.js')).runDataset(words, options, terminal),
});
