/** Folders that cannot be read: they are named, and the rest is read. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const BIN = resolve('bin/ctx-trim.js');
const isRoot = process.getuid?.() === 0;
const onLinux = describe.skipIf(process.platform !== 'linux');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-unread-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'logs/shut'), { recursive: true });
  for (const name of ['logs/a.json', 'logs/shut/b.json', 'c.json'])
    writeFileSync(join(folder, name), '[{"role":"user","content":"a"}]\n');
});
afterEach(() => {
  chmodSync(join(folder, 'logs/shut'), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

function run(line: string, env: Record<string, string> = {}) {
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const words = [BIN, ...line.split(' ')];
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env }, ...user } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
  return { status, stdout, stderr };
}

onLinux('a folder that may not be read', () => {
  beforeEach(() => chmodSync(join(folder, 'logs/shut'), 0));

  it.each(['check logs', 'check logs/shut c.json', 'patch --check logs', 'formats logs', 'stats logs'])(
    '%s',
    (line) => {
      const { status, stdout, stderr } = run(line);
      expect(stderr).toContain('ctx-trim: logs/shut: cannot read it: permission to read it is denied\n');
      expect(stderr).not.toContain('internal error');
      expect(status).toBe(2);
      if (!line.startsWith('patch')) expect(stdout).not.toBe('');
    },
  );

  it('does not matter as the home folder', () => {
    expect(run('check c.json', { HOME: join(folder, 'logs/shut/ann') })).toMatchObject({ status: 0, stderr: '' });
  });
});

onLinux('a name that is not UTF-8', () => {
  const named = (path: string, name: string) => Buffer.from(`${join(folder, path)}/${name}`, 'latin1');

  it('of a folder is told, and the rest is read', () => {
    mkdirSync(named('logs', 'd\xff'));
    const { status, stdout, stderr } = run('check logs');
    expect(stderr).toBe('ctx-trim: logs/d\\xff: cannot read it: its name is not UTF-8; rename it first\n');
    expect(stdout).toContain('No findings in the readable files: 2 files');
    expect(status).toBe(2);
  });

  it('of sessions and of their folders is told', () => {
    const projects = '.claude/projects/shop';
    mkdirSync(join(folder, projects), { recursive: true });
    mkdirSync(named('.claude/projects', 'd\xff'));
    writeFileSync(named(projects, 's\xff.jsonl'), '{}\n');
    const { stderr } = run('sessions', { HOME: folder });
    for (const name of ['d\ufffd', 'shop/s\ufffd.jsonl'])
      expect(stderr).toContain(`.claude/projects/${name} is left out: its name is not UTF-8\n`);
  });
});
