/** Questions about money: by branch, by title, by named projects, and budgets for each of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-money-'));
let number = 0;

/** A reply to 100,000 uncached input tokens: $0.30 with Claude Sonnet 4.5, as of https://claude.com/pricing 2025-10. */
const reply = (day: string, gitBranch: string, cwd: string, model = 'claude-sonnet-4-5') => ({
  type: 'assistant',
  uuid: `u${++number}`,
  sessionId: cwd,
  timestamp: `${day}T10:00:00Z`,
  requestId: `r${number}`,
  ...{ gitBranch, cwd },
  message: {
    id: `m${number}`,
    role: 'assistant',
    model,
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: 100_000, output_tokens: 0 },
  },
});
const prompt = (text: string, more: object = {}) => ({
  ...{ type: 'user', uuid: `u${++number}`, sessionId: 's', timestamp: '2026-11-16T09:00:00Z' },
  ...{ message: { role: 'user', content: text }, ...more },
});
const write = (name: string, rows: readonly object[]) =>
  writeFileSync(join(cwd, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC');
  mkdirSync(join(cwd, 'logs'));
  write('logs/a.jsonl', [
    prompt('<environment_context>/w/api</environment_context>'),
    prompt('Fix the\n  login test'),
    reply('2026-11-16', 'main', '/w/api'),
    reply('2026-11-17', 'feature/login', '/w/api'),
    reply('2026-11-17', 'feature/login', '/w/api'),
  ]);
  write('logs/b.jsonl', [
    prompt('Rename it'),
    reply('2026-11-24', 'main', '/w/api-client/src'),
    { type: 'custom-title', sessionId: 's', customTitle: 'Renaming' },
  ]);
  write('logs/c.jsonl', [reply('2026-11-24', '', '/w/web', 'a-model-that-nobody-sells')]);
  const budgets = { per: { week: 1, branch: '0.50' } };
  writeFileSync(
    join(cwd, 'ctx-trim.config.json'),
    JSON.stringify({ projects: { backend: ['/w/api', '/w/api-*'] }, budgets }),
  );
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(cwd, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd, env: { HOME: cwd, TZ: 'UTC', CTX_TRIM_CACHE: 'off' } });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

/** What each row cost, in US dollars. */
async function rows(by: string, ...words: string[]): Promise<Record<string, number | null>> {
  const { out } = await run('stats', '--by', by, '--format', 'json', ...words, 'logs/');
  const document = JSON.parse(out) as { rows: ({ cost_usd: number | null } & Record<string, string>)[] };
  return Object.fromEntries(document.rows.map((row) => [row[by] ?? '', row.cost_usd]));
}

describe.each([[[]], [['--recorded']]])('stats --by, %j', (words) => {
  it('is by the branch of each request', async () => {
    expect(await rows('branch', ...words)).toEqual({ main: 0.6, 'feature/login': 0.6, '': null });
  });

  it('is by title, else by the first prompt', async () => {
    expect(await rows('title', ...words)).toEqual({ 'Fix the login test': 0.9, Renaming: 0.3, '': null });
  });

  it('is by project, as the config names it', async () => {
    expect(await rows('project', ...words)).toEqual({ backend: 1.2, '/w/web': null });
  });
});

describe('a budget for each', () => {
  it.each([
    ['day', '0.59', '2026-11-17: $0.60, $0.01 over --max-total-cost $0.59'],
    ['week', '0.89', '2026-11-16: $0.90, $0.01 over'],
    ['month', '1.19', '2026-11: at least $1.20, $0.01 over'],
    ['project', '1.19', 'backend: $1.20, $0.01 over'],
    ['branch', '0.59', 'feature/login: $0.60, $0.01 over'],
  ])('%s of %s dollars', async (per, most, said) => {
    const words = ['--max-total-cost', most, '--per', per];
    const stats = await run('stats', '--recorded', ...words, 'logs/');
    expect(stats.code).toBe(1);
    expect(stats.err).toContain(`ctx-trim: ${said}`);
    const known = ['logs/a.jsonl', 'logs/b.jsonl'];
    const more = ['--max-total-cost', String(Number(most) + 0.01), '--per', per];
    expect(await run('stats', '--recorded', ...more, ...known)).toMatchObject({ code: 0, err: '' });
    const name = said.slice(0, said.indexOf(': '));
    const check = await run('check', ...words, 'logs/');
    expect(check.code).toBe(1);
    expect(check.out).toMatch(new RegExp(`${name}: (?:at least )?\\$[\\d.]+ are \\$0\\.01 over the budget`));
    expect(check.out).toContain('budget/cost');
  });

  it('stands in the config of check', async () => {
    const { out, code } = await run('check', 'logs/a.jsonl', 'logs/b.jsonl');
    expect(code).toBe(1);
    expect(out).toMatch(/feature\/login: \$0\.60 are \$0\.10 over the budget of\s+\$0\.50/);
    expect(out).toContain('main: $0.60 are');
    expect(out).not.toContain('2026-11-16:');
  });

  it.each([
    [['--recorded'], 1],
    [['--by', 'branch'], 1],
    [['--by', 'branch', '--max-total-cost', '0.60', '--per', 'branch'], 0],
  ])('stands in the config of stats, unless a flag is given: %j', async (words, code) => {
    const told = await run('stats', ...words, 'logs/a.jsonl', 'logs/b.jsonl');
    expect(told.code).toBe(code);
    const lines = told.err.split('\n').filter((line) => line.includes(' over '));
    const over = ['main', 'feature/login'].map(
      (name) => `ctx-trim: ${name}: $0.60, $0.10 over budgets.per.branch $0.50`,
    );
    expect(lines).toEqual(code === 0 ? [] : over);
  });

  it('needs an amount', async () => {
    expect(await run('stats', '--per', 'day', 'logs/')).toMatchObject({ code: 2 });
  });
});
