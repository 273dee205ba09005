// `npm run ccusage` asks ccusage what Claude Code and Codex logs used, file by file and day by day, and what each agent
// of a made-up home cost, and what a home of the shared recordings used by day and session, and writes its answers to
// fixtures/vectors/ccusage-20.json. Tests compare ours with them: test/measure/stats/ccusage.test.ts and
// test/cli/sessions/stores.test.ts.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CCUSAGE, installCcusage } from './peers.mjs';

const VECTORS = 'fixtures/vectors/ccusage-20.json';

/** How ccusage finds the logs of an agent, and the command that reads them. */
const AGENTS = [
  { folder: 'claude-code', command: 'claude', home: 'CLAUDE_CONFIG_DIR', logs: 'projects/session' },
  { folder: 'codex-rollout', command: 'codex', home: 'CODEX_HOME', logs: 'sessions' },
];
/** A home with the stores of many agents, and the commands of ccusage that read them. */
const HOME = '../shared/cases/stores';
const IN_HOME = {
  amp: 'amp',
  copilot: 'copilot',
  droid: 'droid',
  'gemini-cli': 'gemini',
  goose: 'goose',
  kimi: 'kimi',
  openclaw: 'openclaw',
  opencode: 'opencode',
  'qwen-code': 'qwen',
};
/** Where recordings of agents would lie, as test/shared/ccusage-home.ts puts them. */
const PUT = JSON.parse(readFileSync('fixtures/vectors/ccusage-home.json', 'utf8'));
const ROOTS = ['fixtures/formats', '../shared/transcripts'];

const work = mkdtempSync(join(tmpdir(), 'ctx-trim-ccusage-'));
try {
  const peer = installCcusage(work);
  const files = {};
  for (const agent of AGENTS)
    for (const root of ROOTS.filter((path) => existsSync(join(path, agent.folder))))
      for (const name of readdirSync(join(root, agent.folder)).sort())
        if (name.endsWith('.jsonl'))
          files[`${agent.folder}/${name}`] = daysOf(peer, agent, join(root, agent.folder, name));
  const source = `${CCUSAGE} (MIT, https://github.com/ryoppippi/ccusage), \`daily --json --offline --timezone UTC\``;
  const stores = existsSync(HOME) ? costsIn(peer, HOME) : readVectors().stores;
  const recorded = existsSync(ROOTS[1]) ? reportsIn(peer, homeOfRecordings(ROOTS[1])) : readVectors().recorded;
  writeFileSync(VECTORS, `${JSON.stringify({ source, files, stores, recorded }, undefined, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** What each agent of the home cost in US dollars. ccusage writes beside databases, so it gets a copy. */
function costsIn(peer, home) {
  const copy = join(work, 'stores');
  cpSync(home, copy, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: copy, TZ: 'UTC' };
  const costs = Object.entries(IN_HOME).map(([agent, command]) => {
    const words = [command, 'daily', '--json', '--offline', '--timezone', 'UTC'];
    const { totals } = JSON.parse(execFileSync(peer, words, { encoding: 'utf8', env }));
    return [agent, Number(totals.totalCost.toFixed(9))];
  });
  return Object.fromEntries(costs);
}

function readVectors() {
  return JSON.parse(readFileSync(VECTORS, 'utf8'));
}

function homeOfRecordings(root) {
  const home = join(work, 'recordings');
  for (const { recordings, folder, before } of Object.values(PUT))
    for (const name of readdirSync(join(root, recordings))) {
      const to = join(home, folder, (name.startsWith(before.split('-')[0]) ? '' : before) + name);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(root, recordings, name), to);
    }
  return home;
}

/** What each agent used, by day and by session. */
function reportsIn(peer, home) {
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC' };
  const rowsOf = (command, by) => {
    const words = [command, by, '--json', '--offline', '--timezone', 'UTC'];
    const report = JSON.parse(execFileSync(peer, words, { encoding: 'utf8', env }));
    const rows = report.daily ?? report.sessions;
    return Object.fromEntries(rows.map((row) => [row.date ?? row.sessionFile ?? row.sessionId, usedBy(row)]));
  };
  return Object.fromEntries(
    Object.entries(PUT).map(([agent, { command }]) => [
      agent,
      { day: rowsOf(command, 'daily'), session: rowsOf(command, 'session') },
    ]),
  );
}

/** By day: tokens and cost in US dollars of one log, as ccusage counts them. */
function daysOf(peer, { command, home, logs }, file) {
  const root = join(work, 'home');
  rmSync(root, { recursive: true, force: true });
  const copy = join(root, logs, 'session.jsonl');
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(file, copy);
  const words = [command, 'daily', '--json', '--offline', '--timezone', 'UTC'];
  const text = execFileSync(peer, words, { encoding: 'utf8', env: { ...process.env, [home]: root, TZ: 'UTC' } });
  const days = JSON.parse(text).daily ?? [];
  return Object.fromEntries(days.map((day) => [day.date, usedBy(day)]));
}

function usedBy(row) {
  return {
    input: row.inputTokens,
    cache_read: row.cacheReadTokens,
    cache_write: row.cacheCreationTokens,
    output: row.outputTokens,
    cost_usd: Number((row.totalCost ?? row.costUSD).toFixed(9)),
  };
}
