/** Each command that says what is wrong with a session says what `check` says. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { runProgram } from '../../shared/program.js';
import { memoryTerminal } from '../../shared/terminal.js';

interface Found {
  readonly rule: string;
  readonly line: number;
  readonly message: string;
}

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-agree-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const SESSION = resolve('fixtures/resume/parent-missing.jsonl');
const PAIR = resolve('fixtures/transforms/patch/interrupted-pair/input.json');
const LONG = join(home, 'long.json');
writeFileSync(
  LONG,
  JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content: 'two words '.repeat(9000) }] }),
);

function json<T>(cwd: string, ...words: string[]): T {
  return JSON.parse(runProgram([...words, '--format', 'json'], { cwd, env: { HOME: home } }).stdout) as T;
}

const checked = (file: string, cwd = home) => json<{ findings: Found[] }>(cwd, 'check', file).findings;
const reported = (file: string, cwd = home) =>
  json<{ sessions: { findings: Found[] }[] }>(cwd, 'report', file).sessions.flatMap(({ findings }) => findings);
const shown = (file: string, cwd = home) =>
  json<{ transcripts: { findings: Found[]; messages: { findings: Found[] }[] }[] }>(
    cwd,
    'show',
    '--findings',
    file,
  ).transcripts.flatMap(({ findings, messages }) => [...findings, ...messages.flatMap((message) => message.findings)]);
const TWICE = join(home, 'twice.json');
writeFileSync(TWICE, '{"messages":[{"role":"user","content":"a"}],"messages":[{"role":"user","content":"b"}]}');

const namesOf = (findings: readonly Found[]) => findings.map(({ rule, line }) => `${rule} ${line}`).sort();

it.each([
  ['keeps a session from loading', SESSION, 'resume/parent-missing 6'],
  ['its provider would refuse', PAIR, 'chat/tool-call-unanswered 22'],
  ['is too long for its model', LONG, 'core/context-overflow 1'],
  ['no message holds', TWICE, 'core/unread 1'],
])('report and show find what %s', (_, file, name) => {
  for (const found of [checked, reported, shown]) expect(namesOf(found(file))).toEqual([name]);
});

it('show prints what no message has, unless only some messages are asked for', () => {
  const file = SESSION;
  const print = (...words: string[]) => runProgram(['show', '--findings', ...words], { env: { HOME: home } }).stdout;
  expect(print(file)).toContain('7 of 12 messages would load (resume/parent-missing, 6:1)\n');
  for (const words of [[`${file}#1`], [file, '--role', 'user'], [file, '--grep', 'page']])
    expect(print(...words)).not.toContain('resume/');
});

it('overview does not call a file whole of which it read a part', () => {
  const problemsIn = (file: string) => {
    const { stdout } = runProgram(['overview', file], { env: { HOME: home } });
    return /^ {2}problems.*(?:\n {12}.*)*/m.exec(stdout)![0];
  };
  expect(problemsIn(TWICE)).toBe('  problems  1 warning; 0 fixable\n            1 × core/unread');
  const broken = join(home, 'broken.jsonl');
  writeFileSync(broken, `${'{"messages":[{"role":"user","content":"a"}]}\n'.repeat(2)}some words\n`);
  expect(problemsIn(broken)).toBe('  problems  lines that are not JSON');
});

it.each([
  ['a completion', { completion: 'Paris is the capital of France.' }],
  ['an instruction', { instruction: 'Name the capital of France.', output: 'Paris.' }],
])('%s among rows of messages is no message', (_, row) => {
  const chat = { messages: [{ role: 'user', content: 'Hi.' }] };
  const file = join(home, 'rows.jsonl');
  writeFileSync(file, [chat, chat, chat, row, chat].map((one) => `${JSON.stringify(one)}\n`).join(''));
  expect(namesOf(checked(file))).toEqual(['core/unread 4']);
});

it('show says that there is no finding', () => {
  const file = 'fixtures/formats/openai-chat/apollo-airline.json';
  const { stderr } = runProgram(['show', '--findings', file], { env: { HOME: home } });
  expect(stderr).toBe('ctx-trim: check finds nothing in it\n');
});

it('not what the config hides', () => {
  const project = join(home, 'project');
  mkdirSync(project);
  copyFileSync(SESSION, join(project, 'a.jsonl'));
  const suppress = [{ rule: 'resume/parent-missing', reason: 'known' }];
  writeFileSync(join(project, 'ctx-trim.config.json'), JSON.stringify({ check: { suppress } }));
  for (const found of [checked, reported, shown]) expect(found('a.jsonl', project)).toEqual([]);
});

it('the first page says it of the newest session', async () => {
  const folder = join(home, '.claude/projects/-w-app');
  mkdirSync(folder, { recursive: true });
  copyFileSync(SESSION, join(folder, '5e55a0aa-1111-4222-8333-444455556666.jsonl'));
  const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), TZ: 'UTC' };
  const { terminal, out } = memoryTerminal({ cwd: home, env, now: Date.parse('2026-11-21T12:00:00Z') });
  expect(await runIn(terminal, ['stats'])).toBe(0);
  expect(out()).toContain(
    'The newest session has 1 error that keeps it from loading; see the repair:\n  ctx-trim check --fix --diff @5e55',
  );
});

it('a report names what could not be read', () => {
  const file = resolve('fixtures/formats/openai-chat/apollo-airline.json');
  const report = (...words: string[]) =>
    runProgram(['report', file, 'none.json', LONG, ...words], { cwd: home, env: { HOME: home } });
  const page = report();
  expect(page.status).toBe(2);
  expect(page.stdout).toContain('<b>none.json: cannot read it: no such file: figures are without it</b>');
  const { unreadable } = JSON.parse(report('--format', 'json').stdout) as { unreadable: unknown };
  expect(unreadable).toEqual([{ file: 'none.json', message: 'cannot read it: no such file' }]);
});
