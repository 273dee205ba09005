// `npm run bench`: what PERFORMANCE asks for, as ratios measured in one run, pair by pair, with their spread, written
// to bench/RESULTS.md. Peers: jq and gojq (Debian's), a JSON.parse/JSON.stringify loop, orjson and DuckDB (by pip),
// tiktoken, ccusage (by npm). A peer that is not there is left out. CTX_TRIM_BENCH_MB: how many megabytes the large
// inputs have (200). The words behind it choose rows: `npm run bench stats`.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { againstLoop, longSession, startUp, threads } from './loop.mjs';
import { has, medianOf, peakMegabytes, ratio, secondsOf } from './measure.mjs';
import { CCUSAGE } from './peers.mjs';
import { recorded } from './recorded.mjs';

const MEGABYTES = Number(process.env.CTX_TRIM_BENCH_MB ?? 200);
const CHOSEN = process.argv.slice(2);
const SHARED = '../shared/transcripts';
const PERFORMANCE_SET = [
  `${SHARED}/perf/tau-multi.openai.jsonl`,
  'fixtures/formats/openai-chat/apollo-multi.jsonl',
].find((path) => existsSync(path));

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bench-'));
const node = [process.execPath];
const trim = (...words) => [...node, 'bin/ctx-trim.js', ...words];
const at = (name) => join(folder, name);
const lines = [];

const figure = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const inverse = ({ median, low, high }) => ({ median: 1 / median, low: 1 / high, high: 1 / low });
const times = (a, b, runs) => ratio(a, b, runs);
const asFast = (a, b, runs) => inverse(ratio(a, b, runs));

/** The start of a script that reads a file line by line; a loop body over `lines` follows. */
const LINE_READER = `const fs = require('fs');
const decoder = new (require('string_decoder').StringDecoder)('utf8');
let rest = '';
const buffer = Buffer.alloc(1 << 20);
const fd = fs.openSync(process.argv[2]);
for (let n; (n = fs.readSync(fd, buffer)); ) {
  const lines = (rest + decoder.write(buffer.subarray(0, n))).split('\\n');
  rest = lines.pop();`;

try {
  const given = { row, trim, folder, at };
  const parts = {
    throughput,
    peers,
    unchanged,
    stats,
    recorded: () => recorded(given),
    check,
    loop: () => againstLoop({ ...given, ...chatsForLoop() }),
    startUp: () => startUp(given),
    threads: async () => threads({ ...given, runs: await made('runs', MEGABYTES * 2) }),
    growth,
    memory,
    longSession: () => longSession(given),
  };
  for (const [name, part] of Object.entries(parts)) if (CHOSEN.length === 0 || CHOSEN.includes(name)) await part();
  if (CHOSEN.length === 0) writeFileSync('bench/RESULTS.md', report());
} finally {
  rmSync(folder, { recursive: true });
}

// --- rows

/** `reach`: the bound of the ratio; `lower`: whether it has to stay below. */
function row(what, { median, low, high }, reach, lower = true) {
  const isReached = reach === undefined ? '' : (lower ? median <= reach : median >= reach) ? 'reached' : 'not reached';
  lines.push({
    what,
    figure: `${figure(median)} (${figure(low)} to ${figure(high)})`,
    reach: reach === undefined ? '' : `${lower ? '≤' : '≥'} ${reach}`,
    isReached,
  });
  const { figure: shown } = lines.at(-1);
  process.stdout.write(`${what.padEnd(76)} ${shown.padStart(26)}  ${lines.at(-1).reach.padEnd(7)} ${isReached}\n`);
}

function throughput() {
  const many = repeated(PERFORMANCE_SET, MEGABYTES);
  const loop = roundTrip();
  for (const [name, words] of Object.entries({
    filter: ['filter', '--max-tool-calls', '3'],
    patch: ['patch'],
    truncate: ['truncate'],
  })) {
    if (has('jq'))
      row(
        `\`${name}\`, ${MEGABYTES} MB, speed of \`jq -c .\``,
        asFast(trim(...words, many), ['jq', '-c', '.', many], 3),
        10,
        false,
      );
    row(
      `\`${name}\`, ${MEGABYTES} MB, speed of a JSON.parse/JSON.stringify loop`,
      asFast(trim(...words, many), [...node, loop, many], 5),
      4,
      false,
    );
  }
}

