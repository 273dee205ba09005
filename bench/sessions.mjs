// `npm run bench:sessions`: `ctx-trim sessions` over 5,000 made-up Claude Code sessions, known (cached) and
// unknown, over bare Node, pair by pair. CTX_TRIM_BENCH_RUNS: how many pairs of known ones (9).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { medianOf, ratio, secondsOf } from './measure.mjs';

const SESSIONS = 5000;
const RUNS = Number(process.env.CTX_TRIM_BENCH_RUNS ?? 9);
const home = mkdtempSync(join(tmpdir(), 'ctx-trim-sessions-'));

try {
  for (let index = 0; index < SESSIONS; index++) writeSession(index);
  const bare = join(home, 'bare.cjs');
  writeFileSync(bare, '');
  // nothing else of the environment, so that no real session is read
  const places = [`HOME=${home}`, `XDG_CACHE_HOME=${join(home, 'cache')}`];
  const command = ['env', '-i', ...places, process.execPath];
  const sessions = [...command, 'bin/ctx-trim.js', 'sessions', '--format', 'json', '--top', String(SESSIONS)];
  const node = [...command, bare];
  const [program, ...words] = sessions;
  const { sessions: listed } = JSON.parse(execFileSync(program, words, { maxBuffer: 1e8 }));
  const read = listed.filter(({ messages }) => messages === 10).length;
  if (read !== SESSIONS) throw new Error(`${read} of ${SESSIONS} sessions were read with their 10 messages`);
  const unknown = ratio([...sessions, '--no-cache'], node, 3);
  const known = ratio(sessions, node, RUNS);
  print('unknown', unknown);
  print('known', known);
  process.stdout.write(`bare Node: ${(medianOf(RUNS, () => secondsOf(node)).median * 1000).toFixed(0)} ms\n`);
} finally {
  rmSync(home, { recursive: true });
}

function writeSession(index) {
  const folder = join(home, '.claude', 'projects', `-home-u-project-${index % 50}`);
  mkdirSync(folder, { recursive: true });
  const sessionId = `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const lines = Array.from({ length: 10 }, (_, turn) => line(sessionId, turn));
  writeFileSync(join(folder, `${sessionId}.jsonl`), lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

function line(sessionId, turn) {
  const uuid = `${sessionId}-${turn}`;
  const timestamp = new Date(Date.UTC(2026, 10, 1, 0, turn)).toISOString();
  const shared = { sessionId, uuid, parentUuid: turn ? `${sessionId}-${turn - 1}` : null, timestamp, cwd: '/home/u' };
  if (turn % 2 === 0) return { ...shared, type: 'user', message: { role: 'user', content: 'Fix the test.' } };
  const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 900, cache_creation_input_tokens: 50 };
  const content = [{ type: 'text', text: 'Done.' }];
  const message = { id: `msg_${uuid}`, role: 'assistant', model: 'claude-sonnet-4-5', content, usage };
  return { ...shared, type: 'assistant', requestId: `req_${uuid}`, message };
}

function print(name, { median, low, high }) {
  process.stdout.write(`${name}: ${median.toFixed(1)} times bare Node (${low.toFixed(1)} to ${high.toFixed(1)})\n`);
}
