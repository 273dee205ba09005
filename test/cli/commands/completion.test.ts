/** Completion, as the shells themselves do it. A shell that is not installed here is skipped, and says so. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../../../src/cli/commands/registry.js';
import { kebab } from '../../../src/options/parse.js';
import { runProgram } from '../../shared/program.js';

let folder = '';
let env: Record<string, string | undefined> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-completion-'));
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const program = join(tools, 'ctx-trim');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const sessions = join(folder, '.claude/projects/-home-me-app');
  mkdirSync(sessions, { recursive: true });
  cpSync('fixtures/formats/claude-code/short.jsonl', join(sessions, 'abcdef12-0000-4000-8000-000000000000.jsonl'));
  env = { PATH: tools + delimiter + process.env['PATH'], HOME: folder, TERM: 'dumb' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES: readonly (readonly [line: string, completed: readonly string[]])[] = [
  ['ctx-trim sim', ['simulate']],
  ['ctx-trim st', ['stale', 'stats', 'strip', 'strip-noise']],
  ['ctx-trim stats --form', ['--format']],
  ['ctx-trim stats --format js', ['json']],
  ['ctx-trim stats --format=j', ['--format=json']],
  ['ctx-trim show @', ['@all', '@claude-code', '@last']],
  ['ctx-trim show @claude-code:', ['@claude-code:all', '@claude-code:last']],
  ['ctx-trim show @ab', ['@abcdef12-0000-4000-8000-000000000000']],
  ['ctx-trim nonsense --x', []],
];

it.each(LINES)('%s', (line, completed) => {
  const { stdout, stderr, status } = runProgram(['complete', line], { env });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').filter(Boolean).sort()).toEqual(completed);
});

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What a shell answers, one candidate a line, sorted. */
function answered(shell: string, script: string): string[] {
  const { stdout, stderr, status } = spawnSync(shell, ['-c', script], { env, encoding: 'utf8', cwd: folder });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter(Boolean).sort();
}

for (const shell of ['bash', 'zsh', 'fish']) if (!has(shell)) it.skip(`NO ${shell} HERE: its completion is not tested`);

describe.skipIf(!has('bash'))('bash', () => {
  it.each(LINES)('%s', (line, completed) => {
    const found = answered(
      'bash',
      `source <(ctx-trim completion bash)
       COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
       _ctx_trim; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
    const typed = /[^\s]*[=:]|/.exec(line.split(' ').at(-1)!)![0]; // bash keeps it, and replaces what follows
    expect(found.map((word) => typed + word)).toEqual(completed);
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  it.each(LINES.filter(([, completed]) => completed.length > 0))('%s', (line, completed) => {
    const found = answered(
      'zsh',
      `compdef() {}; compadd() { local list=$argv[-1]; print -l -- "\${(@P)list}" }
       source <(ctx-trim completion zsh)
       words=("\${(@s: :):-${line}}"); CURRENT=\${#words}; _ctx_trim`,
    );
    expect(found).toEqual(completed);
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  it.each(LINES.filter(([, completed]) => completed.length > 0))('%s', (line, completed) => {
    const found = answered('fish', `ctx-trim completion fish | source; complete -C '${line}'`);
    expect(found.map((answer) => answer.split('\t')[0])).toEqual(completed);
  });
});

it('asks for a shell', () => {
  expect(runProgram(['completion', 'tcsh'])).toMatchObject({
    status: 2,
    stderr: 'ctx-trim: name a shell: ctx-trim completion bash|zsh|fish (or man)\n',
  });
});

describe('the manual page', async () => {
  const commands = await loadCommands();
  const { stdout: page } = runProgram(['completion', 'man']);

  it('has every command, and every option', () => {
    const plain = page.replaceAll('\\-', '-');
    for (const { id, options } of commands) {
      expect(plain).toContain(`.SS ctx-trim ${id} [options]`);
      const section = plain.split(`.SS ctx-trim ${id} [options]`)[1]!.split(/^\.S[SH]/m)[0]!;
      for (const key of Object.keys(options))
        expect([id, section]).toEqual([id, expect.stringContaining(`--${kebab(key)}`)]);
    }
  });

  it('is in the package, for `man ctx-trim`', () => {
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')); // npm 11.19 links only a list
    expect(man.map((path: string) => readFileSync(path, 'utf8'))).toEqual([page]);
  });

  it.skipIf(spawnSync('mandoc', ['-h']).error !== undefined)('has no fault that mandoc finds', () => {
    const { stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning'], { input: page, encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });
});