/** `filter` against others that read and write the same lines, and change nothing. */
function peers() {
  const many = repeated(PERFORMANCE_SET, MEGABYTES);
  const loop = at('loop.py');
  writeFileSync(
    loop,
    `import orjson, sys
with open(sys.argv[1], 'rb') as lines:
    for line in lines:
        sys.stdout.buffer.write(orjson.dumps(orjson.loads(line), option=orjson.OPT_APPEND_NEWLINE))
`,
  );
  const table = at('table.py');
  writeFileSync(
    table,
    `import duckdb, sys
duckdb.sql(f"copy (from read_json('{sys.argv[1]}')) to '/dev/stdout' (format json)")
`,
  );
  const commands = [
    [has('gojq'), '`gojq -c .`', ['gojq', '-c', '.', many]],
    [moduleVersion('orjson'), "a loop of loads and dumps of Python's orjson", ['python3', loop, many]],
    [moduleVersion('duckdb'), 'DuckDB, which reads a table and writes it', ['python3', table, many]],
  ];
  const filter = trim('filter', '--max-tool-calls', '3', many);
  for (const [, name, command] of commands.filter(([isThere]) => isThere))
    row(`\`filter\`, ${MEGABYTES} MB, speed of ${name}`, asFast(filter, command, 3));
}

/** Undefined where Python does not find it. */
function moduleVersion(module) {
  const script = `import ${module}; print(${module}.__version__)`;
  const { status, stdout } = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

async function unchanged() {
  const chats = await made('chats', MEGABYTES * 4);
  if (!has('jq')) return;
  row(
    `nothing changes (chats without tools), ${MEGABYTES * 4} MB, speed of \`jq -c .\``,
    asFast(trim('filter', '--max-tool-calls', '3', chats), ['jq', '-c', '.', chats], 3),
    12,
    false,
  );
  row(
    'the same with `--trust`',
    asFast(trim('filter', '--max-tool-calls', '3', '--trust', chats), ['jq', '-c', '.', chats], 3),
    50,
    false,
  );
}

function stats() {
  const some = repeated(PERFORMANCE_SET, MEGABYTES / 4);
  const encode = at('encode.mjs');
  writeFileSync(
    encode,
    `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const { get_encoding } = createRequire('${resolve('package.json')}')('tiktoken');
const encoder = get_encoding('o200k_base');
const texts = [];
for (const line of readFileSync(process.argv[2], 'utf8').split('\\n').filter(Boolean))
  for (const { content, tool_calls } of JSON.parse(line).messages) {
    if (typeof content === 'string') texts.push(content);
    for (const call of tool_calls ?? []) texts.push(call.function.arguments);
  }
const start = process.hrtime.bigint();
for (const text of texts) encoder.encode_ordinary(text);
console.log(Number(process.hrtime.bigint() - start) / 1e9);`,
  );
  const peer = () => Number(execFileSync(process.execPath, [encode, some], { encoding: 'utf8' }));
  row(
    `\`stats\`, ${MEGABYTES / 4} MB with start-up and reading, speed of tiktoken encoding its texts`,
    medianOf(3, () => peer() / secondsOf(trim('stats', '--by', 'role', '--model', 'gpt-4o', some))),
    6,
    false,
  );
  const run = at('a.json');
  writeFileSync(run, JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'a'.repeat(100_000) }] }));
  const short = at('b.json');
  writeFileSync(short, JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'a' }] }));
  row(
    '`stats` with 100,000 times one letter, time of the same with one',
    times(trim('stats', run), trim('stats', short), 9),
  );
}

function check() {
  const many = repeated(PERFORMANCE_SET, MEGABYTES);
  const parse = at('parse.cjs');
  writeFileSync(
    parse,
    `${LINE_READER}
  for (const line of lines) JSON.parse(line);
}`,
  );
  row(
    `\`check\`, ${MEGABYTES} MB, time of JSON.parse line by line`,
    times(trim('check', '--provider', 'openai-chat', many), [...node, parse, many], 3),
  );
}

function chatsForLoop() {
  return { loop: roundTrip(), large: repeated(PERFORMANCE_SET, 100), small: beginning(PERFORMANCE_SET, 8) };
}

async function growth() {
  for (const [name, words] of Object.entries({
    filter: ['filter', '--max-tool-calls', '2'],
    stats: ['stats', '--by', 'role'],
  })) {
    let [before, megabytes] = [undefined, 1];
    for (const next of [10, 100, 1000]) {
      const [small, large] = [before ?? (await made('runs', megabytes)), await made('runs', next)];
      row(
        `\`${name}\`, time of ${next} MB over that of ${megabytes} MB`,
        times(trim(...words, large), trim(...words, small), next > 100 ? 1 : 3),
        10.5,
      );
      [before, megabytes] = [large, next];
    }
  }
  let [before, messages] = [undefined, 10];
  for (const next of [100, 1000, 10_000]) {
    const [small, large] = [before ?? (await made('session', messages)), await made('session', next)];
    for (const [name, words] of Object.entries({ filter: ['filter', '--max-tool-calls', '2'], stats: ['stats'] }))
      row(
        `\`${name}\`, time of a transcript of ${next} messages over that of ${messages}`,
        times(trim(...words, large), trim(...words, small), 5),
        10,
      );
    [before, messages] = [large, next];
  }
  const seconds = medianOf(5, () => secondsOf(trim('stats', before)));
  row('`stats` of a transcript of 10,000 messages, in seconds', seconds, 1);
}

