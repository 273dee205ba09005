/** The program without a command, and what it prints for people. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { TranscriptError } from '../../../src/errors.js';
import type { Read } from '../../../src/json/rows.js';
import { memoryTerminal } from '../../shared/terminal.js';

const FILE = 'fixtures/formats/openai-chat/apollo-airline.json';

/** Gives a few bytes at a time, as a pipe may. */
function pipeOf(bytes: Buffer, most = 7): Read {
  let given = 0;
  return (buffer, at, length) => {
    const taken = bytes.copy(buffer, at, given, Math.min(bytes.length, given + Math.min(length, most)));
    given += taken;
    return taken;
  };
}

async function ran(words: readonly string[], stdin: Read) {
  const { terminal, out, err } = memoryTerminal({ cwd: process.cwd(), stdin, stdinIsTerminal: false });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

it('takes what is piped in, as overview does', async () => {
  const bytes = readFileSync(FILE);
  const bare = await ran([], pipeOf(bytes));
  expect(bare).toEqual(await ran(['overview', '-'], pipeOf(bytes)));
  expect(bare.out).toMatch(/^stdin {2}OpenAI Chat Completions.*\n {2}holds {5}1 transcript, 62 messages/);
  expect(await ran([], pipeOf(bytes, 1 << 20))).toEqual(bare);
});

it('tells of what is piped in and cannot be read', async () => {
  const { code, out, err } = await ran([], pipeOf(Buffer.from('some words')));
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^ctx-trim: stdin:1:1: not JSON/);
});

it.each<[string, Read]>([
  ['nothing', () => 0],
  [
    'what is closed',
    () => {
      throw new TranscriptError('file', 'cannot read it: EBADF');
    },
  ],
])('prints help for %s', async (_, stdin) => {
  expect(await ran([], stdin)).toEqual(await ran(['--help'], stdin));
});

it('`formats` breaks its lines between words on a terminal, and has one line a file in a pipe', async () => {
  const lines = async (isTerminal: boolean) => {
    const { terminal, out } = memoryTerminal({ cwd: process.cwd() });
    const stdout = { ...terminal.stdout, isTerminal };
    expect(
      await runIn({ ...terminal, stdout }, ['formats', FILE, FILE.replace('apollo-airline', 'tau-bench-retail')]),
    ).toBe(0);
    return out().split('\n').slice(0, -1);
  };
  const piped = await lines(false);
  expect(piped).toHaveLength(2);
  const folded = await lines(true);
  expect(folded.join('').replaceAll('  ', ' ')).toBe(piped.join(''));
  expect(folded.length).toBeGreaterThan(2);
  for (const line of folded) expect(line.length).toBeLessThanOrEqual(80);
});
