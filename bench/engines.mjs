// `node bench/engines.mjs [megabytes]`: engines do the same work in parts, and lose a worker in the middle. What comes
// out must be what one process writes, byte for byte. Writes bench/ENGINES.md. Needs root, for its hosts, and from
// Debian: parallel, openssh-server, slurm-wlm, munge, python3-distributed, iproute2, time. PARTS: how many parts (32).
// KEEP=<folder> keeps the data, the run on one and each row, and goes on from there: ENGINES=ssh,dask runs these.
// DUCKDB=<folder with @duckdb/node-api> adds up the rows of requests. PROGRAM: another bin/ctx-trim.js to run.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeParts } from './engines/data.mjs';
import { makeHosts, removeHosts } from './engines/hosts.mjs';
import { report } from './engines/report.mjs';
import { ENGINES } from './engines/runs.mjs';

const MEGABYTES = Number(process.argv[2] ?? 200);
const PARTS = Number(process.env.PARTS ?? 32);
const only = process.env.ENGINES?.split(',');
const keeping = process.env.KEEP;
const folder = keeping === undefined ? mkdtempSync(join(tmpdir(), 'ctx-trim-engines-')) : resolve(keeping);
const at = (...names) => join(folder, ...names);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

for (const name of ['bin', 'in', 'one']) mkdirSync(at(name), { recursive: true });
const program = resolve(process.env.PROGRAM ?? 'bin/ctx-trim.js');
writeFileSync(at('bin/ctx-trim'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
const parts = saved('parts.json') ?? save('parts.json', makeParts(at('in'), PARTS, (MEGABYTES * 1e6) / PARTS));
try {
  const one = saved('one.json') ?? save('one.json', await onOne());
  const rows = saved('rows.json') ?? {};
  for (const engine of ENGINES.filter(({ output }) => only?.includes(output) ?? rows[output] === undefined)) {
    rows[engine.output] = await tried(engine, one).catch((error) => failed(engine, error));
    save('rows.json', rows);
    report({
      megabytes: MEGABYTES,
      parts: parts.length,
      one,
      rows: ENGINES.flatMap(({ output }) => rows[output] ?? []),
    });
  }
} finally {
  removeHosts();
  if (keeping === undefined) rmSync(folder, { recursive: true, force: true });
}

function saved(name) {
  return existsSync(at(name)) ? JSON.parse(readFileSync(at(name), 'utf8')) : undefined;
}

function save(name, value) {
  writeFileSync(at(name), JSON.stringify(value));
  return value;
}

/** Runs a command, whose output becomes a file. Returns its CPU seconds and the memory it took at most. */
function ctxTrim(output, ...words) {
  const out = openSync(output, 'w');
  const time = ['-f', '%U %S %M', '-o', at('time'), at('bin/ctx-trim'), ...words];
  const { status, stderr } = spawnSync('/usr/bin/time', time, { cwd: at('in'), stdio: ['ignore', out, 'pipe'] });
  if (status > 1) throw new Error(`ctx-trim ${words[0]}: ${stderr}`);
  const [user, system, kilobytes] = readFileSync(at('time'), 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  return {
    command: words[1] === '--merge' ? `${words[0]} --merge` : words[0],
    seconds: user + system,
    megabytes: kilobytes / 1e3,
  };
}

/** What one process writes of all parts: hashes of bytes and of reports, to compare with. */
async function onOne() {
  const [short, check, stats] = ['short.jsonl', 'check.json', 'stats.json'].map((name) => at('one', name));
  const redacted = parts.map((part) => at('one', `${part}.redacted.jsonl`)); // marks are numbered in each run
  const costs = [
    kept('filter', () => ctxTrim(at('one/none'), 'filter', '--quiet', '--max-tool-calls', '3', ...parts, '-o', short)),
    kept('redact', () => summed(parts.map((part, index) => ctxTrim(redacted[index], 'redact', '--quiet', part)))),
    kept('check', () => ctxTrim(check, 'check', '--format', 'json', ...parts)),
    kept('stats', () => ctxTrim(stats, 'stats', '--recorded', '--by', 'model', '--format', 'json', ...parts)),
  ];
  const { summary } = JSON.parse(readFileSync(check, 'utf8'));
  const end = execFileSync('tail', ['-c', '2000', stats], { encoding: 'utf8' });
  const cost = /"totals":(?![\s\S]*"totals":)[\s\S]*?"cost_usd": ([\d.]+)/.exec(end)[1];
  const hashes = {
    filter: await hashOf([short]),
    redact: await hashOf(redacted),
    check: await hashOf([check]),
    stats: await hashOf([stats]),
  };
  return { hashes, summary, cost, costs };
}

/** What a step cost, of this run or of one that was stopped. */
function kept(name, run) {
  return saved(`one-${name}.json`) ?? save(`one-${name}.json`, run());
}

function summed(costs) {
  const seconds = costs.reduce((sum, cost) => sum + cost.seconds, 0);
  return { command: costs[0].command, seconds, megabytes: Math.max(...costs.map(({ megabytes }) => megabytes)) };
}

async function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}

async function tried({ title, killed, output, run, strike }, one) {
  const out = at(output);
  rmSync(out, { recursive: true, force: true });
  for (const name of ['', 'running']) mkdirSync(join(out, name), { recursive: true });
  makeHosts();
  const began = Date.now();
  await run({ folder, out, output, parts }, async () => {
    while (linesOf(join(out, 'begun')).length < parts.length / 3) await wait(20);
    await wait(300); // in the middle of a part
    await strike({ out });
  });
  const seconds = (Date.now() - began) / 1000;
  const again = linesOf(join(out, 'begun')).length - parts.length;
  const { outcome, costs } = await compared(out, one);
  console.log(title, again, seconds, outcome, costs);
  return { title, killed, again, seconds, outcome, costs };
}

function failed({ title, killed }, error) {
  console.error(error);
  process.exitCode = 1;
  return { title, killed, again: '', seconds: Number.NaN, outcome: `FAILED: ${error.message.split('\n')[0]}` };
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

/** What equals the run on one; throws if anything differs. */
async function compared(out, one) {
  const all = (kind) => parts.map((part) => join(out, `${part}.${kind}`));
  const [check, stats] = ['check.json', 'stats.json'].map((name) => join(out, name));
  const costs = [
    ctxTrim(check, 'check', '--merge', '--format', 'json', ...all('check.json')),
    ctxTrim(stats, 'stats', '--merge', '--by', 'model', '--format', 'json', ...all('stats.json')),
  ];
  const hashes = {
    filter: await hashOf(all('short.jsonl')),
    redact: await hashOf(all('redacted.jsonl')),
    check: await hashOf([check]),
    stats: await hashOf([stats]),
  };
  const same = Object.fromEntries(Object.keys(hashes).map((name) => [name, hashes[name] === one.hashes[name]]));
  const sum = await sumByDuckDb(join(out, '*.requests.parquet'));
  if (sum !== undefined) same['DuckDB'] = sum.replace(/\.?0+$/, '') === one.cost;
  const others = Object.keys(same).filter((name) => !same[name]);
  if (others.length > 0) throw new Error(`${out}: ${others.join(', ')} differ`);
  return { outcome: Object.keys(same).join(', '), costs };
}

async function sumByDuckDb(files) {
  if (process.env.DUCKDB === undefined) return undefined;
  const { DuckDBInstance } = createRequire(join(resolve(process.env.DUCKDB), 'x.js'))('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(`SELECT sum(cost_usd)::text AS cost FROM '${files}'`);
  return result.getRowsJson()[0][0];
}
