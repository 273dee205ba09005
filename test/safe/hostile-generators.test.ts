/** Modules of --generator that throw what throws again, or give what is no text: one line, and nothing is written. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { importModule } from '../../src/cli/inputs/import-module.js';
import { runProgram } from '../shared/program.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-generator-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
writeFileSync(join(folder, 'open.json'), JSON.stringify([{ role: 'assistant', content: null, tool_calls: [CALL] }]));

it.each([
  ['throw { toString() { throw 1 } }', /cannot be loaded: it threw what cannot be shown/],
  ['throw null', /cannot be loaded: null/],
  ['export default () => { throw { toString: 1 } }', /failed for the call of f \(c\): it threw what cannot be shown/],
  ['const o = {}; o.o = o; export default () => o', /returned object/],
  ['export default () => new Promise(() => {})', /returned object/],
  ['export default 5', /needs a module whose default export is a function/],
])('%s', (source, said) => {
  const module = join(folder, `${source.length}.mjs`);
  writeFileSync(module, source);
  const { status, stdout, stderr } = runProgram(['patch', '--generator', module, join(folder, 'open.json')]);
  expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toMatch(said);
});

it.each(['none.mjs', '.'])('a module that is no file: %s', (name) => {
  const module = join(folder, name);
  const { status, stderr } = runProgram(['patch', '--generator', module, join(folder, 'open.json')]);
  expect([status, stderr]).toEqual([2, `ctx-trim: ${module}: --generator cannot be loaded: there is no such file\n`]);
});

it('a module that never loads is given up', async () => {
  const never = 'data:text/javascript,await new Promise(() => {})';
  await expect(importModule(never, 0.02)).rejects.toThrow('it did not load in 0.02 seconds');
});
