/** A reply without usage, in a session whose other replies state theirs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-unstated-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const USAGE = { input_tokens: 10, output_tokens: 5 };

/** Messages of Claude Code: `null` is a question, anything else a reply with it. */
function written(name: string, replies: readonly (object | null)[]) {
  const lines = replies.map((reply, index) => ({
    type: reply === null ? 'user' : 'assistant',
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    sessionId: 's',
    timestamp: '2026-09-01T10:00:00.000Z',
    message:
      reply === null
        ? { role: 'user', content: 'Go on.' }
        : {
            ...{ role: 'assistant', model: 'claude-sonnet-4-5-20250929', id: `m${index}` },
            ...{ content: [{ type: 'text', text: 'Done.' }], ...reply },
          },
  }));
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const runs = (...words: readonly string[]) => runsOf('stats', ...words);

async function runsOf(...words: readonly string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: folder, env: { HOME: folder } });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

const SAID = '1 reply states no usage: figures are without it';

it.each([
  ['table', []],
  ['--by model', ['--by', 'model']],
])('is marked in the table and on stderr: %s', async (_, options) => {
  written('one.jsonl', [null, { usage: USAGE }, null, {}, null, { usage: USAGE }]);
  const { code, out, err } = await runs(...options, 'one.jsonl');
  expect([code, out, err]).toEqual([0, expect.stringContaining(SAID), expect.stringContaining(SAID)]);
  expect((await runs('--strict', 'one.jsonl')).code).toBe(1);
});

it('is counted where only lines with usage are read, and in sessions', async () => {
  const turn = [null, { usage: USAGE }];
  const replies = [...Array.from({ length: 200 }, () => turn).flat(), null, {}, { id: 'm' }, { id: 'm' }, ...turn];
  written('long.jsonl', replies);
  const counts = await Promise.all(
    [[], ['--recorded']].map((options) => runs('--format', 'json', ...options, 'long.jsonl')),
  );
  expect(counts.map(({ out }) => JSON.parse(out).totals.unstated_replies)).toEqual([2, 2]);
  mkdirSync(join(folder, '.claude/projects/-w'), { recursive: true });
  written('.claude/projects/-w/s.jsonl', replies);
  for (const _ of ['new', 'known']) {
    const { out } = await runsOf('sessions', '--format', 'json');
    const { left_out: left } = JSON.parse(out) as { left_out: readonly object[] };
    expect(left).toMatchObject([{ why: '2 replies state no usage: figures are without them' }]);
  }
});

it('is counted in the JSON, and in merged parts', async () => {
  written('one.jsonl', [null, { usage: USAGE }, null, {}, null, { usage: null }]);
  const part = await runs('--format', 'json', 'one.jsonl');
  expect(JSON.parse(part.out).totals).toMatchObject({ requests: 1, unstated_replies: 2 });
  writeFileSync(join(folder, 'part.json'), part.out);
  const { out } = await runs('--merge', '--format', 'json', 'part.json', 'part.json');
  expect(JSON.parse(out).totals.unstated_replies).toBe(4);
});

it.each([
  ['each reply states its usage', [null, { usage: USAGE }, null, { usage: USAGE }]],
  ['none does: all are estimated', [null, {}, null, {}]],
  ['the agent wrote it itself', [null, { usage: USAGE }, null, { model: '<synthetic>' }]],
  ['another piece of it does', [null, { usage: USAGE, id: 'm' }, { id: 'm' }]],
])('is not said where %s', async (_, replies) => {
  written('whole.jsonl', replies);
  const { out, err } = await runs('--strict', 'whole.jsonl');
  expect(out + err).not.toMatch(/states? no usage/);
});

it('is in the overview', async () => {
  written('one.jsonl', [null, { usage: USAGE }, null, {}]);
  expect((await runsOf('one.jsonl')).out).toContain(`missing   ${SAID}`);
});
