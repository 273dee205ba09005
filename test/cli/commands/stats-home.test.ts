/** `stats` without files on a terminal: what the agents of this machine cost. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { createDemoHome, NOW as DEMO } from '../../docs/demo-home.js';
import { memoryTerminal } from '../../shared/terminal.js';

const NOW = Date.parse('2026-11-19T12:00:00Z'); // a Thursday
const home = mkdtempSync(join(tmpdir(), 'ctx-trim-stats-home-'));
const folder = join(home, '.claude/projects/-w-app');

/** A reply to 100,000 uncached input tokens: $0.30 with Claude Sonnet 4.5, as of https://claude.com/pricing 2025-10. */
const reply = (day: string, id: string) => ({
  type: 'assistant',
  uuid: id,
  sessionId: 's',
  timestamp: `${day}T10:00:00Z`,
  requestId: id,
  message: {
    id,
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: 100_000, output_tokens: 0 },
  },
});

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC'); // days are those of the local time zone
  mkdirSync(folder, { recursive: true });
  const days = ['2026-11-19', '2026-11-16', '2026-11-15', '2026-11-01', '2026-10-31'];
  for (const [index, day] of days.entries()) {
    const path = join(folder, `${index}.jsonl`);
    writeFileSync(path, `${JSON.stringify(reply(day, `msg_${index}`))}\n`);
    utimesSync(path, new Date(`${day}T10:00:00Z`), new Date(`${day}T10:00:00Z`));
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

async function stats(...words: string[]) {
  const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), TZ: 'UTC' };
  const { terminal, out, err } = memoryTerminal({ cwd: home, env, now: NOW });
  const code = await runIn(terminal, ['stats', ...words]);
  return { code, out: out(), err: err() };
}

it('shows today, this week from Monday on, and this month', async () => {
  const { code, out } = await stats();
  expect(code).toBe(0);
  expect(out).toMatch(/^claude-code +\$0\.30 +100k +\$0\.60 +200k +\$1\.20 +400k$/m);
});

it('names the most expensive sessions of the month, and what is wrong with the newest', async () => {
  const folder = createDemoHome();
  const env = { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), TZ: 'UTC' };
  const { terminal, out } = memoryTerminal({ cwd: folder, env, now: DEMO });
  expect(await runIn(terminal, ['stats'])).toBe(0);
  expect(out()).toMatch(
    /^@8b61d0 +Add pagination to the orders API +\$1\.77\n@3f2a9c +The checkout test .* +\$0\.81\n/m,
  );
  expect(out()).toContain('ctx-trim check --fix=synthetic --diff @3f2a9c\n');
  const after = memoryTerminal({ cwd: folder, env, now: DEMO });
  await runIn(after.terminal, ['check', '--fix=synthetic', '--force', '@3f2a9c']);
  const healthy = memoryTerminal({ cwd: folder, env, now: DEMO });
  await runIn(healthy.terminal, ['stats']);
  expect(healthy.out()).not.toContain('would refuse');
  rmSync(folder, { recursive: true, force: true });
});

it.each([['--by', 'day', '--recorded'], ['--by', 'day', '--since', '2026-11-16'], ['--cache']])(
  'is about all sessions if more is asked for: %s %s %s',
  async (...words) => {
    const { code, out } = await stats(...words);
    expect(code).toBe(0);
    expect(out).not.toContain('this week');
    expect(await stats(...words, '@all')).toEqual({ code, out, err: expect.anything() });
  },
);

it('keeps budgets', async () => {
  expect(await stats('--max-total-cost', '1.49')).toMatchObject({ code: 1, err: expect.stringContaining('$1.49') });
  expect(await stats('--max-total-cost', '1.50')).toMatchObject({ code: 0 });
});

it('says once that the home folder cannot be read', async () => {
  const lost = join(home, 'lost');
  symlinkSync('lost', lost); // a link to itself
  for (const words of [['sessions'], ['stats', '@all']]) {
    const { terminal, err } = memoryTerminal({ cwd: home, env: { HOME: lost }, now: NOW });
    await runIn(terminal, words);
    expect(err().match(/^.*is left out.*$/gm)).toEqual([
      `ctx-trim: warning: ${lost} is left out: it cannot be read (ELOOP)`,
    ]);
    expect(err()).not.toContain('more are left out');
  }
});

it('says which folder of an agent cannot be read', async () => {
  const lost = mkdtempSync(join(tmpdir(), 'ctx-trim-lost-'));
  mkdirSync(join(lost, '.claude'));
  symlinkSync('projects', join(lost, '.claude/projects')); // a link to itself
  mkdirSync(join(lost, '.codex/sessions'), { recursive: true });
  writeFileSync(join(lost, '.codex/sessions/rollout-2026-01-09T09-00-00-x.jsonl'), 'no session\n');
  const ran = async (...words: string[]) => {
    const { terminal, out, err } = memoryTerminal({ cwd: lost, env: { HOME: lost }, now: NOW });
    await runIn(terminal, words);
    return { out: out(), err: err() };
  };
  expect((await ran('sessions')).err).toMatch(/\.claude\/projects is left out: it cannot be read \(ELOOP\)/);
  expect((await ran('sessions')).err).toMatch(/rollout-.*\.jsonl is left out: /);
  const { left_out: left } = JSON.parse((await ran('sessions', '--format', 'json')).out);
  expect(left).toMatchObject([{ agent: 'claude-code' }, { agent: 'codex' }]);
  expect((await ran('stats', '@all')).err).toMatch(/\.claude\/projects is left out/);
  rmSync(lost, { recursive: true });
});
