/** Links in a folder to files that are read, too. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const root = mkdtempSync(join(tmpdir(), 'ctx-trim-twins-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const messages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];
const RECORDING = JSON.stringify({ model: 'gpt-4o', messages });

let cwd = '';
let count = 0;
beforeEach(() => {
  cwd = join(root, String(count++));
  mkdirSync(join(cwd, 'runs'), { recursive: true });
  writeFileSync(join(cwd, 'runs/one.json'), RECORDING);
});

async function requests(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd });
  expect(await runIn(terminal, ['stats', '--format', 'json', ...words])).toBe(0);
  const { totals } = JSON.parse(out()) as { totals: { requests: number } };
  return { requests: totals.requests, err: err() };
}

it.runIf(process.platform !== 'win32').each(['runs', 'runs/*.json'])(
  '%s: what a link leads to counts once',
  async (word) => {
    symlinkSync('one.json', join(cwd, 'runs/latest.json'));
    const said = 'ctx-trim: 1 link left out, to what is read under another name (runs/latest.json → runs/one.json)\n';
    expect(await requests(word)).toEqual({ requests: 1, err: said });
    for (const name of ['a', 'b']) symlinkSync('one.json', join(cwd, `runs/${name}.json`));
    expect((await requests(word)).err).toContain(
      '3 links left out, to what is read under another name (runs/a.json → ',
    );
    expect((await requests(word)).err).toContain(' and 1 more)\n');
  },
);

it.runIf(process.platform !== 'win32')('links to other files are read, each file once', async () => {
  writeFileSync(join(cwd, 'elsewhere.json'), RECORDING);
  symlinkSync('../elsewhere.json', join(cwd, 'runs/two.json'));
  expect(await requests('runs')).toEqual({ requests: 2, err: '' });
  symlinkSync('two.json', join(cwd, 'runs/three.json'));
  const { requests: sum, err } = await requests('runs');
  expect(sum).toBe(2);
  expect(err).toContain('(runs/two.json → runs/three.json)\n');
});

it.runIf(process.platform !== 'win32')('a link that is named is read', async () => {
  symlinkSync('one.json', join(cwd, 'runs/latest.json'));
  expect(await requests('runs/latest.json')).toEqual({ requests: 1, err: '' });
});
