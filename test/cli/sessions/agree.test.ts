/** A session is one thing: `sessions`, `stats`, `stats --by session` and `report` say the same of it. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { ALL } from '../../shared/effort.js';
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
const HOME_STORES = '../shared/cases/stores';

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
      put(join(SHARED, recordings, name), join(folder, (name.startsWith(before) ? '' : before) + name));
  if (existsSync(HOME_STORES)) cpSync(HOME_STORES, home, { recursive: true });
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(env['XDG_CACHE_HOME']!, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: home, env });
  await runIn(terminal, words);
  return { out: out(), err: err() };
}

async function told(...words: string[]) {
  return JSON.parse((await run(...words, '--format', 'json')).out);
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
  readonly cost_source: string | null;
  readonly messages: number;
  readonly copied_requests: number;
}

interface LeftOut {
  readonly agent: string;
  readonly why: string;
}

interface Row extends Figures {
  readonly agent: string;
  readonly session: string;
  readonly model: string | null;
}

describe('a session', () => {
  it('has the same figures everywhere, with its sub-agents', async () => {
    const { sessions, total } = (await told('sessions', '--top', '999')) as { sessions: Session[]; total: Figures };
    const { rows, totals } = (await told('stats', '--by', 'agent,session', '@all')) as {
      rows: Row[];
      totals: Figures;
    };
    expect(sessions.length).toBeGreaterThan(existsSync(SHARED) ? 50 : 12);
    expect(figuresOf(total)).toEqual(figuresOf(totals));
    expect(rows).toHaveLength(sessions.filter(({ requests }) => requests! > 0).length);
    for (const [index, session] of sessions.entries()) {
      const { agent, id, requests, copied_requests: copied } = session;
      const name = `@${agent}:${id}`;
      const row = rows.find((one) => one.agent === agent && one.session === id);
      if (requests! > 0) expect([name, figuresOf(row!)]).toEqual([name, figuresOf(session)]);
      if (requests! + copied === 0 || !(ALL || copied > 0 || index % 3 === 0)) continue;
      const how = ['computed', 'recorded'].includes(session.cost_source!) ? ['--recorded'] : []; // which is faster
      const alone = (await told('stats', ...how, name)).totals as Figures;
      if (copied > 0) expect([name, alone.requests]).toEqual([name, requests! + copied]);
      else expect([name, figuresOf(alone)]).toEqual([name, figuresOf(session)]);
    }
    const main = (await told('stats', '--recorded', `${home}/.claude/projects/-w-app/${OWN}.jsonl`)).totals;
    const own = sessions.find(({ id }) => id === OWN)!;
    expect(own.requests! + own.copied_requests).toBeGreaterThan(main.requests);
  });

  it('has them in a report', async () => {
    const { sessions } = (await told('sessions', '--top', '999')) as { sessions: Session[] };
    let alike = 0;
    const some = sessions.filter(({ messages }, index) => messages > 0 && (ALL || index % 8 === 0));
    for (const session of some) {
      const name = `@${session.agent}:${session.id}`;
      const { totals } = (await told('report', name)) as { totals: Figures };
      const stats = (await told('stats', name)).totals as Figures;
      expect([name, figuresOf(totals)]).toEqual([name, figuresOf(stats)]);
      if (session.requests === 0 || session.copied_requests > 0) continue; // copies count elsewhere
      alike++;
      expect([name, figuresOf(totals)]).toEqual([name, figuresOf(session)]);
    }
    expect(alike).toBeGreaterThan(some.length / 2);
  });

  it('costs something, or a person reads why not', async () => {
    const listed = (await told('sessions', '--top', '999')) as { sessions: Session[]; left_out: LeftOut[] };
    const { sessions, left_out: reasons } = listed;
    for (const { agent, id, file, messages, requests, ...session } of sessions) {
      const isKnown = session.cost_usd !== null && session.unpriced_requests === 0;
      if (isKnown || session.copied_requests > 0 || messages === 0) continue;
      const why = requests === 0 ? 'no usage of its own' : 'have no cost';
      const isSaid = reasons.some((one) => one.why.includes(why) && (requests! > 0 || one.agent === agent));
      expect([agent, id, file, isSaid]).toEqual([agent, id, file, true]);
    }
    const models = new Set((await told('stats', '--by', 'model', '@all')).rows.flatMap(unpricedModel));
    expect(models.size).toBeGreaterThan(1);
    for (const model of models) {
      const why = model === null ? 'no model is recorded' : `no price is known for ${model}`;
      expect(reasons.map((one) => one.why)).toContainEqual(expect.stringContaining(why));
    }
  });
});

function unpricedModel({ model, unpriced_requests: unpriced }: Row): (string | null)[] {
  return unpriced! > 0 ? [model] : [];
}

it('names a file without usage of a session that has some', async () => {
  const mute = `.claude/projects/-w-app/${OWN}/subagents/agent-c3.jsonl`;
  const row = { type: 'user', uuid: 'c3', sessionId: OWN, agentId: 'c3', isSidechain: true };
  writeFileSync(join(home, mute), `${JSON.stringify({ ...row, message: { role: 'user', content: 'Go' } })}\n`);
  try {
    const { left_out: all } = (await told('sessions', '--agent', 'claude-code', '--top', '999')) as {
      left_out: (LeftOut & { path: string })[];
    };
    const named = all.filter(({ why }) => why.startsWith('no usage is recorded in it'));
    expect(named.map(({ path }) => path).filter((path) => path.includes(OWN))).toEqual([join(home, mute)]);
  } finally {
    rmSync(join(home, mute));
  }
});

/** A session of three requests of $0.30 each, and another one that repeats them before two of its own. */
describe('a fork', () => {
  const reply = (id: string, number: number) =>
    [
      { type: 'user', message: { role: 'user', content: `Step ${number}` } },
      {
        ...{ type: 'assistant', requestId: `req_${number}` },
        message: {
          ...{ id: `msg_${number}`, role: 'assistant', model: 'claude-sonnet-4-5', content: [] },
          usage: { input_tokens: 100_000, output_tokens: 0 }, // $3 a million: https://claude.com/pricing (2026-11)
        },
      },
    ].map((row, at) => ({
      ...{ uuid: `${number}-${at}`, parentUuid: number + at === 0 ? null : `${number + at - 1}-${1 - at}` },
      ...{ sessionId: id, timestamp: `2026-11-0${number + 1}T10:00:0${at}Z`, ...row },
    }));
  const write = (id: string, numbers: readonly number[]) => {
    const path = join(home, `.claude/projects/-w-forks/${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    const rows = numbers.flatMap((number) => reply(id, number));
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };

  it('costs what it does itself, and what it repeats is said', async () => {
    write('parent-1', [0, 1, 2]);
    write('forked-1', [0, 1, 2, 3, 4]);
    const { sessions } = (await told('sessions', '--project', 'forks', '--top', '99')) as { sessions: Session[] };
    const figures = sessions.map(({ id, requests, cost_usd, copied_requests }) => [
      id,
      requests,
      cost_usd,
      copied_requests,
    ]);
    expect(figures).toEqual([
      ['forked-1', 2, 0.6, 3],
      ['parent-1', 3, 0.9, 0],
    ]);
    expect((await run('sessions', '--project', 'forks')).out).toContain(
      'copied from an earlier session, and counted there: 3 requests ($0.90) in 1 fork',
    );
    const said = 'ctx-trim: copied from @parent-1, where sessions and @all count it: 3 requests ($0.90)\n';
    for (const words of [['stats'], ['stats', '--recorded'], ['report', '--format', 'json']]) {
      expect((await run(...words, '@forked-1')).err).toContain(said);
      expect((await run(...words, '@parent-1')).err).not.toContain('copied');
    }
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
      '8b20078e-2d5e-4f81-a640-9b879bbb7e6d',
      '.gemini/tmp/h/chats/session-2026-03-27T10-19-8b20078e.jsonl',
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
