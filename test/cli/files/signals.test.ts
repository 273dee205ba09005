/** Signals at any moment: the file is the old or the new one, and nothing else is left. SIGNALS=200 sends so many. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { turn, undoneBySignals } from '../../../src/cli/files/signals.js';
import { cases } from '../../shared/effort.js';

const RUNS = cases(6, 40, 'SIGNALS');
const BIN = resolve('bin/ctx-trim.js');
const KEEPS = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] });
const CALL = { id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } };
const CHANGES = JSON.stringify({ messages: [{ role: 'assistant', content: null, tool_calls: [CALL] }] });

let folder = '';
let source = '';
let duration = 0;
const outcomes = new Set<string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-signals-'));
  source = mkdtempSync(join(tmpdir(), 'ctx-trim-source-'));
  writeFileSync(join(source, 'old.jsonl'), [...Array(90).fill(KEEPS), CHANGES, ''].join('\n'));
  copyFileSync(join(source, 'old.jsonl'), join(folder, 'log.jsonl'));
  const start = performance.now();
  await run(() => {});
  duration = performance.now() - start;
  copyFileSync(join(folder, 'log.jsonl'), join(source, 'new.jsonl'));
});
afterAll(() => {
  for (const each of [folder, source]) rmSync(each, { recursive: true, force: true });
});

/** Ends with the run; `begun` gets what kills it. */
function run(begun: (kill: (signal: NodeJS.Signals) => void) => void): Promise<string | number | null> {
  const child = spawn(process.execPath, [BIN, 'patch', '--write', 'log.jsonl'], { cwd: folder, stdio: 'ignore' });
  begun((signal) => child.kill(signal));
  return new Promise((done) => child.on('close', (code, signal) => done(signal ?? code)));
}

it.skipIf(process.platform === 'win32').each(Array.from({ length: RUNS }, (_, index) => index))(
  'leaves nothing behind, %i',
  async (index) => {
    copyFileSync(join(source, 'old.jsonl'), join(folder, 'log.jsonl'));
    const signal = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)[index % 3]!;
    const [isTimed, wait] = [index % 2 === 0, Math.random() * duration];
    let watcher: ReturnType<typeof watch> | undefined;
    const ended = await run((kill) => {
      if (isTimed) setTimeout(() => kill(signal), wait);
      else watcher = watch(folder, (_, name) => name?.endsWith('.tmp') === true && kill(signal)); // at once
    });
    watcher?.close();
    expect([0, signal]).toContain(ended);
    outcomes.add(String(ended));
    expect([wait, readdirSync(folder)]).toEqual([wait, ['log.jsonl']]);
    const is = (name: string) => readFileSync(join(source, name)).equals(readFileSync(join(folder, 'log.jsonl')));
    expect(is('old.jsonl') || is('new.jsonl')).toBe(true);
  },
);

it.skipIf(process.platform === 'win32')('was interrupted by each signal', () => {
  expect([...outcomes]).toEqual(expect.arrayContaining(['SIGINT', 'SIGTERM', 'SIGHUP']));
});

it('undoes all that is under way, each once, with one listener: Node warns of more than ten', async () => {
  const before = process.listenerCount('SIGHUP');
  const listeners = () => process.listenerCount('SIGHUP') - before;
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const [undone, ends]: [number[], (() => void)[]] = [[], []];
  const all = Array.from({ length: 12 }, (_, index) =>
    undoneBySignals(
      () => void undone.push(index),
      () => new Promise<void>((end) => void ends.push(end)),
    ),
  );
  expect(listeners()).toBe(1);
  ends.shift()!();
  await all[0];
  process.emit('SIGHUP', 'SIGHUP');
  expect(undone).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect([kill.mock.calls, listeners()]).toEqual([[[process.pid, 'SIGHUP']], 0]);
  for (const end of ends) end();
  await Promise.all(all);
  const work = undoneBySignals(() => {}, turn);
  expect(listeners()).toBe(1);
  await work;
  expect(listeners()).toBe(0);
  kill.mockRestore();
});
