// `dataset` over made rows with planted faults: what is found of them, time, memory, and whether the ledger adds up.
// `node bench/dataset.mjs 1000000 [folder]`; the folder keeps the files. `--near` also looks for near duplicates.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [count = '100000', given] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const hasNear = process.argv.includes('--near');
const folder = given ?? mkdtempSync(join(tmpdir(), 'ctx-trim-dataset-'));
const rows = Number(count);
const input = join(folder, 'made.jsonl');
const benchmark = join(folder, 'benchmark.jsonl');

const WORDS = readFileSync('docs/how-it-works.md', 'utf8')
  .toLowerCase()
  .match(/[a-z]{4,}/g);
let state = 1;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base32 = (length) => Array.from({ length }, () => BASE32[random(32)]).join('');
const prose = (words) => Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ');

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
};
const tools = [{ type: 'function', function: { name: 'read', description: 'Read a file.', parameters: schema } }];
const call = (id, name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const chat = (question, args = { path: prose(1) }, tool = 'read') => [
  { role: 'user', content: question },
  call('c1', tool, args),
  { role: 'tool', tool_call_id: 'c1', content: prose(60) },
  { role: 'assistant', content: prose(25) },
];

/** What is planted, each in one of 100 rows, and the reason that the ledger should have. */
const LEAKS = Array.from({ length: 200 }, () => prose(30));
const PLANTED = [
  ['duplicate', (before) => before],
  ['contaminated', () => chat(`${prose(10)} ${LEAKS[random(LEAKS.length)]} ${prose(10)}`)],
  ['unknown-tool', () => chat(prose(20), { path: 'x' }, 'raed')],
  ['refused-arguments', () => chat(prose(20), { path: 7 })],
  ['tail', () => [...chat(prose(20)), { role: 'user', content: prose(9) }, call('c2', 'read', { path: 'x' })]],
  ['empty', () => [{ role: 'system', content: '' }, ...chat(prose(20))]],
  ['secrets', () => chat(`${prose(9)} AKIA${base32(16)} ${prose(9)}`)],
  [
    'near-duplicate',
    (before) => [...before.slice(0, 3), { role: 'assistant', content: `${before[3].content} ${prose(1)}` }],
  ],
];

const expected = new Map();
function make() {
  writeFileSync(benchmark, LEAKS.map((question) => `${JSON.stringify({ question })}\n`).join(''));
  const fd = openSync(input, 'w');
  let last = chat(prose(20));
  let text = '';
  for (let row = 1; row <= rows; row++) {
    const plant = PLANTED[row % 100];
    const messages = plant === undefined || row < 100 ? chat(prose(20)) : plant[1](last);
    if (plant !== undefined && row >= 100) expected.set(row, plant[0]);
    if (plant === undefined) last = messages;
    text += `${JSON.stringify({ messages, tools, meta: { repo: `repo${random(500)}`, reward: random(2) } })}\n`;
    if (text.length > 1 << 20 || row === rows) {
      writeSync(fd, text);
      text = '';
    }
  }
  closeSync(fd);
}

function measured(name, words) {
  const program = `const { spawnSync } = require('node:child_process');
    const words = ${JSON.stringify([resolve('bin/ctx-trim.js'), ...words])};
    const done = spawnSync(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    console.error(JSON.stringify({ status: done.status }));`;
  const done = spawnSync('/usr/bin/time', ['-f', '%M %U %S', process.execPath, '-e', program], { encoding: 'utf8' });
  const lines = done.stderr.trim().split('\n');
  const [kilobytes, user, system] = lines.pop().split(' ').map(Number);
  console.log(
    `${name}: ${(kilobytes / 1024).toFixed(0)} MB, ${(user + system).toFixed(1)} s of CPU; ${lines.join(' ')}`,
  );
  return done;
}

async function judge(ledger) {
  const found = new Map();
  const wrong = new Map();
  const sums = { kept: 0, changed: 0, dropped: 0 };
  let all = 0;
  for await (const line of createInterface({ input: createReadStream(ledger) })) {
    const { row, outcome, reasons } = JSON.parse(line);
    all++;
    sums[outcome]++;
    const planted = expected.get(row);
    if (planted !== undefined && reasons.includes(planted)) found.set(planted, (found.get(planted) ?? 0) + 1);
    else if (planted === undefined && outcome !== 'kept') wrong.set(reasons[0], (wrong.get(reasons[0]) ?? 0) + 1);
  }
  const isWhole = sums.kept + sums.changed + sums.dropped === rows && all === rows;
  console.log(`ledger: ${all} lines for ${rows} rows; ${JSON.stringify(sums)}, ${isWhole ? 'adds up' : 'WRONG'}`);
  for (const [reason] of PLANTED) {
    const planted = [...expected.values()].filter((one) => one === reason).length;
    console.log(
      `  ${reason}: ${found.get(reason) ?? 0} of ${planted} found, ${wrong.get(reason) ?? 0} where none was planted`,
    );
  }
}

make();
console.log(`${rows} rows, ${(statSync(input).size / 1e6).toFixed(0)} MB`);
const at = (name) => join(folder, name);
const usual = ['dataset', '--unique', `--against=${benchmark}`, '--metadata=meta.repo', input];
const near = hasNear ? ['--near=0.9'] : [];
measured('JSON Lines', [...usual, ...near, `--ledger=${at('ledger.jsonl')}`, `--output=${at('rows.jsonl')}`]);
await judge(at('ledger.jsonl'));
measured('Parquet', [...usual, `--output=${at('rows.parquet')}`]);
if (given === undefined) rmSync(folder, { recursive: true, force: true });
