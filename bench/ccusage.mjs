// `npm run ccusage` asks ccusage what Claude Code and Codex logs used, file by file and day by day, and writes its
// answers to fixtures/vectors/ccusage-20.json. test/measure/stats/ccusage.test.ts compares `stats` with them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CCUSAGE, installCcusage } from './peers.mjs';

const VECTORS = 'fixtures/vectors/ccusage-20.json';

/** How ccusage finds the logs of an agent, and the command that reads them. */
const AGENTS = [
  { folder: 'claude-code', command: 'claude', home: 'CLAUDE_CONFIG_DIR', logs: 'projects/session' },
  { folder: 'codex-rollout', command: 'codex', home: 'CODEX_HOME', logs: 'sessions' },
];
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
  writeFileSync(VECTORS, `${JSON.stringify({ source, files }, undefined, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
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
