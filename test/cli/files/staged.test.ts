/**
 * Before a commit: `--staged` and the pre-commit hook in real repositories, with worktrees and file names of any bytes.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runLine } from '../../shared/shell.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-staged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BAD = readFileSync('fixtures/transforms/patch/interrupted-pair/input.json');
const GOOD = readFileSync('fixtures/transforms/patch/interrupted-pair/output.json');
const tools = join(folder, 'tools');
mkdirSync(tools);
writeFileSync(join(tools, 'ctx-trim'), `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`);
chmodSync(join(tools, 'ctx-trim'), 0o755);
writeFileSync(join(tools, 'npx'), '#!/bin/sh\nshift 2\nexec ctx-trim "$@"\n', { mode: 0o755 });
const ENV = {
  PATH: tools + delimiter + process.env['PATH'],
  HOME: folder,
  PRE_COMMIT_HOME: join(folder, 'pre-commit'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  LC_ALL: 'C.UTF-8',
};

function shell(command: string, cwd: string) {
  const { status, stdout, stderr } = runLine(command, { cwd, env: ENV });
  return { status, said: stdout + stderr };
}

let repositories = 0;
function repository(): string {
  const home = join(folder, String(repositories++));
  mkdirSync(join(home, 'recordings'), { recursive: true });
  const made = shell('git init -q . && git config user.email a@b.c && git config user.name n', home);
  if (made.status !== 0) throw new Error(made.said);
  return home;
}
/** Names are bytes. */
const put = (home: string, name: string | Buffer, bytes: Buffer | string) =>
  writeFileSync(Buffer.concat([Buffer.from(`${home}/`), Buffer.from(name)]), bytes);