async function memory() {
  const large = await made('runs', 500);
  const megabytes = (words) => medianOf(1, () => peakMegabytes(words));
  for (const words of [['filter', '--max-tool-calls', '2'], ['patch'], ['truncate']])
    row(`\`${words[0]}\`, 500 MB, peak memory in MB`, megabytes(trim(...words, large)), 80);
  for (const words of [['stats'], ['stats', '--by', 'role'], ['stats', '--format', 'json']])
    row(`\`${words.join(' ')}\`, 500 MB, peak memory in MB`, megabytes(trim(...words, large)), 140);
  row('`check`, 500 MB, peak memory in MB', megabytes(trim('check', '--provider', 'openai-chat', large)));
  const array = await made('array', 1000);
  row(
    '`filter`, one JSON array of 1 GB, in seconds',
    medianOf(1, () => secondsOf(trim('filter', '--max-tool-calls', '1000000', array))),
    2,
  );
  row('the same, peak memory in MB', megabytes(trim('filter', '--max-tool-calls', '1000000', array)), 100);
}

// --- inputs

/** A file, so often one after the other that it has this size. */
function repeated(source, megabytes) {
  const bytes = readFileSync(source);
  const path = at(`repeated-${megabytes}.jsonl`);
  if (existsSync(path)) return path;
  const copies = Math.ceil((megabytes * 1e6) / bytes.length);
  cpSync(source, path);
  for (let copy = 1; copy < copies; copy++) writeFileSync(path, bytes, { flag: 'a' });
  return path;
}

/** Its first lines, of this size. */
function beginning(source, megabytes) {
  const bytes = readFileSync(source).subarray(0, megabytes * 1e6);
  const path = at(`beginning-${megabytes}.jsonl`);
  writeFileSync(path, bytes.subarray(0, bytes.lastIndexOf(10) + 1));
  return path;
}

async function made(kind, size) {
  const path = at(`${kind}-${size}.json${kind === 'array' || kind === 'session' ? '' : 'l'}`);
  if (!existsSync(path))
    await pipeline(
      spawn(process.execPath, ['bench/generate.mjs', kind, String(size)], { stdio: ['ignore', 'pipe', 'inherit'] })
        .stdout,
      createWriteStream(path, { flush: true }),
    ); // else the disk is still written to while its readers are timed
  return path;
}

/** What a script in Node would do. */
function roundTrip() {
  const path = at('loop.cjs');
  writeFileSync(
    path,
    `${LINE_READER}
  fs.writeSync(1, lines.map((line) => JSON.stringify(JSON.parse(line)) + '\\n').join(''));
}`,
  );
  return path;
}

// --- the report

function report() {
  const version = (command, ...words) =>
    has(command) ? execFileSync(command, words, { encoding: 'utf8' }).trim() : 'not installed';
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const prose = readFileSync('bench/NOTES.md', 'utf8');
  const inputs = PERFORMANCE_SET.startsWith('..') ? 'the shared performance set' : PERFORMANCE_SET;
  return [
    '# Measurements',
    '',
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} ×`,
    `${cpus()[0]?.model.trim()}, Node ${process.version}, jq ${version('jq', '--version').replace(/^jq-/, '')},`,
    `gojq ${version('gojq', '--version').replace(/^gojq | \(.*/g, '')},`,
    ...['orjson', 'duckdb'].map((module) => `${module} ${moduleVersion(module) ?? 'not installed'},`),
    `tiktoken ${devDependencies.tiktoken}, ${CCUSAGE}, rolldown ${devDependencies.rolldown}.`,
    `Inputs: ${inputs}, repeated, and the output of \`bench/generate.mjs\`.`,
    'Whole processes, timed from outside, the two of a pair in turn; medians with quartiles.',
    'Only ratios are reliable on a machine that others use too.',
    '',
    '| what | measured | to reach | |',
    '| --- | --: | --: | --- |',
    ...lines.map(({ what, figure: value, reach, isReached }) => `| ${what} | ${value} | ${reach} | ${isReached} |`),
    '',
    prose.trim(),
    '',
  ].join('\n');
}
