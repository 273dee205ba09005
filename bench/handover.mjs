/**
 * Sessions that other agents go on with, by what these agents do: `node bench/handover.mjs [folder] [agent ...]`.
 * The agents are installed from npm below the folder (by default in the system's temporary one). Each session is
 * resumed by its own agent, then handed over to each other one and resumed there, against a provider on this machine
 * that keeps the requests. The second request must hold all texts and results of the first, as many calls and results
 * as were written, and nothing that `check` objects to.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AGENTS, BARE, install, readText, resumed } from './agents/programs.mjs';
import { startProvider } from './agents/provider.mjs';
import { missingIn, saidIn } from './agents/requests.mjs';

const [folder = join(tmpdir(), 'ctx-trim-agents'), ...only] = process.argv.slice(2);
const SHARED = '../shared/transcripts';
const SOURCES = [
  ['claude-code', `${SHARED}/claude-code/29ccd257-68b1-427f-ae5f-6524b7cb6f20.jsonl`],
  ['claude-code', `${SHARED}/claude-code/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl`],
  ['codex', `${SHARED}/codex-rollout/vibecodingtracker_codex.jsonl`],
  ['codex', `${SHARED}/codex-rollout/rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl`],
  ['pi', 'fixtures/formats/pi-session/coding-agent.jsonl'],
  ['pi', `${SHARED}/pi-session/before-compaction.jsonl`],
  ['opencode', `${SHARED}/opencode/opencode_export_test_data.json`],
  ['gemini-cli', `${SHARED}/gemini-cli-session/vibecodingtracker_gemini_39k.json`],
  ['gemini-cli', 'fixtures/formats/gemini-cli-session/hand-log.jsonl'],
];
/** What an agent does in each request of its own, whatever the session. */
const HABITS = { codex: ['responses/item-id-charset'] };
const program = resolve('bin/ctx-trim.js');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

install(folder);
const bin = join(folder, 'node_modules/.bin');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-handover-')));
const work = join(base, 'work');
mkdirSync(work);
const provider = await startProvider();
const rows = [];
for (const [agent, file] of SOURCES) {
  const own = await ownRequest(agent, file);
  for (const target of Object.keys(AGENTS))
    if (only.length === 0 || only.includes(target)) {
      rows.push(await judged(agent, file, own, target));
      print(rows.slice(-1)); // it takes long
    }
}
provider.close();
process.exit(rows.every(({ verdict }) => verdict === 'whole') ? 0 : 1);

/** What its own agent sends of a session; what it adds is not in the file. */
async function ownRequest(agent, file) {
  const home = mkdtempSync(join(base, `${agent}-`));
  const text = readText(file);
  const id = AGENTS[agent].idIn(text);
  try {
    AGENTS[agent].place(home, work, resolve(file), id, bin, sha256);
    const said = saidIn(await resumed(agent, id, { home, work, bin, provider }));
    const strings = stringsIn(text);
    const isRecorded = (each) => strings.includes(each.trim().replace(/\s+/g, ''));
    return { ...said, texts: said.texts.filter(isRecorded), results: said.results.filter(isRecorded) };
  } catch (error) {
    return { failed: String(error.message).split('\n')[0].slice(0, 120) };
  }
}

function stringsIn(text) {
  const strings = [];
  const visit = (value) => {
    if (typeof value === 'string') strings.push(value);
    else if (value !== null && typeof value === 'object')
      // pi sends thoughts as texts
      for (const [key, member] of Object.entries(value)) if (key !== 'thinking') visit(member);
  };
  for (const record of records(text)) visit(record);
  return strings.join('\n').replace(/\s+/g, '');
}

function records(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
  }
}

async function judged(agent, file, own, target) {
  const home = mkdtempSync(join(base, `${target}-`));
  const row = { agent, file: file.split('/').at(-1).slice(0, 24), target };
  try {
    const made = handedOver(file, target, home);
    if (AGENTS[target] && target === 'opencode') AGENTS.opencode.place(home, work, made.file, made.id, bin);
    const body = await resumed(target, made.id, { home, work, bin, provider });
    const said = saidIn(body);
    const missing = own.failed ? [] : missingIn(own, said);
    const problems = checked(body).filter(
      (problem) => !(HABITS[target] ?? []).some((rule) => problem.startsWith(rule)),
    );
    const isWhole =
      missing.length + problems.length === 0 &&
      said.calls.length === made.calls &&
      said.results.length === made.results;
    return {
      ...row,
      own: own.failed ?? `${own.texts.length} texts, ${own.calls.length} calls, ${own.results.length} results`,
      calls: `${said.calls.length}/${made.calls}`,
      results: `${said.results.length}/${made.results}`,
      missing,
      problems,
      verdict: isWhole ? 'whole' : 'not whole',
    };
  } catch (error) {
    return { ...row, verdict: `failed: ${String(error.message).slice(0, 300)}` };
  }
}

function handedOver(file, target, home) {
  const args = [program, 'handover', resolve(file), '--to', target, '--project', work, '--format', 'json', '--force'];
  const env = { ...BARE, HOME: home, CTX_TRIM_CACHE: 'off' };
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    if (error.status === 1) return JSON.parse(error.stdout); // something was lost, and is listed
    throw new Error(String(error.stderr));
  }
}

/** What `check` objects to in a request. */
function checked(body) {
  const file = join(base, 'request.json');
  writeFileSync(file, JSON.stringify(body));
  try {
    execFileSync(process.execPath, [program, 'check', '--format', 'json', file], { env: BARE, stdio: 'pipe' });
    return [];
  } catch (error) {
    if (error.status !== 1) return [String(error.stderr).slice(0, 200)];
    const { findings } = JSON.parse(error.stdout);
    return findings.filter(({ severity }) => severity === 'error').map(({ rule, message }) => `${rule}: ${message}`);
  }
}

function print(list) {
  for (const { agent, file, target, own, calls, results, missing = [], problems = [], verdict } of list) {
    const cells = [`${agent} ${file}`, own ?? '', target, calls ?? '', results ?? '', missing.length, verdict];
    console.log(`| ${cells.join(' | ')} |`);
    for (const text of missing.slice(0, 3)) console.log(`    missing: ${JSON.stringify(text.slice(0, 160))}`);
    for (const text of problems.slice(0, 3)) console.log(`    check: ${text}`);
  }
}
