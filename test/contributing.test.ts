/** CONTRIBUTING.md, followed to the letter in a copy of the sources: what it adds compiles, is listed, and works. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL } from './shared/effort.js';
import { runProgram } from './shared/program.js';

/** What the build and the program need beside what CONTRIBUTING.md adds. */
const COPIED = ['src', 'build', 'bin', 'package.json', 'tsconfig.json', 'biome.json', 'CONTRIBUTING.md', 'test/shared'];

const guide = readFileSync('CONTRIBUTING.md', 'utf8');
const project = mkdtempSync(join(tmpdir(), 'ctx-trim-contributing-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** A code block that follows a path in backticks. */
interface Block {
  readonly path: string;
  readonly language: string;
  readonly code: string;
}

/** Blocks in `sh` are commands for people. */
const blocks: readonly Block[] = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap((match) => {
  const [, language, code] = match as unknown as [string, string, string];
  const paths = [...guide.slice(0, match.index).matchAll(/`((?:src|fixtures|test)\/[\w./-]+\.\w+)`/g)];
  return language === 'sh' ? [] : [{ path: paths.at(-1)![1]!, language, code }];
});
const added = blocks.filter(({ language }) => language !== 'diff').map(({ path }) => path);

beforeAll(() => {
  for (const name of COPIED) cpSync(name, join(project, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');
  for (const { path, language, code } of blocks) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, language === 'diff' ? patched(readFileSync(file, 'utf8'), code, path) : code);
  }
  for (const [kind, id] of NEW) scaffolded.push(scaffold(kind, id));
  const script = "import { bundleProgram } from './build/bundle.mjs'; await bundleProgram('dist/cli');";
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  cpSync('dist/tables', join(project, 'dist/tables'), { recursive: true });
});

/** Under other names than in the guide, so that both are there. */
const NEW = [
  ['format', 'zeta-run'],
  ['rule', 'chat/zeta-name'],
  ['transform', 'veil'],
  ['reporter', 'tally'],
] as const;
const scaffolded: string[] = [];

function scaffold(kind: string, id: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['build/new.mjs', kind, id], {
    cwd: project,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

/** The text after the hunks of a diff, which `@@` separates. Each hunk must fit in exactly one place. */
function patched(text: string, diff: string, path: string): string {
  return diff.split(/^@@\n/m).reduce((now, hunk) => {
    const lines = hunk.split('\n').slice(0, -1);
    const side = (sign: string) =>
      lines.flatMap((line) => (line[0] === ' ' || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join('');
    expect(now.split(side('-')).length, `${path} has this once:\n${side('-')}`).toBe(2);
    return now.replace(side('-'), () => side('+'));
  }, text);
}

const program = (...words: readonly string[]) => programWith({}, words);

function programWith(env: Readonly<Record<string, string>>, words: readonly string[]) {
  const { status, stdout, stderr } = runProgram(words, {
    root: project,
    cwd: project,
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '200', GITHUB_ACTIONS: '', ...env },
  });
  return { code: status, out: stdout + stderr };
}

it('adds a file or a folder, and one registry entry, for each kind; two have one of the tests, too', () => {
  const registries = blocks.filter(({ language }) => language === 'diff').map(({ path }) => path);
  expect(registries).toEqual([
    'src/transforms/index.ts',
    'src/rules/index.ts',
    ...['src/formats/index.ts', 'test/shared/limits.ts', 'src/formats/agents.ts', 'test/shared/home.ts'],
    'src/reports/findings/index.ts',
    'src/cli/commands/registry.ts',
  ]);
  for (const path of added) expect(existsSync(path), path).toBe(false);
  expect(new Set(added.map((path) => path.split('/').slice(0, 2).join('/')))).toEqual(
    new Set([
      ...['src/transforms', 'fixtures/transforms', 'src/rules', 'src/formats', 'fixtures/formats', 'test/formats'],
      ...['src/reports', 'test/reports', 'src/cli'],
    ]),
  );
});

/** It takes as long as a thousand other tests, and the build tells of names that are not there. */
it.runIf(ALL)('compiles', () => {
  const tsc = [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'];
  expect(spawnSync(process.execPath, tsc, { cwd: project, encoding: 'utf8' }).stdout).toBe('');
});

it('passes the linter', () => {
  const files = blocks.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  const biome = [resolve('node_modules/@biomejs/biome/bin/biome'), 'check', ...files];
  expect(spawnSync(process.execPath, biome, { cwd: project, encoding: 'utf8' }).stderr).toBe('');
});

it('adds a transform with its help, its options and its case', () => {
  const folder = join(project, 'fixtures/transforms/mask/digits');
  const { char } = JSON.parse(readFileSync(join(folder, 'options.json'), 'utf8')) as { readonly char: string };
  expect(program('mask', '--char', char, join(folder, 'input.json')).out).toContain(
    readFileSync(join(folder, 'output.json'), 'utf8'),
  );
  expect(program('run', `mask:char=${char}`, join(folder, 'input.json')).out).toContain('Card xxxx');
  expect(program('--help').out).toContain('mask the digits of tool results');
  expect(program('mask', '--help').out).toContain('ctx-trim mask --char x run.json');
});

it('adds a rule that finds its bad example, and whose fix makes its repaired one', () => {
  expect(program('rules').out).toContain('chat/name-with-space');
  const file = join(project, 'named.json');
  writeFileSync(file, '{"messages": [{"role": "user", "name": "Ann Lee", "content": "hi"}]}');
  const check = (...words: string[]) => program('check', '--provider', 'openai-chat', ...words, file);
  expect(check()).toEqual({ code: 1, out: expect.stringContaining('`name` has a space') });
  check('--fix=lossy');
  expect(readFileSync(file, 'utf8')).toBe('{"messages": [{"role": "user", "name": "Ann_Lee", "content": "hi"}]}');
  expect(check().code).toBe(0);
});

it('adds a format that is listed, detected and read', () => {
  expect(program('formats').out).toContain('Acme chat logs');
  const file = 'fixtures/formats/acme-log/hand-short.json';
  expect(program('formats', file).out).toContain('acme-log');
  expect(program('stats', '--by', 'tool', file).out).toContain('clock');
  const { out } = program('filter', '--max-tool-calls', '0', '--quiet', file);
  expect(out).toContain('"sent_at": "2026-01-09T12:00:03Z"');
  expect(out).not.toContain('clock');
});

it('adds an agent whose sessions are listed and named', () => {
  const home = { ACME_HOME: join(project, 'acme') };
  cpSync(join(project, 'fixtures/formats/acme-log'), join(project, 'acme/logs/app'), { recursive: true });
  expect(programWith(home, ['sessions', 'acme']).out).toMatch(/^@hand-s +What is the time\? +acme +app /m);
  expect(programWith(home, ['stats', '--by', 'agent', '@acme:last']).out).toMatch(/^acme +2 /m);
});

it('adds a reporter that check and audit offer', () => {
  expect(program('check', '--help').out.replace(/\s+/g, ' ')).toContain('tally or counts, to stdout or a file');
  expect(program('audit', '--help').out.replace(/\s+/g, ' ')).toContain('tally or counts, to stdout or a file');
  const file = join(project, 'open.json');
  const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } };
  const messages = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'user', content: 'hi' },
  ];
  writeFileSync(file, JSON.stringify({ messages }));
  const { code, out } = program('check', '--reporter', 'counts', '--provider', 'openai-chat', file);
  expect({ code, out }).toEqual({ code: 1, out: '1 chat/tool-call-unanswered\n' });
});

it('adds a command', () => {
  expect(program('--help').out).toContain('how many messages each role has');
  expect(program('roles', 'fixtures/formats/acme-log/hand-short.json')).toEqual({
    code: 0,
    out: '1 user\n2 assistant\n1 tool\n',
  });
});

describe('npm run new', () => {
  it('says what it wrote, what to run and what is left', () => {
    for (const said of scaffolded)
      expect(said).toMatch(/^(?:[\w./-]+\n)+\nNow: npx vitest run test\/.*\nThen: .*\.\n$/);
    expect(scaffolded[0]).toMatch(
      /zeta\/zeta-run\.ts\nfixtures\/formats\/zeta-run\/hand-short\.json\ntest\/formats\/zeta-run\.test\.ts/,
    );
  });

  it.each<[kind: string, words: readonly string[], said: string]>([
    ['format', ['formats', 'fixtures/formats/zeta-run/hand-short.json', '--from', 'zeta-run'], 'zeta-run'],
    ['rule', ['rules', 'chat/zeta-name'], 'a space in the name of a participant'],
    [
      'transform',
      ['veil', '--char', 'y', 'fixtures/transforms/veil/digits/input.json'],
      'Card yyyy was charged yy USD',
    ],
    ['reporter', ['check', '--reporter', 'tally', 'fixtures/transforms/veil/digits/input.json'], ''],
  ])('adds a %s that works', (_, words, said) => {
    expect(program(...words)).toEqual({ code: 0, out: expect.stringContaining(said) });
  });

  it.each([
    ['format', 'Zeta', '`Zeta` is no id of a format; see "Add a format" in CONTRIBUTING.md'],
    ['format', 'zeta-run', 'src/formats/zeta/zeta-run.ts exists already'],
    ['thing', 'zeta', 'a kind is needed, and an id: format, rule, transform, reporter'],
  ])('refuses %s %s', (kind, id, said) => {
    expect(scaffold(kind, id)).toBe(`npm run new: ${said}\n`);
  });
});
