/** A session is one thing: `sessions`, `stats`, `stats --by session` and `report` say the same of it. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { createHome, type Env } from '../../shared/home.js';
import { memoryTerminal } from '../../shared/terminal.js';

const SHARED = '../shared/transcripts';
/** Where recordings of agents would lie, if their names were theirs. */
const STORES: readonly (readonly [recordings: string, folder: string, before: string])[] = [
  ['claude-code', '.claude/projects/-w-shared', ''],
  ['codex-rollout', '.codex/sessions/2026/08/01', 'rollout-2026-08-01T10-00-00-'],
  ['gemini-cli-session', '.gemini/tmp/h/chats', 'session-'],
  ['pi-session', '.pi/agent/sessions/--w--', ''],
];
/** Small ones: with sub-agents in the file and beside it, and with other ids than their files. */
const SMALL = /ef958aa1|agent-|sidechain|edge_cases|v040|ccusage/;

const OWN = '0b9d2c11-0000-4000-8000-000000000001';
let home = '';
let env: Env = {};

const put = (from: string, to: string) => {
  mkdirSync(dirname(join(home, to)), { recursive: true });
  cpSync(from, join(home, to));
};

beforeAll(() => {
  ({ home, env } = createHome());
  put('fixtures/formats/claude-code/hand-links.jsonl', `.claude/projects/-w-app/${OWN}.jsonl`);
  put('fixtures/formats/claude-code/short.jsonl', `.claude/projects/-w-app/${OWN}/subagents/agent-b2.jsonl`);
  for (const [recordings, folder, before] of existsSync(SHARED) ? STORES : [])
    for (const name of readdirSync(join(SHARED, recordings)))
      if (name.endsWith('.jsonl') && SMALL.test(name)) put(join(SHARED, recordings, name), join(folder, before + name));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(env['XDG_CACHE_HOME']!, { recursive: true, force: true });
});

async function told(...words: string[]) {
  const { terminal, out } = memoryTerminal({ cwd: home, env });
  await runIn(terminal, [...words, '--format', 'json']);
  return JSON.parse(out());
}

/** What all say of a session. */
const FIGURES = ['requests', 'cost_usd', 'unpriced_requests'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], number | null>>;
const figuresOf = (of: Figures) => FIGURES.map((key) => of[key]);

interface Session extends Figures {
  readonly agent: string;
  readonly id: string;
  readonly file: string;
  readonly title: string | null;
  readonly ended: string | null;
}

describe('a session', () => {
  it('has the same figures everywhere, with its sub-agents', async () => {
    const { sessions, total } = (await told('sessions', '--top', '999')) as { sessions: Session[]; total: Figures };
    expect(sessions.length).toBeGreaterThan(12);
    const { rows, totals } = await told('stats', '--recorded', '--by', 'agent,session', '@all');
    expect(figuresOf(total)).toEqual(figuresOf(totals));
    for (const session of sessions.filter(({ requests }) => requests! > 0)) {
      const { agent, id } = session;
      const name = `@${agent}:${id}`;
      const row = rows.find((one: { agent: string; session: string }) => one.agent === agent && one.session === id);
      expect([name, figuresOf(row)]).toEqual([name, figuresOf(session)]);
      expect([name, figuresOf((await told('stats', '--recorded', name)).totals)]).toEqual([name, figuresOf(session)]);
    }
    const main = (await told('stats', '--recorded', `${home}/.claude/projects/-w-app/${OWN}.jsonl`)).totals;
    expect(sessions.find(({ id }) => id === OWN)!.requests).toBeGreaterThan(main.requests);
  });

  it.each([`@${OWN}`, '@amp'])('has them in a report: %s', async (name) => {
    const { totals } = await told('report', name);
    expect(figuresOf(totals)).toEqual(figuresOf((await told('stats', name)).totals));
  });
});

describe('recorded times, not those of files', () => {
  it('order, filter and name the last session', async () => {
    const path = (id: string) => `.claude/projects/-w-times/${id}.jsonl`;
    const write = (id: string, recorded: string, changed: string) => {
      const row = {
        type: 'user',
        uuid: id,
        sessionId: id,
        timestamp: recorded,
        message: { role: 'user', content: id },
      };
      put('fixtures/formats/claude-code/short.jsonl', path(id));
      writeFileSync(join(home, path(id)), `${JSON.stringify(row)}\n`);
      utimesSync(join(home, path(id)), new Date(changed), new Date(changed));
    };
    write('copied-today', '2026-11-01T10:00:00Z', '2026-11-21T10:00:00Z');
    write('restored-old', '2026-11-21T10:00:00Z', '2026-01-01T10:00:00Z');
    const listed = async (...words: string[]) =>
      ((await told('sessions', '--agent', 'claude-code', ...words)) as { sessions: Session[] }).sessions;
    const [first] = await listed();
    expect(first).toMatchObject({ id: 'restored-old', title: 'restored-old', ended: '2026-11-21T10:00:00.000Z' });
    expect((await listed('--since', '2026-11-15')).map(({ id }) => id)).toEqual(['restored-old']);
    const { transcripts } = await told('stats', '@claude-code:last');
    expect(transcripts.map(({ title }: Session) => title)).toEqual(['restored-old']);
  });
});

describe('ids', () => {
  it.each([
    [
      'gemini-cli',
      '8a20078e-2d5e-4f81-a640-9b879bbb7e6d',
      '.gemini/tmp/h/chats/session-2026-03-27T10-19-8a20078e.jsonl',
    ],
    ['codex', 'thread-1', '.codex/sessions/2026/08/02/rollout-2026-08-02T10-00-00-x.jsonl'],
  ])('of %s are those of the agent, not of the file', async (agent, id, path) => {
    const row = (type: string) => ({ timestamp: '2026-08-02T10:00:00Z', type, payload: { id, cwd: '/home/u/app' } });
    const text = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
    const said = { id: '1', timestamp: '2026-08-02T10:00:00Z', type: 'user', content: [{ text: 'Hi' }] };
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(
      join(home, path),
      agent === 'codex'
        ? `${JSON.stringify(row('session_meta'))}\n${JSON.stringify({ ...row('response_item'), payload: text })}\n`
        : `${JSON.stringify({ sessionId: id, projectHash: 'h', kind: 'main' })}\n${JSON.stringify(said)}\n`,
    );
    const { sessions } = (await told('sessions', agent)) as { sessions: (Session & { project: string })[] };
    expect(sessions.find(({ file }) => file.endsWith(path))).toMatchObject({
      ...{ id, title: 'Hi', project: agent === 'codex' ? '/home/u/app' : 'h' },
    });
    const { transcripts } = await told('stats', `@${id.slice(0, 7)}`);
    expect(transcripts).toHaveLength(1);
  });
});
