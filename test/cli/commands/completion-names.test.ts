/** Completion of hostile names of sessions, with the Tab key of real shells: nothing runs, and the word is the name. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL } from '../../shared/effort.js';
import { runProgram } from '../../shared/program.js';

/** Each with a beginning of its own, which is what is typed. */
const EVERY = [
  'd01;touch PWNED',
  'd02$(touch PWNED)',
  'd03`touch PWNED`',
  "d04' ;touch PWNED; '",
  'd05" $(touch PWNED) "',
  'd06 and * ? [a-z] {b,c}',
  'd07&touch PWNED&',
  'd08|touch PWNED',
  'd09>PWNED',
  'd10<(touch PWNED)',
  'd11\\;touch PWNED',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell would expand it
  'd12!!;!x #y $HOME ${IFS}',
  'd13:a=b@c%d^e~',
  'd14äöü日本;touch PWNED',
  '-d15;touch PWNED',
  '~d16;touch PWNED',
  'd17*[!a]?**;touch PWNED',
];
const HOSTILE = EVERY.filter((_, index) => ALL || index % 2 === 0);
const UNTYPABLE = ['e01\n;touch PWNED', 'e02\t;touch PWNED', 'e03\r;touch PWNED', 'e04\u001b[31m', 'e05\u2028'];

let folder = '';
let sessions = '';
let env: Record<string, string | undefined> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-names-'));
  const tools = join(folder, 'tools');
  sessions = join(folder, '.claude/projects/-home-me-app');
  for (const made of [tools, sessions]) mkdirSync(made, { recursive: true });
  for (const name of [...HOSTILE, ...UNTYPABLE]) writeFileSync(join(sessions, `${name}.jsonl`), '{}\n');
  const program = join(tools, 'ctx-trim');
  writeFileSync(
    program,
    `#!/bin/sh
case "$1" in
  complet*) exec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@" ;;
  *) printf '%s\\n' "$@" >>"$HOME/words" ;;
esac
`,
  );
  chmodSync(program, 0o755);
  env = { PATH: tools + delimiter + process.env['PATH'], HOME: folder, TERM: 'xterm', LC_ALL: 'C.UTF-8' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('offers no name that a line cannot hold', () => {
  expect(runProgram(['complete', 'ctx-trim formats @e'], { env }).stdout).toBe('');
});

const SHELLS = [
  { shell: 'bash', start: 'bash --norc --noprofile -i', ready: 'source <(ctx-trim completion bash)' },
  {
    shell: 'zsh',
    start: 'zsh -f -i',
    ready: 'autoload -U compinit; compinit -D -u; source <(ctx-trim completion zsh); unsetopt zle_bracketed_paste',
  },
  { shell: 'fish', start: 'fish --no-config -i', ready: 'ctx-trim completion fish | source' },
];
const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const hasPty = has('script');

it('has bash, and `script` for a terminal, where tests run on Linux', () => {
  if (process.platform === 'linux') expect([has('bash'), hasPty]).toEqual([true, true]);
});

for (const { shell, start, ready } of SHELLS) {
  if (!hasPty || !has(shell)) it.skip(`NO ${hasPty ? shell : 'program script'} HERE: names in ${shell} are not tested`);
  describe.skipIf(!hasPty || !has(shell))(shell, () => {
    it('types each of them', async () => {
      rmSync(join(folder, 'words'), { force: true });
      const lines = HOSTILE.map((name) => `ctx-trim formats @${name.slice(0, name.indexOf('d') + 3)}\t`);
      await type(start, [ready, ...lines]);
      expect(existsSync(join(folder, 'PWNED'))).toBe(false);
      const words = readFileSync(join(folder, 'words'), 'utf8').split('formats\n').slice(1);
      expect(words).toEqual(HOSTILE.map((name) => `@${name}\n`));
    });
  });
}

/** Types lines into a shell in a terminal of its own, each once the one before has run. */
async function type(start: string, lines: readonly string[]): Promise<void> {
  const marked = lines.flatMap((line, index) => [line, `echo "do"ne-${index}`]);
  const terminal = spawn('script', ['-qfec', start, '/dev/null'], { cwd: folder, env: env as NodeJS.ProcessEnv });
  let shown = '';
  let hear = () => {};
  terminal.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    hear();
  });
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      hear = () => shown.includes(text) && resolve();
      hear();
    });
  const ended = new Promise<void>((resolve) => terminal.on('close', () => resolve()));
  terminal.stdin.write('echo "be"gun\r');
  await Promise.race([until('begun'), ended]);
  for (const [index, line] of marked.entries()) {
    terminal.stdin.write(`${line}\r`);
    if (index % 2 === 1) await Promise.race([until(`done-${(index - 1) / 2}`), ended]);
  }
  terminal.stdin.end('exit\r');
  await ended;
}
