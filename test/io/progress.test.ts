import { expect, it } from 'vitest';
import { createProgress } from '../../src/io/progress.js';
import type { Terminal } from '../../src/io/terminal.js';
import { safe } from '../../src/safe/text.js';

function watched(isTerminal: boolean, times: readonly number[]) {
  const written: string[] = [];
  const stderr = { isTerminal, columns: 80, write: (data: string | Uint8Array) => written.push(String(data)) };
  let next = 0;
  const progress = createProgress(1000, safe`files`, { stderr } as unknown as Terminal, () => times[next++]!);
  return { progress, written };
}

it('shows itself after a second, not too often, and goes away', () => {
  const { progress, written } = watched(true, [0, 900, 1100, 1150, 1250]);
  progress.at(1);
  expect(written).toEqual([]);
  progress.at(500);
  progress.at(510);
  progress.at(1000);
  progress.clear();
  progress.clear();
  expect(written).toEqual([
    '\r\x1b[K████████████············ 500 of 1,000 files',
    '\r\x1b[K████████████████████████ 1,000 of 1,000 files',
    '\r\x1b[K',
  ]);
});

it('says nothing where nobody looks', () => {
  const { progress, written } = watched(false, [0, 5000, 9000]);
  progress.at(500);
  progress.clear();
  expect(written).toEqual([]);
});
