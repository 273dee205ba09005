/** Session files with several names. */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

let home = '';
const thread = (name: string) => join(home, '.local/share/amp/threads', name);
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-links-'));
  mkdirSync(thread(''), { recursive: true });
  copyFileSync('fixtures/formats/amp-thread/hand-thread.json', thread('T-2.json'));
});
afterAll(() => rmSync(home, { recursive: true }));

async function runs(...words: readonly string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: home, env: { HOME: home, CTX_TRIM_CACHE: 'off' } });
  const code = await runIn(terminal, [...words]);
  return { code, out: out(), err: err() };
}

it('count once, and the others are named', async () => {
  const alone = JSON.parse((await runs('sessions', '--format=json')).out).total;
  const words = ['stats', '--recorded', '--by=agent', '--format=csv', '@all'];
  const paid = await runs(...words);
  linkSync(thread('T-2.json'), thread('T-3.json'));
  symlinkSync(thread('T-2.json'), thread('T-4.json'));
  const listed = await runs('sessions', '--format=json');
  const { sessions, total, left_out: left } = JSON.parse(listed.out);
  expect([total, sessions.map(({ id }: { id: string }) => id)]).toEqual([alone, ['T-2']]);
  const why = `it is the same file as ${thread('T-2.json')}`;
  expect(left).toEqual(['T-3.json', 'T-4.json'].map((name) => expect.objectContaining({ path: thread(name), why })));
  const again = await runs(...words);
  expect(again.out).toBe(paid.out);
  expect(again.err).toContain(`${thread('T-3.json')} is left out: ${why}`);
  expect((await runs(...words, '--strict')).code).toBe((await runs(...words)).code);
});
