/** `stats --recorded` says the same with and without what earlier runs kept. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-trim-recorded-'));
  cpSync('fixtures/formats', join(root, 'logs'), { recursive: true });
  writeFileSync(join(root, 'logs', 'cut.jsonl'), `${readFileSync(LOG, 'utf8').trimEnd()}\n{"type":"assis`);
  execFileSync('sleep', ['2.1']); // what was just written is not kept
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOG = 'fixtures/formats/claude-code/hand-sidechains.jsonl';

function stats(...words: readonly string[]) {
  const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(root, 'cache') };
  return runProgram(['stats', '--recorded', ...words, join(root, 'logs')], { env });
}

it.each([
  ['--by', 'day'],
  ['--by', 'session', '--top', '3'],
  ['--by', 'model', '--format', 'csv', '--since', '2025-11-01'],
  ['--by', 'file', '--model', 'gpt-4o', '--verbose'],
])('%s %s', (...words) => {
  const fresh = stats(...words, '--no-cache');
  expect(fresh.stdout).not.toBe('');
  expect(stats(...words)).toEqual(fresh);
  expect(stats(...words)).toEqual(fresh);
});

it.each(['America/New_York', 'Asia/Kathmandu', 'UTC'])('groups by the days of this machine in %s', (zone) => {
  const command = ['bin/ctx-trim.js', 'stats', '--recorded', '--by', 'day', '--no-cache', join(root, 'logs')];
  const run = (env: NodeJS.ProcessEnv, ...words: readonly string[]) =>
    spawnSync(process.execPath, [...command, ...words], { env, encoding: 'utf8' }).stdout;
  const local = run({ TZ: zone });
  expect(local).toContain('2026');
  expect(local).toBe(run({ TZ: zone }, '--timezone', zone)); // times without a zone are local ones
});

it('keeps what it read, but nothing of a file with a warning', () => {
  const kept = readFileSync(join(root, 'cache', 'ctx-trim', 'recorded.jsonl'), 'utf8');
  expect(kept).toContain('hand-sidechains.jsonl');
  expect(kept).not.toContain('cut.jsonl');
});
