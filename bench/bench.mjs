// `npm run bench`: start-up against bare Node, throughput against jq and against a JSON.parse/JSON.stringify loop, as ratios
// measured in one run. Needs jq; uses the performance set (../shared) where it is there, else the fixtures, repeated.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has, ratio } from './measure.mjs';

const MEGABYTES = Number(process.env.CTX_TRIM_BENCH_MB ?? 200);
const SOURCES = ['../shared/transcripts/perf/tau-multi.openai.jsonl', 'fixtures/formats/openai-chat/apollo-multi.jsonl'];

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-bench-'));
const source = readFileSync(SOURCES.find((path) => existsSync(path)));
const many = join(folder, 'many.jsonl');
const once = join(folder, 'once.jsonl');
const small = join(folder, 'small.jsonl');
const bare = join(folder, 'bare.cjs');
const loop = join(folder, 'loop.cjs');
writeFileSync(once, source);
writeFileSync(many, Buffer.concat(Array(Math.ceil((MEGABYTES * 1e6) / source.length)).fill(source)));
writeFileSync(small, source.subarray(0, source.indexOf(10) + 1));
writeFileSync(bare, '');
writeFileSync(
  loop,
  `const fs = require('fs'); const decoder = new (require('string_decoder').StringDecoder)('utf8'); let rest = ''; const buffer = Buffer.alloc(1 << 20); const fd = fs.openSync(process.argv[2]);
for (let n; (n = fs.readSync(fd, buffer)); ) { const lines = (rest + decoder.write(buffer.subarray(0, n))).split('\\n'); rest = lines.pop(); fs.writeSync(1, lines.map((line) => JSON.stringify(JSON.parse(line)) + '\\n').join('')); }`,
);

const node = [process.execPath];
const trim = (...words) => [...node, 'bin/ctx-trim.js', ...words];
const rows = [];
/** `bound`: what the ratio has to stay below (times) or above (speed), from the project's performance page. */
const row = (what, { median, low, high }, bound) => {
  rows.push({ what, median, bound });
  console.log(`${what.padEnd(64)} ${median.toFixed(2).padStart(6)} ×  (${low.toFixed(2)} to ${high.toFixed(2)})  ${bound}`);
};
const faster = ({ median, low, high }) => ({ median: 1 / median, low: 1 / high, high: 1 / low });

try {
  row('--help, time against bare node', ratio(trim('--help'), [...node, bare], 21), 'reach <= 1.4');
  row('filter on one small transcript, time against bare node', ratio(trim('filter', '--max-tool-calls', '1', small), [...node, bare], 21), 'reach <= 1.5');
  const jobs = { filter: ['filter', '--max-tool-calls', '3'], patch: ['patch'], truncate: ['truncate'] };
  for (const [name, words] of Object.entries(jobs)) {
    if (has('jq')) row(`${name}, ${MEGABYTES} MB, speed against jq -c .`, faster(ratio(trim(...words, many), ['jq', '-c', '.', many], 3)), 'reach >= 10');
    row(`${name}, ${MEGABYTES} MB, speed against a JSON.parse/stringify loop`, faster(ratio(trim(...words, many), [...node, loop, many], 3)), 'reach >= 4');
  }
  if (has('jq')) row(`filter, ${(source.length / 1e6).toFixed(0)} MB with start-up, speed against jq -c .`, faster(ratio(trim(...jobs.filter, once), ['jq', '-c', '.', once], 9)), '');
} finally {
  rmSync(folder, { recursive: true });
}
