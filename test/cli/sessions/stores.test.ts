/** A made-up home with the stores of many agents costs what ccusage says, or what we say why. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';
import { COSTS, STORES } from '../../shared/stores.js';

const readsDatabases = ((): boolean => {
  try {
    return createRequire(import.meta.url)('node:sqlite') !== undefined;
  } catch {
    return false;
  }
})();

it('names each difference from ccusage', () => {
  for (const [agent, { ours, ccusage, why }] of COSTS)
    if (why === undefined) expect(ours, agent).toBeCloseTo(ccusage!, 9);
    else expect(ours, agent).not.toBe(ccusage);
});

it.skipIf(!existsSync(STORES))('costs that', () => {
  const env = { HOME: resolve(STORES), CTX_TRIM_CACHE: 'off', TZ: 'UTC' };
  const { stdout } = runProgram(['stats', '@all', '--by', 'agent', '--format', 'csv'], { env });
  const [head = [], ...rows] = stdout.split('\n').map((line) => line.split(','));
  const costs = new Map(rows.map((row) => [row[head.indexOf('agent')], Number(row[head.indexOf('cost_usd')])]));
  for (const [agent, { ours }] of COSTS) {
    if (!readsDatabases && ['goose', 'opencode'].includes(agent)) continue;
    expect(costs.get(agent), agent).toBeCloseTo(ours, 8);
  }
});

it.skipIf(!existsSync(STORES))('costs the same in the budgets of check, with usage that stands beside sessions', () => {
  const env = { HOME: resolve(STORES), CTX_TRIM_CACHE: 'off', TZ: 'UTC' };
  const { stdout } = runProgram(['stats', '@all', '--by', 'month', '--format', 'csv'], { env });
  const [head = [], ...rows] = stdout.split('\n').map((line) => line.split(','));
  const total = rows.reduce((sum, row) => sum + Number(row[head.indexOf('cost_usd')] ?? 0), 0);
  const words = ['check', '@all', '--max-total-cost', '0.0001', '--rule', 'budget/cost', '--format', 'json'];
  const { findings } = JSON.parse(runProgram(words, { env }).stdout) as { findings: { message: string }[] };
  expect(findings.map(({ message }) => message).join()).toContain(`$${total.toFixed(4)}`);
});

it.skipIf(!existsSync(STORES))('keeps sessions of two agents apart that have one id', () => {
  const env = { HOME: resolve(STORES), CTX_TRIM_CACHE: 'off', TZ: 'UTC' };
  const { stdout } = runProgram(['stats', '@all', '--by', 'session', '--format', 'csv'], { env });
  expect(stdout.split('\n').filter((line) => line.startsWith('1763600000000,'))).toHaveLength(3);
});

it('names what it cannot read in the JSON', () => {
  const home = mkdtempSync(join(tmpdir(), 'ctx-trim-stores-'));
  const [sessions, store] = [join(home, '.claude/projects/-p'), join(home, '.local/share/opencode')];
  for (const folder of [sessions, store]) mkdirSync(folder, { recursive: true });
  copyFileSync('fixtures/formats/claude-code/hand-branch.jsonl', join(sessions, 'a.jsonl'));
  writeFileSync(join(store, 'opencode.db'), 'no database');
  const env = { HOME: home, XDG_DATA_HOME: '', CTX_TRIM_CACHE: 'off' };
  const stats = (...words: string[]) => runProgram(['stats', '--recorded', '--format', 'json', ...words], { env });
  const { stdout, stderr, status } = stats('@all');
  const left = { agent: 'opencode', path: join(store, 'opencode.db'), sessions: null, why: expect.any(String) };
  expect((JSON.parse(stdout) as { left_out: unknown }).left_out).toEqual([left]);
  expect(stderr).toContain(`${left.path} is left out`);
  expect(status).toBe(0);
  expect(JSON.parse(stats('@claude-code').stdout)).not.toHaveProperty('left_out');
  rmSync(home, { recursive: true });
});
