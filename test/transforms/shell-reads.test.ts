/** What a shell really prints judges what `stale` takes a command for. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileCall, normalized } from '../../src/transforms/file-calls.js';
import { shellReadOf } from '../../src/transforms/shell-reads.js';
import { wordsOf } from '../../src/transforms/shell-words.js';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'shell-reads-'));
  mkdirSync(join(home, 'sub/sub'), { recursive: true });
  for (const folder of ['', 'sub', 'sub/sub']) {
    for (const name of ['a.ts', 'b c.ts'])
      writeFileSync(join(home, folder, name), LINES.map((line) => `${folder}/${name} ${line}\n`).join(''));
  }
});
afterAll(() => rmSync(home, { recursive: true }));

/** What each command prints, all in one shell. */
function printed(commands: readonly string[]): readonly string[] {
  const script = commands.map((command) => `(${command})\nprintf '\\001'`).join('\n');
  const { stdout } = spawnSync('sh', ['-s'], { cwd: home, input: script, encoding: 'utf8' });
  return stdout.split('\u0001').slice(0, -1);
}

function readOf(command: string, tool = 'shell', more: object = {}): FileCall | undefined {
  const input = JSON.stringify({ command: ['bash', '-lc', command], ...more });
  return shellReadOf({ type: 'call', callId: '1', tool, input }, home);
}

const range = fc.tuple(fc.integer({ min: 0, max: 35 }), fc.integer({ min: 0, max: 12 }));
const narrower = fc.oneof(
  range.map(([from, more]) => `sed -n '${from},${from + more}p'`),
  range.map(([from]) => `sed -n ${from}p`),
  range.map(([from]) => `sed -n "${from},\\$p"`),
  range.map(([from]) => `sed -n '${from},$p'`),
  range.map(([count]) => `head -n ${count}`),
  range.map(([count]) => `head -${count}`),
  fc.constant('head'),
  range.map(([from]) => `tail -n +${from}`),
  range.map(([count]) => `tail -n ${count}`),
);
const file = fc.constantFrom('a.ts', './a.ts', 'sub/../a.ts', "'b c.ts'", 'b\\ c.ts', '"sub/a.ts"');
const reader = fc.oneof(
  file.map((path) => `cat ${path}`),
  fc.tuple(narrower, file).map((parts) => parts.join(' ')),
);
const command = fc
  .tuple(fc.constantFrom('', 'cd sub && ', 'cd sub; '), reader, fc.array(narrower, { maxLength: 2 }))
  .map(([move, first, rest]) => move + [first, ...rest].join(' | '))
  .chain((text) => fc.constantFrom(text, `${text} 2>/dev/null`));

describe('a command that shows a file', () => {
  it('shows the lines that are expected of it', () => {
    const commands = fc.sample(command, { numRuns: 400, seed: 7 });
    const shown = printed(commands);
    const known = commands.flatMap((text, at) => {
      const read = readOf(text);
      return read === undefined || read.manner !== '' ? [] : [{ text, read, shown: shown[at]! }];
    });
    expect(known.length).toBeGreaterThan(150);
    for (const { text, read, shown } of known) {
      const path = read.paths[0]!.slice(home.length + 1);
      const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(path)!;
      const lines = LINES.slice(read.lines.start - 1, read.lines.end - 1);
      expect([text, shown]).toEqual([text, lines.map((line) => `${folder}/${name} ${line}\n`).join('')]);
    }
  });

  it('has the words that a shell gives it', () => {
    const piece = fc.constantFrom(
      'a',
      "'b c'",
      '"d e"',
      '\\ ',
      '$x',
      '*',
      '~',
      ' ',
      '  ',
      "'",
      '-n',
      '{a,b}',
      '#f',
      '+',
    );
    const texts = fc.sample(fc.array(piece, { minLength: 1, maxLength: 6 }), { numRuns: 500, seed: 3 });
    const known = texts
      .map((parts) => parts.join(''))
      .flatMap((text) => {
        const stages = wordsOf(text);
        return stages?.length === 1 ? [{ text, words: stages[0]!.words }] : [];
      });
    expect(known.length).toBeGreaterThan(50);
    const shown = printed(known.map(({ text }) => `printf '%s\\n' ${text}`));
    expect(known.map(({ words }) => `${words.join('\n')}\n`)).toEqual(shown);
  });
});

it.each([
  'cat a.ts b.ts',
  'cat a.ts > b.ts',
  'cat a.ts || true',
  'cat a.ts; rm a.ts',
  'cat $FILE',
  'cat *.ts',
  'cat a.ts | sort',
  'cat a.ts && cat a.ts',
  'cat a.ts\ncat b.ts',
  'cat `ls`',
  "sed -i 's/a/b/' a.ts",
  "sed 's/a/b/' a.ts",
  'sed -n 5,3p a.ts',
  'head -c 100 a.ts',
  'tail -f a.ts',
  'cat <<EOF\nEOF',
])('does not take `%s` for a read of lines', (text) => {
  expect(readOf(text)?.manner ?? undefined).not.toBe('');
});

it('knows a relative path only where the shell starts in a known folder', () => {
  expect(readOf('cat a.ts', 'Bash')).toBeUndefined();
  expect(readOf('cat a.ts', 'Bash', { cwd: home })?.paths).toEqual([`${home}/a.ts`]);
  expect(readOf('cd /p && cat a.ts', 'Bash')?.paths).toEqual(['/p/a.ts']);
  expect(readOf('cd p && cat a.ts', 'Bash')).toBeUndefined();
  for (const name of ['workdir', 'working_directory', 'dir_path', 'directory', 'cwd'])
    expect(readOf('cat a.ts', 'shell', { [name]: '/q' })?.paths).toEqual(['/q/a.ts']);
  expect(readOf('cat a.ts', 'shell', { cwd: '/r', workdir: '/q' })?.paths).toEqual(['/q/a.ts']);
  expect(readOf('cat a.ts', 'shell', { cwd: '/r', workdir: null })?.paths).toEqual(['/r/a.ts']);
  expect(readOf('cat /p/a.ts', 'deploy')).toBeUndefined();
});

it('tells searches and last lines apart from reads, and from one another', () => {
  const manners = ['cat a.ts', 'rg -n x a.ts', 'rg -n y a.ts', 'tail -n 5 a.ts', 'tail -n 6 a.ts'].map(
    (text) => readOf(text)?.manner,
  );
  expect(new Set(manners).size).toBe(5);
  expect(manners).not.toContain(undefined);
});

it.each([
  ['./a.ts', '/p', '/p/a.ts'],
  ['../b/a.ts', '/p/q/', '/p/b/a.ts'],
  ['../../a.ts', 'p', '../a.ts'],
  ['/x/a.ts', '/p', '/x/a.ts'],
  ['C:\\p\\q\\..\\a.ts', '', 'C:/p/a.ts'],
  ['q\\a.ts', 'C:\\p', 'C:/p/q/a.ts'],
  ['C:/p/a.ts', 'D:\\r', 'C:/p/a.ts'],
  ['\\\\host\\share\\a.ts', '', '/host/share/a.ts'],
  ['a\\b.ts', '/p', '/p/a\\b.ts'],
  ['a.ts', '', 'a.ts'],
])('%s in %j is %s', (path, folder, whole) => {
  expect(normalized(path, folder)).toBe(whole);
});
