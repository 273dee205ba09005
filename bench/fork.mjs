/**
 * What the agents themselves send of forks: `node bench/fork.mjs [folder] [agent ...]`. Each session is resumed by its
 * own agent,
 * against a provider on this machine that keeps the requests; so are forks of it: whole, and up to a message. The
 * request of a whole fork must be that of the original; that of a shorter one must begin like it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AGENTS, BARE, install, PROMPT, readText, resumed } from './agents/programs.mjs';
import { startProvider } from './agents/provider.mjs';
import { saidIn } from './agents/requests.mjs';

const [folder = join(tmpdir(), 'ctx-trim-agents'), ...only] = process.argv.slice(2);
const SHARED = '../shared/transcripts';
const SOURCES = [
  ['claude-code', `${SHARED}/claude-code/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl`, '.claude/projects'],
  ['claude-code', `${SHARED}/claude-code/ef958aa1-0e93-49f0-bb71-150f63befcd1.jsonl`, '.claude/projects'],
  ['codex', `${SHARED}/codex-rollout/vibecodingtracker_codex.jsonl`, '.codex/sessions'],
  ['pi', `${SHARED}/pi-session/before-compaction.jsonl`, '.pi/agent/sessions'],
];
/** What agents say of themselves in each request. */
const OWN = /^(?:No response requested\.|Continue from where you left off\.|<system-reminder>|<environment_context>)/;
const program = resolve('bin/ctx-trim.js');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

install(folder);
const bin = join(folder, 'node_modules/.bin');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-fork-')));
const work = join(base, 'work');
mkdirSync(work);
const provider = await startProvider();
let isGood = true;
console.log('| session | own request: texts, calls, results | whole fork | shorter fork |');
console.log('| --- | --- | --- | --- |');
for (const [agent, file, store] of SOURCES) {
  if (only.length > 0 && !only.includes(agent)) continue;
  const home = mkdtempSync(join(base, `${agent}-`));
  const id = AGENTS[agent].idIn(readText(file));
  AGENTS[agent].place(home, work, resolve(file), id, bin, sha256);
  const placed = join(
    home,
    store,
    readdirSync(join(home, store), { recursive: true }).find((name) => name.endsWith('.jsonl')),
  );
  const until = middleOf(placed, home);
  const forks = [[], ['--until', `#${until}`]].map((words) => forked(placed, words, home));
  const request = async (session) => listed(saidIn(await resumed(agent, session, { home, work, bin, provider })));
  const own = await request(id);
  const [whole, half] = [await request(forks[0]), await request(forks[1])];
  const verdicts = [JSON.stringify(whole) === JSON.stringify(own), isBeginning(half, own)];
  isGood &&= verdicts.every(Boolean);
  const [same, begins] = verdicts.map((good) => (good ? 'the same' : 'not the same'));
  const name = `${agent} ${file.split('/').at(-1).slice(0, 8)}`;
  console.log(`| ${name} | ${countsOf(own)} | ${same} | until #${until}: ${countsOf(half)}, ${begins} |`);
}
provider.close();
process.exit(isGood ? 0 : 1);

function listed({ texts, calls, results }) {
  return { texts: texts.filter((text) => !text.includes(PROMPT) && !OWN.test(text)), calls, results };
}

function countsOf({ texts, calls, results }) {
  return [texts, calls, results].map(({ length }) => length).join(', ');
}

function isBeginning(some, all) {
  const begins = (key) => some[key].every((text, at) => text === all[key][at]) && some[key].length <= all[key].length;
  return countsOf(some) !== countsOf(all) && ['texts', 'calls', 'results'].every(begins);
}

function run(home, ...words) {
  const env = { ...BARE, HOME: home, CTX_TRIM_CACHE: 'off' };
  return execFileSync(process.execPath, [program, ...words], {
    cwd: work,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e9,
  });
}

function forked(file, words, home) {
  return JSON.parse(run(home, 'fork', file, ...words, '--force', '--format', 'json')).id;
}

/** A message in the middle, behind which no result is missing. */
function middleOf(file, home) {
  const [{ messages }] = JSON.parse(run(home, 'show', file, '--format', 'json')).transcripts;
  const isOpen = ({ parts }) => parts.some(({ type }) => type === 'call');
  const ends = messages.filter((one, at) => !isOpen(one) && messages[at + 1]?.role !== 'tool');
  return ends[ends.length >> 1].index;
}
