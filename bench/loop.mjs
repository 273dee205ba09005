// Rows of `npm run bench` whose measure is CPU time: commands over the loop that a user would write, short runs over
// bare Node, worker threads over one, and the memory of one long session over its size.
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { cpuSecondsOf, medianOf, peakMegabytes, ratio } from './measure.mjs';
import { overBareNode, writeOneMessage } from './short-runs.mjs';

const PAIRS = 5;
/** As in bench/measure.mjs, the kernel's MB. */
const MB = 1 << 20;

/** `large`: 100 MB of chats; `small`: 8 MB of them. `loop`: the script that parses and prints each line. */
export function againstLoop({ row, trim, loop, folder, large, small, at }) {
  const cpu = (command) => cpuSecondsOf(command, folder);
  const over = (command, input) => medianOf(PAIRS, () => cpu(command) / cpu([process.execPath, loop, input]));
  const cut = at('cut.jsonl');
  writeFileSync(cut, outputOf(trim('truncate', small)));
  const commands = [
    ['filter', large, ['filter', '--max-tool-calls', '3'], 0.4],
    ['patch', large, ['patch'], 0.4],
    ['truncate', large, ['truncate'], 0.5],
    ['clear', large, ['clear', '--trigger', '0'], 0.5],
    ['filter --max-tool-calls 1000000', large, ['filter', '--max-tool-calls', '1000000'], 0.3],
    ['check', large, ['check'], 1],
    ['redact', small, ['redact', '-q'], 2],
    ['simulate filter', small, ['simulate', 'filter:max-tool-calls=3'], 6],
    ['convert --to anthropic-messages', small, ['convert', '--to', 'anthropic-messages'], 4],
    ['diff` with itself after `truncate', small, ['diff', cut], 4],
  ];
  for (const [name, input, words, reach] of commands)
    row(
      `\`${name}\`, CPU over the loop's, ${Math.round(statSync(input).size / 1e6)} MB`,
      over(trim(...words, input), input),
      reach,
    );
}

/** Peak memory over the size of one session, in the format of its name. */
export function longSession({ row, trim, at }) {
  const chat = at('long.json');
  writeFileSync(chat, outputOf([process.execPath, 'bench/long-session.mjs', '3700', '10']));
  const inFormat = (format) => {
    const path = at(`long-${format}`);
    writeFileSync(path, outputOf(trim('convert', '--to', format, chat)));
    return path;
  };
  const inputs = {
    chat,
    Anthropic: inFormat('anthropic-messages'),
    'Claude Code': inFormat('claude-code'),
    Codex: inFormat('codex-rollout'),
  };
  const rows = [
    [['filter', '--max-tool-calls', '3'], 4],
    [['check'], 6],
    [['stats'], 8],
    [['convert', '--to', 'openai-responses'], 8],
  ];
  for (const [format, input] of Object.entries(inputs))
    for (const [words, reach] of rows) {
      const times = peakMegabytes(trim(...words, input)) / (statSync(input).size / MB);
      row(`\`${words[0]}\`, one session of 34 MB (${format}), peak memory over its size`, single(times), reach);
    }
}

/** With the code that earlier runs kept, as a user has it from the second run on. */
export function startUp({ row, at }) {
  const one = at('one.json');
  writeOneMessage(one);
  for (const words of [
    ['stats', one],
    ['check', one],
    ['diff', one, one],
    ['filter', '--max-tool-calls', '1', one],
  ])
    row(
      `\`${words[0]}\` of one message, CPU over bare Node's`,
      overBareNode(process.execPath, words, at(`cache-${words[0]}`), 15),
      2.6,
    );
}

/** In wall time, each pair in turn. */
export function threads({ row, trim, runs }) {
  for (const words of [
    ['filter', '--max-tool-calls', '3'],
    ['truncate', '--max-length', '100', '--no-minimum'],
    ['stats', '--by', 'role'],
  ]) {
    const [one, two] = ['1', '2'].map((count) => trim(...words, '--threads', count, runs));
    const what = `\`${words[0]} --threads 2\`, ${Math.round(statSync(runs).size / 1e6)} MB, speed over one thread's`;
    row(what, ratio(one, two, 3), 1.6, false);
  }
}

const single = (value) => ({ median: value, low: value, high: value });

function outputOf([program, ...args]) {
  return execFileSync(program, args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
}
