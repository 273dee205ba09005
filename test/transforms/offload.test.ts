/** `offload`: nothing is lost, nothing is overwritten, and where it is written is said. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, simulate } from '../../src/index.js';
import { runProgram } from '../shared/program.js';

const LONG = Array.from({ length: 900 }, (_, at) => `line ${at} — \u{1f600}`).join('\n');
const chat = (content: string, input = '{}') => [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', type: 'function', function: { name: 'run', arguments: input } }],
  },
  { role: 'tool', tool_call_id: '1', content },
];
const resultOf = (text: string) => (JSON.parse(text) as { content: string }[])[2]!.content;

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-offload-'));
  writeFileSync(join(home, 'run.json'), JSON.stringify(chat(LONG)));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
const program = (...words: string[]) => runProgram(['offload', '--dir', 'kept', ...words, 'run.json'], { cwd: home });

it('looks without writing, writes the exact text once, and refuses to overwrite another one', () => {
  expect(program('--check')).toMatchObject({ status: 1, stdout: 'run.json\n' });
  expect(program('--diff').stdout).toContain('kept/run-');
  expect(readdirSync(home)).toEqual(['run.json']);
  const first = program();
  const [name] = readdirSync(join(home, 'kept'));
  expect(readFileSync(join(home, 'kept', name!), 'utf8')).toBe(LONG);
  expect(first.stderr).toContain(`1 result is a file in kept (${LONG.length.toLocaleString('en-US')} characters)`);
  const left = resultOf(first.stdout);
  expect(left).toContain(`read the file kept/${name} for`);
  expect([LONG.startsWith(left.slice(0, 400)), LONG.endsWith(left.slice(-400))]).toEqual([true, true]);
  expect(program().stdout).toBe(first.stdout);
  writeFileSync(join(home, 'kept', name!), 'mine');
  expect(program()).toMatchObject({ status: 2, stderr: expect.stringContaining('does not overwrite') });
  expect(readFileSync(join(home, 'kept', name!), 'utf8')).toBe('mine');
});

it('gives texts to a store of the library, and loses none without one', async () => {
  const text = JSON.stringify(chat(LONG));
  const kept = new Map<string, string>();
  const step = { transform: 'offload', dir: 'mem', store: (path: string, one: string) => kept.set(path, one) } as const;
  const after = run(text, [step]);
  expect([...kept.values()]).toEqual([LONG]);
  expect(resultOf(after)).toContain([...kept.keys()][0]);
  expect(run(after, [step])).toBe(after);
  const { store: _, ...bare } = step;
  expect(() => run(text, [bare])).toThrow('offload needs `store`');
  const { totals } = await simulate(text, [bare], { model: 'gpt-4.1', scope: 'all' });
  expect(totals).toBeDefined();
});

it('leaves what reads such a file, and what no file can hold', () => {
  const step = { transform: 'offload', dir: 'mem', store: () => {} } as const;
  for (const text of [chat(LONG, '{"path":"mem/run-1.txt"}'), chat(`${LONG}\ud800`)].map((one) => JSON.stringify(one)))
    expect(run(text, [step])).toBe(text);
});
