/**
 * The workflow, hook, config, policy and command lines of the documents, run as far as a machine without GitHub can.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runLine } from '../shared/shell.js';
import { commands } from './regions.js';

const readme = readFileSync('README.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools = join(folder, 'tools');
mkdirSync(tools);
const toProgram = 'until expr "$1" : ctx-trim > /dev/null; do shift; done; shift';
writeFileSync(
  join(tools, 'npx'),
  `#!/bin/sh\n${toProgram}\nexec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`,
);
chmodSync(join(tools, 'npx'), 0o755);
writeFileSync(join(tools, 'ctx-trim'), '#!/bin/sh\nexec npx ctx-trim "$@"\n');
chmodSync(join(tools, 'ctx-trim'), 0o755);

const BAD = 'fixtures/transforms/patch/interrupted-pair/input.json';
const GOOD = 'fixtures/transforms/patch/interrupted-pair/output.json';

function project(recording: string): string {
  const home = mkdtempSync(join(folder, 'project-'));
  mkdirSync(join(home, 'recordings'));
  cpSync(recording, join(home, 'recordings/run.json'));
  return home;
}

const ENV = { PATH: tools + delimiter + process.env['PATH'], HOME: folder };

function shell(command: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { ...ENV, ...env },
  });
}

describe('the workflow', () => {
  const workflow = parse(/```yaml\n(name: transcripts[\s\S]*?)```/.exec(readme)![1]!) as {
    on: unknown;
    jobs: { check: { 'runs-on': string; steps: { uses?: string; run?: string; with?: Record<string, unknown> }[] } };
  };
  const { steps } = workflow.jobs.check;
  const commands = steps.flatMap(({ run }) => run ?? []);

  it('has steps that are either an action with its version or a command', () => {
    for (const { uses, run } of steps) expect((run === undefined) !== (uses === undefined)).toBe(true);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
    expect(commands).toHaveLength(1);
  });

  it.each([
    ['fails', BAD, 1],
    ['passes', GOOD, 0],
  ])('%s with an annotation for each finding, and a SARIF file for the step behind', (_, recording, code) => {
    const home = project(recording);
    const { status, stdout } = shell(commands[0]!, home, { GITHUB_ACTIONS: 'true' });
    expect(status).toBe(code);
    expect(/^::error file=recordings\/run\.json,line=22,/m.test(stdout)).toBe(code === 1);
    const uploaded = steps.find(({ with: inputs }) => inputs?.['sarif_file'] !== undefined)!.with![
      'sarif_file'
    ] as string;
    const sarif = JSON.parse(readFileSync(join(home, uploaded), 'utf8')) as { runs: { results: unknown[] }[] };
    expect(sarif.runs[0]!.results).toHaveLength(code);
  });
});

describe('docs/ci.md', () => {
  const page = readFileSync('docs/ci.md', 'utf8');
  const [github, gitlab, preCommit] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => parse(text!));
  const jenkins = /sh '(.*)'/.exec(page)![1]!;

  it('names inputs and outputs of the action, and what it may do', () => {
    const { inputs, outputs } = parse(readFileSync('action.yml', 'utf8')) as Record<string, object>;
    const { permissions, steps } = github.jobs.check;
    const step = steps.find(({ id }: { id?: string }) => id === 'transcripts');
    expect(Object.keys(inputs!)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    expect(permissions).toEqual({ contents: 'read', 'security-events': 'write' });
    for (const [, output] of page.matchAll(/outputs\.([\w-]+)/g)) expect(Object.keys(outputs!)).toContain(output);
  });

  it.each([
    ['fails', BAD, 1],
    ['passes', GOOD, 0],
  ])('%s on GitLab and Jenkins, with a report', (_, recording, code) => {
    const home = project(recording);
    const { script, artifacts } = gitlab.transcripts;
    expect(shell(script[0], home).status).toBe(code);
    expect(JSON.parse(readFileSync(join(home, artifacts.reports.codequality), 'utf8'))).toHaveLength(code);
    expect(shell(jenkins, home).status).toBe(code);
    const junit = readFileSync(join(home, /junit=(\S+)/.exec(jenkins)![1]!), 'utf8');
    expect(junit.split('<failure').length - 1).toBe(code);
  });

  it.each([
    ['fail', BAD, [1, 0, 0]],
    ['pass', GOOD, [0, 0, 0]],
  ])('has hooks of this version, which %s', (_, recording, codes) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [repo] = preCommit.repos;
    const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as { id: string; entry: string }[];
    expect(repo.rev).toBe(`v${version}`);
    expect(repo.hooks.map(({ id }: { id: string }) => id)).toEqual(hooks.map(({ id }) => id));
    const home = project(recording);
    for (const { entry } of hooks) expect(entry).toContain(`npx --yes ctx-trim@${version} `);
    expect(hooks.map(({ entry }) => shell(`${entry} recordings/run.json`, home).status)).toEqual(codes);
  });
});

describe('the hook', () => {
  const [, command] = /`(npx ctx-trim check --staged[^`]*)`/.exec(readme)!;
  const hook = `#!/bin/sh\nexec ${command}\n`;

  it.each([
    ['stops', 'recordings/run.json', BAD, false],
    ['lets pass', 'recordings/run.json', GOOD, true],
    ['stops', 'recordings/é.json', BAD, false],
    ['does not mind other files:', 'elsewhere.json', BAD, true],
  ])('%s %s (%s)', (_, path, recording, passes) => {
    const home = project(recording);
    cpSync(recording, join(home, path));
    expect(shell('git init -q . && git config user.email a@b.c && git config user.name n', home).status).toBe(0);
    writeFileSync(join(home, '.git/hooks/pre-commit'), hook);
    chmodSync(join(home, '.git/hooks/pre-commit'), 0o755);
    const { status, stdout, stderr } = shell(`git add ${path} && git commit -q -m recording`, home);
    expect(status === 0, stdout + stderr).toBe(passes);
    expect(existsSync(join(home, '.git/refs/heads'))).toBe(true);
  });
});

describe('the config', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const text = /```yaml\n(defaults:[\s\S]*?)```/.exec(page)![1]!;

  it('is one that check goes by', () => {
    const home = project(BAD);
    writeFileSync(join(home, 'ctx-trim.config.yaml'), text);
    chmodSync(join(home, 'ctx-trim.config.yaml'), 0o644);
    const { status, stderr } = shell('npx ctx-trim check --disable "*" recordings', home);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('shows all that `check` may say', () => {
    const { check } = parse(text) as { check: Record<string, unknown> };
    const schema = JSON.parse(readFileSync('src/schema/config.schema.json', 'utf8')) as {
      properties: { check: { properties: object } };
    };
    expect(Object.keys(check).sort()).toEqual(Object.keys(schema.properties.check.properties).sort());
  });
});

it('the policy of docs/policies.md decides as its examples say, and has no faults', () => {
  const page = readFileSync('docs/policies.md', 'utf8');
  const home = project(GOOD);
  writeFileSync(join(home, 'policy.yaml'), /```yaml\n(version: 1[\s\S]*?)```/.exec(page)![1]!);
  const test = shell('npx ctx-trim policy test policy.yaml', home);
  expect([test.status, test.stderr]).toEqual([0, '']);
  const lint = shell('npx ctx-trim policy lint policy.yaml', home);
  expect([lint.status, lint.stderr]).toEqual([0, '']);
});

describe('command lines in shell blocks', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md')];
  const blocks = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => {
      const lines = block
        .split('\n')
        .filter((line) => /^ctx-trim \w/.test(line) && !/[[\]{}<]|part-|out\/\*|@ses_/.test(line));
      return lines.length === 0 || isPrinted(block) ? [] : [{ page, lines }];
    }),
  );

  it.each(blocks)('$page: $lines', ({ lines }) => {
    const home = project(GOOD);
    for (const name of ['session.jsonl', 'run.json', 'run.jsonl', 'benchmark.jsonl']) cpSync(GOOD, join(home, name));
    cpSync(GOOD, join(home, 'sessions/run.json'));
    const row = (repo: string) => JSON.stringify({ messages: [{ role: 'user', content: repo }], meta: { repo } });
    writeFileSync(join(home, 'dataset.jsonl'), `${row('a/b')}\n${row('c/d')}\n`);
    for (const place of ['ferry', 'node_modules/ctx-trim-ferry'])
      cpSync('examples/plugin', join(home, place), { recursive: true });
    symlinkSync(resolve('.'), join(home, 'node_modules/ctx-trim'), 'junction');
    for (const line of lines) {
      const { status, stderr } = runLine(line.replace(/ +#.*/, ''), { cwd: home, env: ENV });
      expect(status, line + stderr).toBe(0);
    }
  });
});

/** Examples of help texts are run by test/cli/commands/help-examples.test.ts. */
function isPrinted(block: string): boolean {
  return commands.some(({ examples }) => examples.some(([line]) => block.includes(line)));
}
