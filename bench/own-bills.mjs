/**
 * What agents bill themselves, and what `stats --recorded` says of their files: `node bench/own-bills.mjs [agent ...]`.
 * Each agent runs two prompts, one for a tool and one for a sub-agent, against a provider on this machine that states
 * other counts for each request. Prints the table of bench/NOTES.md, and exits with 1 if a row differs. The agents come
 * from npm into a temporary folder, or from CTX_TRIM_AGENTS, a folder with node_modules.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { BILLS, NODE } from './agents/bills.mjs';
import { AGENT, billing, TOOL } from './agents/calls.mjs';
import { BARE } from './agents/programs.mjs';
import { startProvider } from './agents/provider.mjs';

const chosen = process.argv.slice(2);
const only = Object.keys(BILLS).filter((agent) => chosen.length === 0 || chosen.includes(agent));
const program = resolve('bin/ctx-trim.js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-bills-')));
const modules = process.env.CTX_TRIM_AGENTS ?? folder;
const bin = resolve(modules, 'node_modules/.bin');
const PATH = [bin, BARE.PATH].join(delimiter);
const FIGURES = ['requests', 'input', 'cached', 'output'];
let isGood = true;

try {
  if (modules === folder) install(only.map((agent) => BILLS[agent].package));
  console.log('| agent | states itself in | requests | input | cached | output | ours |');
  console.log('| --- | --- | --: | --: | --: | --: | --- |');
  for (const agent of only) await judge(agent);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);

function install(packages) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', NODE, ...packages];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function judge(agent) {
  const { package: name, says, prompts = [TOOL, AGENT], run, states } = BILLS[agent];
  const home = mkdtempSync(join(folder, `${agent}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  const provider = await startProvider(billing());
  try {
    const said = [];
    for (const prompt of prompts) {
      const { command, env } = run({ prompt, home, url: provider.url });
      said.push(await outputOf(command, { cwd: work, env: { ...BARE, PATH, HOME: home, ...env } }));
    }
    const own = states({ home, said, bin });
    const ours = recordedIn(home);
    const differs = FIGURES.filter((key) => own[key] !== undefined && own[key] !== ours[key]);
    isGood &&= differs.length === 0;
    const verdict = differs.length === 0 ? 'the same' : `not the same: ${differs.map((key) => `${ours[key]} ${key}`)}`;
    const figures = FIGURES.map((key) => (own[key] ?? ours[key]).toLocaleString('en-US'));
    console.log(`| ${[`${agent} ${versionIn(name)}`, says, ...figures, verdict].join(' | ')} |`);
  } catch (error) {
    isGood = false;
    console.log(`| ${agent} ${versionIn(name)} | ${says} | | | | | it did not run |`);
    console.error(`${agent}: ${error.stack}`);
  } finally {
    provider.close();
  }
}

function versionIn(name) {
  return name.slice(name.lastIndexOf('@') + 1);
}

function outputOf([name, ...words], options) {
  const child = spawn(join(bin, name), words, options);
  child.stdin.end();
  let [said, errors] = ['', ''];
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (errors += data));
  const timer = setTimeout(() => child.kill(), 300_000);
  return new Promise((resolved, rejected) => {
    child.on('error', rejected);
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolved(said);
      else rejected(new Error(`${name} ended with ${code}: ${(errors + said).slice(-600)}`));
    });
  });
}

/** In all sessions of a home folder. */
function recordedIn(home) {
  const words = [program, 'stats', '@all', '--recorded', '--format', 'json'];
  const env = { ...BARE, HOME: home, CTX_TRIM_CACHE: 'off' };
  const options = { env, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'pipe'] };
  const { totals } = JSON.parse(execFileSync(join(bin, 'node'), words, options));
  const { requests, input, cache_read: cached, cache_write_5m, cache_write_1h, output } = totals;
  return { requests, input: input + cached + cache_write_5m + cache_write_1h, cached, output };
}
