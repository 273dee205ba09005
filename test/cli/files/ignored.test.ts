/** Which files of a folder are looked at: git itself says which it ignores. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { exclusionOf } from '../../../src/cli/files/ignored.js';
import { selectInputs } from '../../../src/cli/inputs/found-files.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import { cases } from '../../shared/effort.js';

const root = mkdtempSync(join(tmpdir(), 'ctx-trim-ignored-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ENV = { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
function git(...args: string[]): Buffer {
  const { stdout, stderr, status } = spawnSync('git', args, { cwd: root, env: ENV });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout;
}

const NAMES = [
  'a.json',
  'b.jsonl',
  'ab.json',
  'é.json',
  'a b.json',
  'x[1].json',
  '#a.json',
  '!a.json',
  'A.json',
  'a-1.json',
];
const FOLDERS = ['', 'a', 'b', 'logs', 'logs/a', 'logs/a/b', 'a/logs', 'a.json.d', 'deep/er/logs/a'];
for (const folder of FOLDERS) {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of NAMES) writeFileSync(join(root, folder, name), '{}');
}
git('init', '-q', '.');

const select = async (words: readonly string[], more: { exclude?: string[]; cwd?: string } = {}) => {
  const { exclude = [], cwd = root } = more;
  const selection = { exclude, ignore: [], folder: root, staged: false, forceExclude: false };
  const inputs = await selectInputs(words, selection, { cwd } as Terminal).catch((error: Error) => error.message);
  return typeof inputs === 'string' ? inputs : inputs.map(({ name }) => name).sort();
};
/** The files that git does not ignore; none of them is tracked. */
const kept = () =>
  git('ls-files', '--others', '--exclude-standard', '-z')
    .toString()
    .split('\0')
    .filter((name) => /\.jsonl?$/.test(name))
    .sort();

function ignore(folders: Readonly<Record<string, string>>): void {
  for (const folder of FOLDERS) rmSync(join(root, folder, '.gitignore'), { force: true });
  for (const [folder, text] of Object.entries(folders)) writeFileSync(join(root, folder, '.gitignore'), text);
}

const LEFT_OUT = 'every transcript file in this folder or below it is left out';
async function agrees(folders: Readonly<Record<string, string>>): Promise<void> {
  ignore(folders);
  const ours = await select(['.']);
  const git = kept();
  if (git.length === 0) expect(ours, JSON.stringify(folders)).toContain(LEFT_OUT);
  else expect(ours, JSON.stringify(folders)).toEqual(git);
}

describe('.gitignore', () => {
  it.each([
    ['*.json'],
    ['*.json\n!a.json'],
    ['/a.json'],
    ['a/'],
    ['logs\n!logs/a.json'],
    ['logs/*\n!logs/a'],
    ['logs/**'],
    ['**/logs'],
    ['**/logs/a'],
    ['a/**/b.jsonl'],
    ['logs/**/b.jsonl'],
    ['a/**'],
    ['deep/**/a.json'],
    ['**'],
    ['**/'],
    ['***/a.json'],
    ['lo**s/a.json'],
    ['?.json'],
    ['??.json'],
    ['[ab].json'],
    ['[!a]*.json'],
    ['[^a-y].json'],
    ['x\\[1\\].json'],
    ['x[[]1[]].json'],
    ['[[:upper:]].json'],
    ['[]a].json'],
    ['[a'],
    ['[!]'],
    ['a[/]logs'],
    ['\\#a.json'],
    ['#a.json'],
    ['\\!a.json'],
    ['!a.json'],
    ['a b.json   '],
    ['a\\ b.json\\ '],
    ['a.json\\'],
    ['\ufeffa.json'],
    ['a.json\r\nb.jsonl\r\n'],
    ['{a,b}.json'],
    ['/'],
    ['//'],
    ['a//'],
    ['*/a.json'],
    ['/*/'],
    ['a-[0-9].json'],
    ['a[+--]1.json'],
    ['*.json.d/\n'],
    ['é.json'],
  ])('%j', (text) => agrees({ '': text }));

  it('of folders inside, where the deepest decides', async () => {
    await agrees({ '': '*.json', logs: '!a.json\n', 'logs/a': 'a.json\n!ab.json' });
    await agrees({ '': 'a.json', a: '!/logs/a.json', 'a/logs': 'b.jsonl' });
    await agrees({ '': 'logs/', logs: '!*' });
  });

  it('of any pattern', async () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '?',
      '/',
      '/',
      'a',
      'b',
      'logs',
      '.json',
      '.jsonl',
      '[ab]',
      '[!a]',
      '\\',
      ' ',
      '-',
    );
    const line = fc
      .tuple(fc.constantFrom('', '', '', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 6 }))
      .map(([head, pieces]) => head + pieces.join(''));
    const text = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, text, (top, inner) => agrees({ '': top, logs: inner })),
      {
        numRuns: cases(40, 150, 'CTX_TRIM_FUZZ'),
        seed: 14,
      },
    );
  });

  it('counts upward to the repository, and not for what is named', async () => {
    ignore({ '': 'logs/\n*.jsonl' });
    expect(await select(['logs'])).toEqual(expect.arrayContaining(['logs/a.json', 'logs/a/a.json']));
    expect(await select(['logs'])).not.toContain('logs/b.jsonl');
    expect(await select(['.'], { cwd: join(root, 'a') })).not.toContain('b.jsonl');
    expect(await select(['logs/b.jsonl'])).toEqual(['logs/b.jsonl']);
    expect(await select(['logs/*.jsonl'])).toContain('every file that matches this pattern is left out');
    expect(await select(['*/a.json'])).toEqual(['a.json.d/a.json', 'a/a.json', 'b/a.json']);
  });
});

describe('what else is left out', () => {
  it('node_modules, unless it is named', async () => {
    ignore({});
    for (const file of ['node_modules/x/package.json', 'a/node_modules/x.json']) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '{}');
    }
    expect((await select(['.'])).toString()).not.toContain('node_modules');
    expect((await select(['**/*.json'])).toString()).not.toContain('node_modules');
    expect(await select(['node_modules'])).toEqual(['node_modules/x/package.json']);
    expect(await select(['node_modules/**/*.json'])).toEqual(['node_modules/x/package.json']);
    for (const folder of ['node_modules', 'a/node_modules']) rmSync(join(root, folder), { recursive: true });
  });

  it('--exclude, relative to where the program runs', async () => {
    ignore({});
    const left = await select(['.'], { exclude: ['logs/', '/a/*.json', 'é.json'] });
    expect(left).toContain('b/a.json');
    expect(left).toContain('a/b.jsonl');
    expect((left as string[]).filter((name) => /logs|^a\/.*\.json$|é/.test(name))).toEqual([]);
    const inA = await select(['.'], { exclude: ['/*.json'], cwd: join(root, 'a') });
    expect(inA).toContain('logs/a.json');
    expect(inA).not.toContain('a.json');
    expect(await select(['a/a.json'], { exclude: ['a.json'] })).toEqual(['a/a.json']);
  });
});

it('takes no longer than pattern times path', () => {
  const exclusion = exclusionOf([`${'*a'.repeat(500)}b`, `${'**/'.repeat(500)}b`], '/');
  expect(exclusion(`/${'a'.repeat(2000)}`, false)).toBeUndefined();
  expect(exclusion(`/${'a/'.repeat(1000)}c`, false)).toBeUndefined();
});
