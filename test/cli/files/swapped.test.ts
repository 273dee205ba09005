/** Links that another program puts in the place of a file, or of its folder, while the file is rewritten. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAtomic } from '../../../src/cli/files/atomic.js';
import { memoryTerminal } from '../../shared/terminal.js';

let root = '';
const { terminal } = memoryTerminal({ cwd: '.' });
const at = (...names: string[]) => join(root, ...names);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ctx-trim-swap-'));
  for (const folder of ['own', 'other']) mkdirSync(at(folder));
  writeFileSync(at('own', 'a.json'), 'mine');
  writeFileSync(at('other', 'a.json'), 'precious');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const SWAPS: Readonly<Record<string, () => void>> = {
  'the file': () => {
    renameSync(at('own', 'a.json'), at('own', 'moved.json'));
    symlinkSync(at('other', 'a.json'), at('own', 'a.json'));
  },
  'the folder': () => {
    renameSync(at('own'), at('moved'));
    symlinkSync(at('other'), at('own'));
  },
};

describe.skipIf(process.platform === 'win32').each(Object.entries(SWAPS))('a link in the place of %s', (_, swap) => {
  it.each(['before', 'during'])('%s the replacement: refused, and what it points to stays', async (when) => {
    const expected = statSync(at('own', 'a.json'));
    const file = createAtomic(at('own', 'a.json'), 'a.json', terminal);
    file.sink.text('new');
    if (when === 'before') swap();
    const done = file.commit({ expected, backup: '.bak' });
    if (when === 'during') swap();
    await expect(done).rejects.toThrow(/it changed while it was being read|cannot write it/);
    expect(readFileSync(at('other', 'a.json'), 'utf8')).toBe('precious');
    expect(readdirSync(at('other'))).toEqual(['a.json']);
  });
});

it.skipIf(process.platform === 'win32')('a link in the place of a new output is replaced, not followed', async () => {
  const file = createAtomic(at('own', 'new.json'), 'new.json', terminal);
  file.sink.text('new');
  const done = file.commit();
  symlinkSync(at('other', 'a.json'), at('own', 'new.json'));
  await done;
  expect(lstatSync(at('own', 'new.json')).isFile()).toBe(true);
  expect(readFileSync(at('other', 'a.json'), 'utf8')).toBe('precious');
});
