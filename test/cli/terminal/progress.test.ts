import { expect, it } from 'vitest';
import { type Amount, createProgress } from '../../../src/cli/terminal/progress.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';

function watched(all: Amount, times: readonly number[], isTerminal = true) {
  const written: string[] = [];
  const stderr = { isTerminal, columns: 80, write: (data: string | Uint8Array) => written.push(String(data)) };
  let next = 0;
  const progress = createProgress(all, { stderr } as unknown as Terminal, () => times[next++]!);
  return { progress, written };
}

it('shows itself after a second, not too often, and goes away', () => {
  const { progress, written } = watched({ items: 1000, what: 'file' }, [0, 900, 1100, 1150, 1250]);
  progress.at(1);
  expect(written).toEqual([]);
  progress.at(500);
  progress.at(510);
  progress.at(1000);
  progress.clear();
  progress.clear();
  expect(written).toEqual([
    '\r\x1b[K██████████·········· 50 %, 1 s left, 500 of 1,000 files',
    '\r\x1b[K████████████████████ 100 %, 1,000 of 1,000 files',
    '\r\x1b[K',
  ]);
});

it('counts the bytes of one long file, and says how long it takes', () => {
  const { progress, written } = watched({ items: 1, what: 'file', bytes: 4e9 }, [0, 2000, 4000]);
  progress.read(1e9);
  progress.read(2e9);
  expect(written).toEqual([
    '\r\x1b[K█████··············· 25 %, 1.0 GB, 500 MB/s, 6 s left',
    '\r\x1b[K███████████████····· 75 %, 3.0 GB, 750 MB/s, 1 s left',
  ]);
});

it('says how much of a pipe was read', () => {
  const { progress, written } = watched({ items: 1, what: 'file' }, [0, 2000]);
  progress.read(1e8);
  expect(written).toEqual(['\r\x1b[K100 MB, 50 MB/s']);
});

it('fits into 79 columns', () => {
  const { progress, written } = watched({ items: 123_456, what: 'file', bytes: 1e13 }, [0, 1e7, 2e7]);
  progress.at(99_999);
  progress.read(3e11);
  expect(Math.max(...written.map((line) => line.replace('\r\x1b[K', '').length))).toBeLessThan(80);
});

it('says nothing where nobody looks', () => {
  const { progress, written } = watched({ items: 1000, what: 'file' }, [0, 5000, 9000], false);
  progress.at(500);
  progress.read(5);
  progress.clear();
  expect(written).toEqual([]);
});
