// `node bench/engines.mjs [megabytes]`: engines do the same work in parts, and lose a worker in the middle. What comes out
// must be what one process writes, byte for byte. Writes bench/ENGINES.md. Needs root, for hosts of its own, and from
// Debian: parallel, openssh-server, slurm-wlm, munge, python3-distributed, iproute2. ENGINES=ssh,dask runs only these.
// DUCKDB=<folder with @duckdb/node-api> adds up the rows of requests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeParts } from './engines/data.mjs';
import { makeHosts, removeHosts } from './engines/hosts.mjs';
import { ENGINES } from './engines/runs.mjs';

const MEGABYTES = Number(process.argv[2] ?? 200);
const PARTS = Number(process.env.PARTS ?? 24);
const only = process.env.ENGINES?.split(',');
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-engines-'));
const at = (...names) => join(folder, ...names);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

mkdirSync(at('bin'));
writeFileSync(at('bin/ctx-trim'), `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`, {
  mode: 0o755,
});
mkdirSync(at('in'));
const parts = makeParts(at('in'), PARTS, (MEGABYTES * 1e6) / PARTS);
try {
  const began = Date.now();
  const one = await onOne();
  const rows = [
    { title: 'one process after the other', killed: '', again: '', seconds: (Date.now() - began) / 1000, outcome: '' },
  ];
  for (const engine of ENGINES.filter(({ output }) => only === undefined || only.includes(output)))
    rows.push(await tried(engine, one).catch((error) => failed(engine, error)));
  console.table(rows);
  if (only === undefined) report(rows, one);
} finally {
  removeHosts();
  if (process.env.KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  else console.log(folder);
}

function ctxTrim(...words) {
  const { stdout, status, stderr } = spawnSync(at('bin/ctx-trim'), words, { cwd: at('in'), maxBuffer: 2 ** 30 });
  if (status > 1) throw new Error(`ctx-trim ${words[0]}: ${stderr}`);
  return stdout;
}

/** What one process writes of all parts: bytes and reports to compare with. */
async function onOne() {
  return {
    short:
      ctxTrim('filter', '--quiet', '--max-tool-calls', '3', ...parts, '-o', at('short.jsonl')) &&
      readFileSync(at('short.jsonl')),
    redacted: Buffer.concat(parts.map((part) => ctxTrim('redact', '--quiet', part))), // marks are numbered in each run
    check: ctxTrim('check', '--format', 'json', ...parts),
    stats: ctxTrim('stats', '--format', 'json', ...parts),
  };
}

async function tried({ title, killed, output, run, strike }, one) {
  const out = at(output);
  for (const name of ['', 'running']) mkdirSync(join(out, name), { recursive: true });
  makeHosts();
  const began = Date.now();
  await run({ folder, out, output, parts }, async () => {
    while (linesOf(join(out, 'begun')).length < PARTS / 3) await wait(20);
    await wait(300); // in the middle of a part
    strike({ out });
  });
  const seconds = (Date.now() - began) / 1000;
  const again = linesOf(join(out, 'begun')).length - PARTS;
  const outcome = await compared(out, one);
  console.log(title, again, seconds, outcome);
  return { title, killed, again, seconds, outcome };
}

function failed({ title, killed }, error) {
  console.error(error);
  process.exitCode = 1;
  return { title, killed, again: '', seconds: Number.NaN, outcome: `FAILED: ${error.message.split('\n')[0]}` };
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

/** What differs from the run on one; throws if anything does. */
async function compared(out, one) {
  const all = (kind) => parts.map((part) => join(out, `${part}.${kind}`));
  const joined = (kind) => Buffer.concat(all(kind).map((path) => readFileSync(path)));
  const same = {
    filter: joined('short.jsonl').equals(one.short),
    redact: joined('redacted.jsonl').equals(one.redacted),
    check: ctxTrim('check', '--merge', '--format', 'json', ...all('check.json')).equals(one.check),
    stats: ctxTrim('stats', '--merge', '--format', 'json', ...all('stats.json')).equals(one.stats),
  };
  const sum = await sumByDuckDb(join(out, '*.requests.parquet'));
  const total = /"totals":(?![\s\S]*"totals":)[\s\S]*?"cost_usd": ([\d.]+)/.exec(String(one.stats))[1];
  if (sum !== undefined) same['DuckDB'] = sum.replace(/\.?0+$/, '') === total;
  const others = Object.keys(same).filter((name) => !same[name]);
  if (others.length > 0) throw new Error(`${out}: ${others.join(', ')} differ`);
  return Object.keys(same).join(', ');
}

async function sumByDuckDb(files) {
  if (process.env.DUCKDB === undefined) return undefined;
  const { DuckDBInstance } = createRequire(join(resolve(process.env.DUCKDB), 'x.js'))('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(`SELECT sum(cost_usd)::text AS cost FROM '${files}'`);
  return result.getRowsJson()[0][0];
}

function report(rows, one) {
  const { summary } = JSON.parse(one.check);
  const version = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' }).split('\n')[0].trim();
  const versions = [
    version('parallel', '--version'),
    version('slurmd', '-V'),
    `Dask distributed ${version('/usr/bin/python3', '-c', 'import distributed; print(distributed.__version__)')}`,
  ];
  const table = rows.map(
    ({ title, killed, again, seconds, outcome }) =>
      `| ${title} | ${killed} | ${again} | ${seconds.toFixed(0)} | ${outcome} |`,
  );
  const text = `# The same work on engines

Written by \`node bench/engines.mjs ${MEGABYTES}\` on ${new Date().toISOString().slice(0, 10)}: ${MEGABYTES} MB of made agent runs in ${PARTS} parts
(${summary.transcripts} transcripts, ${summary.errors} errors found). Each part goes through \`filter\`, \`redact\`, \`check\` and \`stats\`
([work.sh](engines/work.sh)). When a third of the parts has begun, a worker is killed (SIGKILL): a job with its processes,
or all that runs on a host. Hosts are network namespaces of one machine with two cores, so the seconds show no speed-up.
The run stops with an error unless what comes out equals what one process writes: \`filter\` and \`redact\` byte for byte,
the reports that \`--merge\` adds up byte for byte, and the costs that DuckDB adds up to the last digit.

| engine | killed | parts begun again | s | equal to one |
| --- | --- | --: | --: | --- |
${table.join('\n')}

${versions.join('; ')}. Node ${process.versions.node}. Spark and Ray were not run.
`;
  writeFileSync('bench/ENGINES.md', text);
}
