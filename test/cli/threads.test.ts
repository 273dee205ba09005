/** `--threads`: the same bytes, messages and exit codes as with one thread. Each run of several is its own process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

const PROGRAM = resolve('bin/ctx-trim.js');
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A chat of some 16 KB, so that 200 of them are four parts. */
const chat = (id: number, isAnswered = true) =>
  JSON.stringify({
    id,
    model: 'gpt-4o',
    messages: [
      { role: 'user', content: `Read ${id} files` },
      ...[0, 1, 2, 3].flatMap((at) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: `{"n":${at}}` } }],
        },
        ...(isAnswered || at < 3
          ? [{ role: 'tool', tool_call_id: `c${at}`, content: `${at} ${'line\n'.repeat(650)}` }]
          : []),
      ]),
      ...(isAnswered ? [{ role: 'assistant', content: 'Done. é' }] : []),
    ],
  });

const good = Array.from({ length: 200 }, (_, id) => chat(id));
const torn = good.with(100, good[100]!.slice(0, 5000)).with(150, 'no JSON');
const files = {
  'good.jsonl': good.join('\n'),
  'torn.jsonl': `${torn.join('\n')}\n`,
  'open.jsonl': `${good.with(130, chat(130, false)).join('\r\n')}\r\n`,
  'two.jsonl': good.map((line, at) => (at % 40 === 30 ? line.replace('"messages"', '\n"messages"') : line)).join('\n'),
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
writeFileSync(join(folder, 'good.jsonl.gz'), gzipSync(files['good.jsonl']));

const env = { ...process.env, CTX_TRIM_CACHE: 'off' };

/** In one thread. */
const runAlone = (words: readonly string[], input?: string) => runProgram(words, { cwd: folder, env, input });

function run(words: readonly string[], input?: string) {
  const options = { cwd: folder, env, input, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, ...words], options);
  return { stdout, stderr, status };
}

describe('the same as with one thread', () => {
  it.each([
    ['2', 'filter --max-tool-calls 2 --summary good.jsonl.gz open.jsonl'],
    ['3', 'filter --max-tool-calls 2 --summary --format json torn.jsonl open.jsonl'],
    ['2', 'filter --max-tool-calls 2 torn.jsonl'],
    ['3', 'filter --max-tool-calls 2 --skip-bad-lines two.jsonl torn.jsonl'],
    ['2', 'stats --format json open.jsonl'],
    ['2', 'check --format json open.jsonl'],
    ['2', 'convert --to anthropic-messages open.jsonl'],
    ['2', 'select --max-calls 3 --summary --skip-bad-lines=drop torn.jsonl open.jsonl'],
  ])('%s threads: %s', (threads, line) => {
    const words = line.split(' ');
    const alone = runAlone([...words, '--threads', '1']);
    expect(run([...words, '--threads', threads])).toEqual(alone);
    expect(alone.stdout.length + alone.stderr.length).toBeGreaterThan(50);
  });

  it('reads a pipe', () => {
    const words = ['truncate', '--max-length', '100'];
    expect(run([...words, '--threads', '2'], files['good.jsonl'])).toEqual(runAlone(words, files['good.jsonl']));
  });
});

it('goes on without a thread that ends, and says so', () => {
  const load = `import { isMainThread } from 'node:worker_threads';`;
  const plugin = `${load} if (!isMainThread) process.exit(1); export default {};`;
  writeFileSync(join(folder, 'ends.mjs'), plugin);
  const words = ['filter', '--max-tool-calls', '2', '--plugin', './ends.mjs', 'good.jsonl'];
  const { stdout, stderr, status } = run([...words, '--threads', '2']);
  expect({ stdout, status }).toEqual({ stdout: runAlone(words).stdout, status: 0 });
  expect(stderr).toBe('ctx-trim: warning: a worker thread ended; the rest is read without it\n');
});

it.each(['1', '2'])('a summary holds nothing of a file that could not be read (%s threads)', (threads) => {
  const words = ['filter', '--max-tool-calls', '2', '--summary', '--threads', threads];
  const summaryOf = (...files: string[]) =>
    (threads === '1' ? runAlone : run)([...words, ...files])
      .stderr.split('\n')
      .find((line) => line.startsWith('open'));
  expect(summaryOf('torn.jsonl', 'open.jsonl')).toBe(summaryOf('open.jsonl'));
});

// no thread starts
it('says why it has no effect', () => {
  const log = resolve('fixtures/formats/claude-code/hand-links.jsonl');
  const { stderr } = runAlone(['filter', '--max-tool-calls', '2', '--threads', '2', log]);
  expect(stderr).toContain('--threads has no effect: one transcript in the file');
  expect(runAlone(['filter', '--max-tool-calls', '2', '--threads', '2', '--diff', log]).stderr).toContain(
    '--threads has no effect with --diff',
  );
  expect(runAlone(['offload', '--dir', 'kept', '--threads', '2', log]).stderr).toContain(
    '--threads has no effect with offload',
  );
});
