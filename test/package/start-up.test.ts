/** What a run loads, told by module and size rather than by time: time is for the benchmark. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-start-'));
const spy = join(folder, 'spy.cjs');
// our bundles are read and run by start.cjs, so that Node's own list of modules does not have them
writeFileSync(
  spy,
  `const fs = require('fs'); const { readFileSync } = fs; const read = []; fs.readFileSync = (file, ...rest) => { if (/\\.cjs$/.test(file)) read.push(file); return readFileSync(file, ...rest); };
process.on('exit', () => fs.writeSync(2, JSON.stringify([[...new Set([...Object.keys(require.cache), ...read])], process.moduleLoadList.filter((name) => /NativeModule (tty|net|child_process|worker_threads|http|crypto|zlib)$/.test(name))])));`,
);
afterAll(() => rmSync(folder, { recursive: true }));

function loaded(...words: string[]): { files: string[]; builtins: string[] } {
  const { stderr } = spawnSync(process.execPath, ['-r', spy, 'bin/ctx-trim.js', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [files, builtins] = JSON.parse(stderr.slice(stderr.indexOf('[["'))) as [string[], string[]];
  return { files: files.map((file) => basename(file)).filter((name) => name !== 'spy.cjs'), builtins };
}

const recording = 'fixtures/formats/openai-chat/tau-bench-retail.json';

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
    expect(files.sort()).toEqual([
      'cli.cjs',
      'ctx-trim.js',
      ...(line.startsWith('--') ? [] : ['engine.cjs']),
      'start.cjs',
    ]);
    expect(builtins).toEqual([]);
  });

  it.each([
    ['openai-chat/hand-calls.json', []],
    ['anthropic-messages/pydantic-ai-requests.jsonl', []],
    ['claude-code/short.jsonl', ['claude-code', 'renamed-calls']],
    ['openai-responses/hand-items.jsonl', ['openai-responses']],
    ['gemini-contents/hand-spellings.json', ['gemini-contents']],
    ['codex-rollout/hand-echoes.jsonl', ['codex-rollout', 'openai-responses']],
  ])('of all formats: %s', (file, formats) => {
    const { files } = loaded('filter', '--max-tool-calls', '1', `fixtures/formats/${file}`);
    expect(files.sort()).toEqual(
      ['cli.cjs', 'ctx-trim.js', 'engine.cjs', 'start.cjs', ...formats.map((id) => `${id}.cjs`)].sort(),
    );
  });

  it('and counts without tiktoken', () => {
    const { files } = loaded('stats', '--model', 'gpt-4o', recording);
    expect(files).toContain('late.cjs');
    expect(files).not.toContain('tiktoken.cjs');
  });

  it('and checks without counting', () => {
    expect(
      loaded('check', '--provider', 'mistral', '--disable', 'core/context-overflow', recording).files.sort(),
    ).toEqual(['cli.cjs', 'ctx-trim.js', 'engine.cjs', 'lint.cjs', 'start.cjs']);
  });
});

describe('the package stays small', () => {
  const size = (file: string) => statSync(join('dist', file)).size;
  it('in what every run reads', () => expect(size('start.cjs') + size('cli.cjs')).toBeLessThan(62_500));
  it('in what every rewrite reads', () => expect(size('cli.cjs') + size('engine.cjs')).toBeLessThan(236_000)); // with what convert has to know of the formats of chat and Anthropic, and truncate of presets, earlier notes and what hardly fits
  it.each(readdirSync('dist/formats'))('in %s, which some formats need', (file) =>
    expect(size(`formats/${file}`)).toBeLessThan(16_000),
  );
  it('in what checking reads', () => expect(size('lint.cjs')).toBeLessThan(214_000)); // with convert, which goes by the rules too, and the shapes of four APIs
  it('in what counting reads', () => expect(size('late.cjs')).toBeLessThan(107_500));
  it('and holds nothing but what runs', () => {
    const [{ files }] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ files: { path: string }[] }];
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    expect([...folders].sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
  }, 30_000);
});
