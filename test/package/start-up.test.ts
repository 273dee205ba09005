/** What a run loads, told by module and size rather than by time: time is for the benchmark. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that is loaded before ours. */
function preload(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

const spy = preload(
  'spy.cjs',
  `process.on('exit', () => {
     const builtins = process.moduleLoadList.filter((name) =>
       /NativeModule (tty|net|child_process|worker_threads|http|crypto|zlib)$/.test(name));
     require('fs').writeSync(2, JSON.stringify([Object.keys(require.cache), builtins]));
   });`,
);

function loaded(...words: string[]): { files: string[]; builtins: string[] } {
  const { stderr } = spawnSync(process.execPath, ['-r', spy, 'bin/ctx-trim.js', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [files, builtins] = JSON.parse(stderr.slice(stderr.indexOf('[["'))) as [string[], string[]];
  const ours = files.filter((file) => file.startsWith(resolve('dist/cli')));
  return { files: ours.map((file) => relative('dist/cli', file).replaceAll(sep, '/')), builtins };
}

const recording = 'fixtures/formats/openai-chat/tau-bench-retail.json';

const START = 'code-cache.cjs'; // not for help
const RUNTIME = 'rolldown-runtime.cjs'; // the bundler's, without a source of ours

describe('a run loads only what it needs', () => {
  it.each([
    '--help',
    '--version',
    `filter --max-tool-calls 1 ${recording}`,
    `patch ${recording}`,
    `truncate ${recording}`,
    `strip ${recording}`,
  ])('%s', (line) => {
    const { files, builtins } = loaded(...line.split(' '));
    const tables = /^(?:filter|patch|truncate)/.test(line) ? ['tables.cjs'] : []; // the file holds several records
    expect(files.sort()).toEqual(
      ['cli.cjs', ...(line.startsWith('--') ? [] : ['core.cjs', 'rewrite.cjs', START, ...tables]), RUNTIME].sort(),
    );
    expect(builtins).toEqual([]);
  });

  it('and no tables for a single record', () => {
    const { files } = loaded(
      'filter',
      '--max-tool-calls',
      '1',
      'fixtures/formats/anthropic-messages/cline-compaction.json',
    );
    expect(files).not.toContain('tables.cjs');
  });

  it.each(['anthropic-messages/cline-compaction.json', 'claude-code/short.jsonl', 'openai-chat/tau-bench-retail.json'])(
    'and nothing that is seldom needed for %s',
    (name) => {
      for (const words of [['filter', '--max-tool-calls', '1'], ['check'], ['stats']])
        expect(loaded(...words, `fixtures/formats/${name}`).files).not.toContain('seldom.cjs');
    },
  );

  it('and counts without prices or tiktoken', () => {
    const { files } = loaded('truncate', '--unit', 'tokens', recording);
    const wanted = ['cli.cjs', 'core.cjs', 'diff.cjs', 'measure.cjs', 'rewrite.cjs', 'tables.cjs'];
    expect(files.sort()).toEqual([...wanted, RUNTIME, START].sort());
  });

  it('and checks without counting', () => {
    const { files, builtins } = loaded('check', recording);
    const wanted = ['check.cjs', 'cli.cjs', 'core.cjs'];
    expect(files.sort()).toEqual([...wanted, RUNTIME, START].sort());
    expect(builtins).toEqual([]);
  });

  it('and checks other formats with their rules', () => {
    const { files } = loaded('check', 'fixtures/formats/anthropic-messages/cline-compaction.json');
    expect(files.filter((file) => file.startsWith('rules'))).toEqual(['rules-anthropic.cjs']);
  });

  it.each(['stats', 'simulate', 'audit --policy query-history'])('and %s loads no library of its own', (line) => {
    const { files } = loaded(...line.split(' '), recording);
    expect(files.filter((file) => file.startsWith('vendor/'))).toEqual([]);
  });
});

it('what stays compiled imports nothing by itself: a Script cannot', () => {
  const files = readdirSync('dist/cli').filter((file) => file.endsWith('.cjs'));
  const importing = files.filter((file) => readFileSync(join('dist/cli', file), 'utf8').includes('import('));
  expect(importing).toEqual(['code-cache.cjs', 'files-archive.cjs', 'inputs-plugins.cjs', 'packed.cjs']);
});

describe('the package stays small', () => {
  const size = (...files: string[]) =>
    files.reduce((sum, file) => sum + statSync(join('dist/cli', `${file}.cjs`)).size, 0);
  it('in what every run reads', () => expect(size('cli')).toBeLessThan(68_000));
  it('in what every rewrite reads', () => expect(size('core', 'rewrite')).toBeLessThan(320_000)); // with all transforms
  it('in what counting reads', () => expect(size('measure', 'stats')).toBeLessThan(130_000)); // with prices by tier
  it('in what checking reads', () => expect(size('check')).toBeLessThan(175_000)); // with the rules of chat
});

describe('a defect of ours', () => {
  const fault = preload('fault.cjs', "require('fs').lstatSync = () => { throw new TypeError('no such luck'); };");
  const run = (env: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, ['-r', fault, 'bin/ctx-trim.js', 'patch', recording], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });

  it('says where to report it', () => {
    const { status, stderr } = run({});
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^ctx-trim: internal error: no such luck; please report it at https:\S+\/issues \(CTX_TRIM_DEBUG=1 shows where/,
    );
  });

  it('shows the place in the source on request', () => {
    expect(run({ CTX_TRIM_DEBUG: '1' }).stderr).toMatch(/src\/cli\/config\/config\.ts:\d+/);
  });
});
