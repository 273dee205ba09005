// `npm run ccusage` asks ccusage what Claude Code and Codex logs used, file by file and day by day, and what each agent
// of a made-up home cost, and writes its answers to fixtures/vectors/ccusage-20.json. Tests compare ours with them:
// test/measure/stats/ccusage.test.ts and test/cli/sessions/stores.test.ts.
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
  const stores = existsSync(HOME) ? costsIn(peer, HOME) : JSON.parse(readFileSync(VECTORS, 'utf8')).stores;
  writeFileSync(VECTORS, `${JSON.stringify({ source, files, stores }, undefined, 1)}\n`);
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
  return Object.fromEntries(
    days.map((day) => [
      day.date,
      {
        input: day.inputTokens,
        cache_read: day.cacheReadTokens,
        cache_write: day.cacheCreationTokens,
        output: day.outputTokens,
        cost_usd: Number((day.totalCost ?? day.costUSD).toFixed(9)),
      },
    ]),
  );
}