/** How `check` names them: what cannot be seen is spelled out. */
const NAMES: readonly (readonly [name: string | Buffer, shown: string])[] = [
  ['recordings/é.json', 'recordings/é.json'],
  ['recordings/a b.json', 'recordings/a b.json'],
  ['recordings/"q\'.json', 'recordings/"q\'.json'],
  ['recordings/*.json', 'recordings/*.json'],
  ['recordings/-w.json', 'recordings/-w.json'],
  ['recordings/\t\n.json', 'recordings/ ⏎.json'],
  [Buffer.from('recordings/caf\xe9.json', 'latin1'), 'recordings/caf\\xe9.json'],
];
const filesNamed = (said: string) => said.split('\n').filter((line) => /^(\.\.\/)?recordings\//.test(line));

describe('--staged', () => {
  it('reads the index, not the work tree', () => {
    const home = repository();
    put(home, 'recordings/a.json', BAD);
    shell('git add .', home);
    put(home, 'recordings/a.json', GOOD);
    expect(shell('ctx-trim check --staged', home).status).toBe(1);
    shell('git add .', home);
    put(home, 'recordings/a.json', BAD);
    put(home, 'recordings/untracked.json', BAD);
    expect(shell('ctx-trim check --staged', home)).toMatchObject({ status: 0 });
    rmSync(join(home, 'recordings/a.json'));
    expect(shell('ctx-trim check --staged', home)).toMatchObject({ status: 0 });
    expect(shell('git commit -qm a && ctx-trim check --staged --quiet', home)).toEqual({ status: 0, said: '' });
  });

  it('reads names of any bytes, as seen from where it runs', () => {
    const home = repository();
    for (const [name] of NAMES) put(home, name, BAD);
    shell('git add .', home);
    const shown = NAMES.map(([, name]) => name).sort();
    expect(filesNamed(shell('ctx-trim check --staged', home).said).sort()).toEqual(shown);
    mkdirSync(join(home, 'sub'));
    const inside = shell('ctx-trim check --staged', join(home, 'sub'));
    expect(filesNamed(inside.said).sort()).toEqual(shown.map((name) => `../${name}`).sort());
    expect(filesNamed(shell('ctx-trim check .', home).said).sort()).toEqual(shown);
    expect(filesNamed(shell('ctx-trim check recordings/*', home).said).sort()).toEqual(shown); // the shell's words
    const sarif = JSON.parse(shell('ctx-trim check --staged --format sarif', home).said) as {
      runs: [{ results: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }[] }];
    };
    for (const { locations } of sarif.runs[0].results)
      expect(new URL(locations[0].physicalLocation.artifactLocation.uri, 'file:///x/').pathname).toMatch(
        /^\/x\/recordings\//,
      );
  });

  it('leaves what is not a transcript, links, submodules and what is left out', () => {
    const home = repository();
    const config = { check: { ignore: ['old/'] } };
    put(home, 'ctx-trim.config.json', JSON.stringify(config));
    chmodSync(join(home, 'ctx-trim.config.json'), 0o644);
    put(home, 'package.json', '{"name":"x"}');
    put(home, 'recordings/notes.txt', BAD);
    mkdirSync(join(home, 'old'));
    put(home, 'old/a.json', BAD);
    shell('ln -s ../old/a.json recordings/link.json; git add .', home);
    expect(shell('ctx-trim check --staged', home)).toMatchObject({ status: 0 });
    put(home, 'recordings/a.json', BAD);
    shell('git add .', home);
    expect(shell('ctx-trim check --staged', home)).toMatchObject({ status: 1 });
    expect(shell('ctx-trim check --staged --exclude recordings', home)).toMatchObject({ status: 0 });
    expect(shell('ctx-trim check --staged recordings', home)).toMatchObject({ status: 1 });
    expect(shell("ctx-trim check --staged 'recordings/**/*.json'", home)).toMatchObject({ status: 1 });
    expect(shell('ctx-trim check --staged package.json', home)).toMatchObject({ status: 0 });
    expect(shell('ctx-trim audit --staged --policy query-history', home)).toMatchObject({ status: 0 });
  });

  it('in a worktree, and with the index of `git commit -a`', () => {
    const home = repository();
    put(home, 'recordings/a.json', GOOD);
    shell('git add . && git commit -qm a && git worktree add -q ../tree-of-it', home);
    const tree = join(folder, 'tree-of-it');
    const hook = join(home, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\nexec ctx-trim check --staged --quiet recordings\n');
    chmodSync(hook, 0o755);
    put(tree, 'recordings/a.json', BAD);
    expect(shell('git commit -qm b', tree).said).toContain('no changes added to commit');
    const stopped = shell('git commit -qam b', tree);
    expect([stopped.status, filesNamed(stopped.said)]).toEqual([1, ['recordings/a.json']]);
    expect(shell('cd recordings && git commit -qm b a.json', tree).status).toBe(1);
    expect(shell('git commit -q --allow-empty -m b', home).status).toBe(0);
    put(tree, 'recordings/a.json', `${GOOD}\n`);
    expect(shell('git commit -qam b', tree)).toEqual({ status: 0, said: '' });
  });

  it('outside of a repository, and beside --fix, is refused', () => {
    const none = mkdtempSync(join(folder, 'none-'));
    expect(shell(`GIT_CEILING_DIRECTORIES='${folder}' ctx-trim check --staged`, none)).toMatchObject({
      status: 2,
      said: expect.stringMatching(/^ctx-trim: --staged: git rev-parse: .*not a git repository/),
    });
    expect(shell('ctx-trim check --staged --fix', none)).toMatchObject({ status: 2 });
  });

  it('runs no program that the repository names', () => {
    const home = repository();
    put(home, 'recordings/a.json', GOOD);
    put(home, 'evil', '#!/bin/sh\ntouch RAN\n');
    chmodSync(join(home, 'evil'), 0o755);
    put(home, '.gitattributes', '*.json diff=evil filter=evil\n');
    shell('git add .', home);
    for (const key of [
      'core.fsmonitor',
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.smudge',
    ])
      shell(`git config ${key} ./evil`, home);
    expect(shell('ctx-trim check --staged', home)).toMatchObject({ status: 0 });
    expect(existsSync(join(home, 'RAN'))).toBe(false);
  });
});

describe('.pre-commit-hooks.yaml', () => {
  const [check, secrets, redact, ...others] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as Record<
    string,
    unknown
  >[];
  const isInstalled = spawnSync('pre-commit', ['--version']).error === undefined;

  it('has hooks of the shape that pre-commit takes', () => {
    expect(others).toEqual([]);
    expect(secrets).toMatchObject({
      id: 'ctx-trim-secrets',
      language: 'system',
      entry: expect.stringMatching(/^npx --yes ctx-trim@\S+ check --secrets /),
    });
    expect(check).toMatchObject({
      id: 'ctx-trim-check',
      language: 'system',
      entry: expect.stringMatching(/^npx --yes ctx-trim@\S+ check /),
    });
    expect(redact).toMatchObject({
      id: 'ctx-trim-redact',
      language: 'system',
      entry: expect.stringMatching(/^npx --yes ctx-trim@\S+ redact --write$/),
    });
    expect(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).bin as object)).toContain('ctx-trim');
    if (isInstalled)
      expect(shell(`pre-commit validate-manifest '${resolve('.pre-commit-hooks.yaml')}'`, folder)).toMatchObject({
        status: 0,
      });
  });

  /** A commit as pre-commit guards it: by itself, or as it calls the entry where it is not installed. */
  function guard(home: string, hook = check): void {
    const path = shell('git rev-parse --git-path hooks/pre-commit', home).said.trim();
    if (isInstalled) {
      const local = { repos: [{ repo: 'local', hooks: [hook] }] };
      put(home, '.pre-commit-config.yaml', JSON.stringify(local));
      const installed = shell('git add .pre-commit-config.yaml && pre-commit install', home);
      if (installed.status !== 0) throw new Error(installed.said);
      return;
    }
    const [program, ...words] = String(hook!['entry']).split(' ');
    const script = `const { execFileSync, spawnSync } = require('child_process');
const flags = ['--staged', '--name-only', '--no-ext-diff', '-z', '--diff-filter=ACMRTUXB'];
const staged = execFileSync('git', ['diff', ...flags]);
const names = staged.toString().split('\\0').filter((name) => new RegExp(${JSON.stringify(hook!['files'])}).test(name));
const words = ${JSON.stringify(words)}.concat(names);
if (names.length > 0) process.exitCode = spawnSync('${program}', words, { stdio: 'inherit' }).status;`;
    writeFileSync(`${home}.cjs`, script);
    writeFileSync(resolve(home, path), `#!/bin/sh\nexec '${process.execPath}' '${home}.cjs'\n`);
    chmodSync(resolve(home, path), 0o755);
  }

  it('stops a commit of what is wrong, by any name, and minds nothing else', () => {
    const home = repository();
    guard(home);
    put(home, 'package.json', '{"name":"x"}');
    put(home, 'recordings/a.json', GOOD);
    const passed = shell('git add . && git commit -qm good', home);
    expect(passed.status, passed.said).toBe(0);
    const spelled = NAMES.filter(([name]) => typeof name === 'string');
    for (const [name] of spelled) put(home, name, BAD);
    const stopped = shell('git add . && git commit -qm bad', home);
    expect([stopped.status, filesNamed(stopped.said).sort()], stopped.said).toEqual([
      1,
      spelled.map(([, shown]) => shown).sort(),
    ]);
    for (const [name] of spelled) put(home, name, GOOD);
    const mended = shell('git add . && git commit -qm mended', home);
    expect(mended.status, mended.said).toBe(0);
  });

  it('stops a commit of a secret, and minds nothing else', () => {
    const home = repository();
    guard(home, secrets);
    put(home, 'recordings/a.json', BAD);
    const passed = shell('git add . && git commit -qm bad', home);
    expect(passed.status, passed.said).toBe(0);
    const key = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
    put(home, 'recordings/b.json', JSON.stringify([{ role: 'user', content: `my token is ${key}` }]));
    const stopped = shell('git add . && git commit -qm secret', home);
    expect([stopped.status, filesNamed(stopped.said)], stopped.said).toEqual([1, ['recordings/b.json']]);
  });

  it('in a worktree, by the config of the repository', () => {
    const home = repository();
    guard(home);
    put(home, 'ctx-trim.config.json', JSON.stringify({ check: { ignore: ['/recordings/old.json'] } }));
    chmodSync(join(home, 'ctx-trim.config.json'), 0o644);
    const made = shell('git add . && git commit -qm a && git worktree add -q ../second-tree', home);
    expect(made.status, made.said).toBe(0);
    const tree = join(folder, 'second-tree');
    mkdirSync(join(tree, 'recordings'), { recursive: true });
    put(tree, 'recordings/old.json', BAD);
    const passed = shell('git add . && git commit -qm old', tree);
    expect(passed.status, passed.said).toBe(0);
    put(tree, 'recordings/é.json', BAD);
    const stopped = shell('git add . && git commit -qm bad', tree);
    expect([stopped.status, stopped.said.includes('recordings/é.json')], stopped.said).toEqual([1, true]);
  });
});
