/** Lines are independent: a file that is cut between lines gives, part by part, what it gives as a whole. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const BIN = resolve('bin/ctx-trim.js');
const trim = (words: readonly string[], input: string) => runProgram(words, { input });

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
});
const whole = Array.from({ length: 120 }, (_, line) => {
  const rounds = Array.from({ length: 1 + (line % 4) }, (__, round) => [
    call(`c${round}`),
    { role: 'tool', tool_call_id: `c${round}`, content: 'word '.repeat(20 + 7 * line) },
  ]);
  return JSON.stringify({
    id: line,
    messages: [
      { role: 'user', content: 'go' },
      ...rounds.flat(),
      ...(line % 3 === 0 ? [call('open')] : []),
      { role: 'user', content: 'and now?' },
    ],
  });
});
const PARTS = 4;
const parts = Array.from(
  { length: PARTS },
  (_, part) => `${whole.filter((__, line) => Math.floor((line * PARTS) / whole.length) === part).join('\n')}\n`,
);
const all = parts.join('');

describe('a filter', () => {
  it.each([
    ['filter', '--max-tool-calls', '1'],
    ['patch', '--placeholder', 'auto'],
    ['truncate', '--max-length', '200', '--no-minimum'],
    ['strip', '--keep-tool-names'],
  ])('%s', (...words) => {
    const one = trim(words, all);
    expect(one.status).toBe(0);
    expect(one.stdout).not.toBe(all);
    expect(parts.map((part) => trim(words, part).stdout).join('')).toBe(one.stdout);
  });

  it('says by its exit code that a part is bad, and has given what stood before', () => {
    const [good] = parts as [string];
    const { status, stdout, stderr } = trim(['filter', '--max-tool-calls', '1'], `${good}{"messages":\n${good}`);
    expect(status).toBe(2);
    expect(stdout.trimEnd()).toBe(trim(['filter', '--max-tool-calls', '1'], good).stdout.trimEnd());
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

it('figures of the parts add up to those of the whole', () => {
  const files = parts.map((part, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, trim(['stats', '--format', 'json', '--model', 'gpt-4o'], part).stdout);
    return file;
  });
  for (const by of ['role', 'tool', 'model'])
    expect(trim(['stats', '--merge', '--by', by, ...files], '').stdout).toBe(
      trim(['stats', '--by', by, '--model', 'gpt-4o'], all).stdout,
    );
});

describe.skipIf(spawnSync('parallel', ['--version']).status !== 0)('under GNU parallel', () => {
  it('gives the same, in the same order', () => {
    const file = join(folder, 'all.jsonl');
    writeFileSync(file, all);
    const command = `'${process.execPath}' '${BIN}' filter --max-tool-calls 1`;
    const { stdout } = spawnSync(
      'parallel',
      ['--will-cite', '--pipepart', '-a', file, '--block', String(Math.ceil(all.length / 5)), '-k', command],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    expect(stdout).toBe(trim(['filter', '--max-tool-calls', '1'], all).stdout);
  });
});
