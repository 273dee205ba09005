/** Warnings that repeat are folded into one line with a count. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-loud-'));
  const chat = (words: number) => JSON.stringify({ messages: [{ role: 'user', content: 'word '.repeat(words) }] });
  writeFileSync(join(home, 'long.jsonl'), Array.from({ length: 50 }, (_, index) => `${chat(index + 60)}\n`).join(''));
  writeFileSync(join(home, 'bad.jsonl'), `${chat(1)}\n${'oops\n'.repeat(50)}`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const stderrOf = (...words: string[]) => runProgram(words, { cwd: home }).stderr.trimEnd().split('\n');

it('of steps that could not do all of their work', () => {
  const fit = ['fit', '--max-tokens', '50', 'long.jsonl'];
  const lines = stderrOf(...fit, '--quiet');
  expect(
    lines.slice(0, 3).every((line, index) => line.startsWith(`ctx-trim: warning: long.jsonl:${index + 1}: `)),
  ).toBe(true);
  expect(lines.slice(3)).toEqual([
    'ctx-trim: long.jsonl: 47 more warnings of this kind (fit), up to line 50; --verbose prints all',
  ]);
  expect(stderrOf(...fit, '--verbose').filter((line) => line.includes('warning: long.jsonl'))).toHaveLength(50);
  expect(runProgram(fit, { cwd: home }).status).toBe(1);
});

it('of lines that are not JSON', () => {
  const lines = stderrOf('patch', '--skip-bad-lines', '--quiet', 'bad.jsonl');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('bad.jsonl:2: warning: not JSON');
  expect(lines[3]).toBe('ctx-trim: bad.jsonl: 50 bad lines copied unchanged (--verbose names all)');
  const all = stderrOf('patch', '--skip-bad-lines', '--quiet', '--verbose', 'bad.jsonl');
  expect(all.filter((line) => line.includes('warning'))).toHaveLength(50);
});
