/** Requests of sub-agents that a session of Claude Code repeats in `agent_progress`; their files may be gone. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-progress-'));
const MAIN = '.claude/projects/-w/main-1.jsonl';
const PART = '.claude/projects/-w/main-1/subagents/agent-b2.jsonl';
afterAll(() => rmSync(home, { recursive: true }));

/** Input and output of claude-haiku-4-5 cost $1 and $5 a million, of sonnet $3 and $15: https://claude.com/pricing. */
const message = (id: string, output: number, model = 'claude-haiku-4-5') => ({
  ...{ id, role: 'assistant', model, content: [{ type: 'text', text: 'x' }] },
  usage: { input_tokens: 10_000, output_tokens: output, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
});
let number = 0;
const line = (row: object) => ({
  ...{ uuid: `u${++number}`, parentUuid: number === 1 ? null : `u${number - 1}`, sessionId: 'main-1', cwd: '/w' },
  ...{ isSidechain: false, timestamp: `2026-02-01T09:00:${String(number).padStart(2, '0')}.000Z`, ...row },
});
const progress = (agentId: string, told: object) =>
  line({
    ...{ type: 'progress', parentToolUseID: 't1', toolUseID: 'agent_msg_1' },
    data: { type: 'agent_progress', agentId, prompt: 'Go', message: told, normalizedMessages: [] },
  });
const reply = (id: string, output: number, requestId?: string) => ({
  ...{ type: 'assistant', timestamp: '2026-02-01T09:00:59.000Z', requestId, message: message(id, output) },
});
const write = (path: string, rows: readonly object[]) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
};

beforeEach(() => {
  number = 0;
  write(MAIN, [
    line({ type: 'user', message: { role: 'user', content: 'Do it' } }),
    line({ type: 'assistant', requestId: 'r1', message: message('m1', 100, 'claude-sonnet-4-5') }),
    progress('a1', { type: 'user', message: { role: 'user', content: 'Go' } }),
    progress('a1', reply('s1', 10, 'q1')),
    progress('a1', reply('s1', 10, 'q1')), // again
    progress('b2', reply('s2', 10, 'q2')), // its file has all of its output
    progress('b2', reply('s3', 10)), // without the id that its file has
    progress('c3', { type: 'user', message: { role: 'user', content: 'Go' } }),
  ]);
  number = 50;
  const own = (row: object) => line({ ...row, isSidechain: true, agentId: 'b2' });
  write(PART, [
    own({ type: 'user', message: { role: 'user', content: 'Go' } }),
    own({ type: 'assistant', requestId: 'q2', message: message('s2', 200) }),
    own({ type: 'assistant', requestId: 'q3', message: message('s3', 300) }),
  ]);
});

async function run(...words: string[]) {
  const { terminal, out } = memoryTerminal({ cwd: home, env: { HOME: home, TZ: 'UTC', CTX_TRIM_CACHE: 'off' } });
  await runIn(terminal, [...words, '--format', 'json']);
  return JSON.parse(out());
}

it.each([[['@main-1']], [['@all']], [['--recorded', '@main-1']]])(
  'count once, with or without a file: %j',
  async (words) => {
    const { rows, totals } = await run('stats', '--by', 'model', ...words);
    const costs = Object.fromEntries(
      rows.map((row: { model: string; requests: number; cost_usd: number }) => [row.model, row]),
    );
    expect(costs['claude-sonnet-4-5']).toMatchObject({ requests: 1, cost_usd: 0.0315 });
    expect(costs['claude-haiku-4-5']).toMatchObject({ requests: 3, cost_usd: (30_000 + 5 * (10 + 200 + 300)) / 1e6 });
    expect(totals.requests).toBe(4);
  },
);

it('count in `sessions`, and an agent of which no usage is known is named', async () => {
  const { sessions, left_out: left } = await run('sessions');
  expect(sessions).toMatchObject([{ id: 'main-1', requests: 4, cost_usd: 0.0315 + 0.03255 }]);
  expect(left).toMatchObject([{ path: join(home, MAIN), why: expect.stringContaining('without a file (agent-c3)') }]);
});

it('are no request of the main agent', async () => {
  const { transcripts } = await run('stats', MAIN);
  expect(
    transcripts[0].requests.map(({ subagent: agent, unanswered }: { subagent: string | null; unanswered: boolean }) => [
      agent,
      unanswered,
    ]),
  ).toEqual([
    [null, false],
    ['agent-a1', true],
    ['agent-b2', true],
    ['agent-b2', true],
  ]);
});
