import { defineCommand } from '../../options/command.js';
import { showOptions } from './options.js';

export default defineCommand({
  id: 'show',
  group: 'inspect',
  summary: 'read a transcript, or the messages at an address',
  description:
    'Prints transcripts as people read them: texts, calls with their arguments, results, and for each message its ' +
    'tokens, what its request cost, and what later requests paid to carry its results. Long results are folded. ' +
    'An address, as other commands print it, opens a message: 22 or #22, a range 20..30, 3#22 for the transcript in ' +
    'line 3, 4:271 for a line and column, turn 3. It stands alone or after the name of the file. --branches also ' +
    'shows abandoned branches, which the user left by going back; the name of one, 1/branch-…, shows only that one.',
  words: '[files...]',
  about: 'files, folders or globs, and addresses in them; stdin if omitted or -',
  options: showOptions,
  examples: [
    ['ctx-trim show session.jsonl', 'the whole session, in a pager'],
    ['ctx-trim show run.json#2', 'the message that stats calls 2'],
    ['ctx-trim show run.json 2..5 --full', 'four messages, with nothing folded'],
    ['ctx-trim show --tool Bash --grep error session.jsonl', 'calls of a tool and results that hold a word'],
    ['ctx-trim show --branches session.jsonl', 'what was tried before the user went back'],
    ['ctx-trim show --findings session.jsonl', 'what check complains about, in its place'],
  ],
  run: async (...given) => (await import('./run.js')).runShow(...given),
});
