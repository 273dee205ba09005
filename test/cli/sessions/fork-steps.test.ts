/** `fork` counts as `show` does, and says what its steps could not do. */
import { cpSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-fork-'));
const FILES = [
  'codex-rollout/hand-interrupted.jsonl',
  'codex-rollout/hand-compaction.jsonl',
  'pi-session/hand-v3.jsonl',
  'claude-code/hand-links.jsonl',
];
const nameOf = (file: string) => file.replace('/', '-');

beforeAll(() => {
  for (const file of FILES) {
    cpSync(join('fixtures/formats', file), join(home, nameOf(file)));
    utimesSync(join(home, nameOf(file)), 1_700_000_000, 1_700_000_000);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function ctxTrim(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: home, env: { HOME: home } });
  return { code: await runIn(terminal, words), out: out(), err: err() };
}

it.each(FILES)('as many messages as show, of %s', async (file) => {
  const shown = await ctxTrim('show', nameOf(file));
  const { of, messages } = JSON.parse((await ctxTrim('fork', nameOf(file), '--dry-run', '--format', 'json')).out);
  expect(`${of} messages`).toBe(/^\d+ messages/m.exec(shown.out)![0]);
  expect(messages).toBe(of);
});

it('a step that falls short is named with the session, and the exit code is 1', async () => {
  const steps = ['--steps', 'fit:max-tokens=10', '--dry-run'];
  const { code, err, out } = await ctxTrim('fork', 'claude-code-hand-links.jsonl', ...steps, '--format', 'json');
  expect(code).toBe(1);
  expect(err).toMatch(/^ctx-trim: warning: claude-code-hand-links\.jsonl:1: fit: the least that can stay has \d+/);
  expect(JSON.parse(out).shortfalls).toEqual([expect.stringMatching(/^fit: the least that can stay has \d+ tokens/)]);
  expect(await ctxTrim('fork', 'claude-code-hand-links.jsonl', '--steps', 'stale', '--dry-run')).toMatchObject({
    code: 0,
  });
});
