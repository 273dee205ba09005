/** Where the fork of a session belongs, what it is made of, and what stays with the old one: for each agent. */
import { describe, expect, it } from 'vitest';
import type { Fork, ForkOf } from '../../src/formats/fork.js';
import { FORKS } from '../../src/formats/forks.js';
import { bytesOf, linesOf } from '../../src/formats/resume.js';

const forkNamed = (agent: string): Fork => FORKS.find((one) => one.agent === agent)!;
const TIME = new Date(2026, 0, 2, 3, 4, 5).getTime();
const ISO = new Date(TIME).toISOString();
const of = (path: string, project?: string): ForkOf => ({ id: 'new', path, time: TIME, project });
const records = (values: readonly object[]) =>
  linesOf(Buffer.from(values.map((one) => `${JSON.stringify(one)}\n`).join('')));
const made = (agent: string, values: readonly object[], [first, last]: readonly [number, number], fork: ForkOf) =>
  bytesOf(forkNamed(agent).lines(records(values), { first, last }, fork))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

it('ids hold the time for Codex and pi', () => {
  expect(FORKS.map(({ agent, idsByTime }) => [agent, idsByTime])).toEqual([
    ['claude-code', false],
    ['codex', true],
    ['pi', true],
  ]);
});

/** Claude Code 2.1.332 (2026-11-26) */
describe('Claude Code', () => {
  const fork = forkNamed('claude-code');
  const PATH = '/h/.claude/projects/-p-app/old.jsonl';

  it.each<[string, ForkOf, string]>([
    ['beside the old one', of(PATH), '/h/.claude/projects/-p-app/new.jsonl'],
    ['of another project', of(PATH, '/q/b.c'), '/h/.claude/projects/-q-b-c/new.jsonl'],
    ['of a file elsewhere', of('/tmp/old.jsonl'), '/home/-p-app-1/new.jsonl'],
    ['of another project and a file elsewhere', of('/tmp/old.jsonl', '/q'), '/home/-q/new.jsonl'],
    ['of Windows', of('C:\\u\\projects\\x\\old.jsonl'), 'C:\\u\\projects\\x/new.jsonl'],
  ])('belongs %s', (_, one, place) => {
    expect(fork.place(one, '/home', '/p/app 1')).toBe(place);
  });

  it('has a folder beside it, and its tasks at its end', () => {
    expect(fork.beside!(PATH)).toBe('/h/.claude/projects/-p-app/old');
    expect(fork.atItsEnd!(of(PATH))).toEqual([
      ['/h/.claude/tasks/old', '/h/.claude/tasks/new'],
      ['/h/.claude/todos/old-agent-old.json', '/h/.claude/todos/new-agent-new.json'],
    ]);
    expect(fork.atItsEnd!(of('/tmp/old.jsonl'))).toEqual([]);
  });

  it('leaves files with the old one, and the plan that it named last', () => {
    const beside = '/h/.claude/projects/-p-app/old';
    const files = [
      ['copies of files for going back', '/h/.claude/file-history/old'],
      ['long results, where messages name them', `${beside}/tool-results`],
      ['pasted images', '/h/.claude/image-cache/old'],
      ['scripts of workflows', `${beside}/workflows`],
      ['agents elsewhere', `${beside}/remote-agents`],
      ['variables of the shell', '/h/.claude/session-env/old'],
    ];
    expect(fork.stays!(of(PATH), records([{ type: 'user' }, { slug: 5 }]))).toEqual(files);
    const planned = records([{ slug: 'first' }, { slug: 'last' }, { type: 'user' }]);
    expect(fork.stays!(of(PATH), planned)).toEqual([...files, ['the plan', '/h/.claude/plans/last.md']]);
    expect(fork.stays!(of('/tmp/old.jsonl'), planned)).toEqual([]);
  });

  it('has what is kept under the new id, and nothing that is of the old one', () => {
    const said = (uuid: string, parentUuid: string | null) => ({
      ...{ type: 'user', uuid, parentUuid, sessionId: 'old', cwd: '/p', slug: 's', teamName: 't', agentName: 'a' },
      message: { role: 'user', content: uuid },
    });
    const values = [
      { type: 'mode', mode: 'a', sessionId: 'old' },
      { type: 'relocated', sessionId: 'old' },
      said('a', null),
      { type: 'summary', leafUuid: 'a' },
      said('b', 'a'),
      { type: 'summary', leafUuid: 'b' },
      ...['file-history-snapshot', 'last-prompt', 'queue-operation', 'cost-state'].map((type) => ({
        type,
        sessionId: 'old',
      })),
      said('c', 'b'),
      said('d', 'c'),
    ];
    const kept = (uuid: string, parentUuid: string | null, more: object = {}) => ({
      ...{ type: 'user', uuid, parentUuid, sessionId: 'new', cwd: '/p', message: { role: 'user', content: uuid } },
      ...{ forkedFrom: { sessionId: 'old', messageUuid: uuid }, ...more },
    });
    const mode = { type: 'mode', mode: 'a', sessionId: 'new' };
    expect(made('claude-code', values, [5, 11], of(PATH))).toEqual([
      ...[mode, { type: 'relocated', sessionId: 'new' }],
      ...[kept('b', null), { type: 'summary', leafUuid: 'b' }, kept('c', 'b')],
    ]);
    expect(made('claude-code', values, [11, 12], of(PATH, '/q'))).toEqual([
      ...[mode, kept('c', null, { cwd: '/q' }), kept('d', 'c', { cwd: '/q' })],
    ]);
  });
});

/** codex-rs, rollout/src/recorder.rs; Codex 0.171.0 (2026-11-26) */
describe('Codex', () => {
  const fork = forkNamed('codex');
  const PATH = '/h/.codex/sessions/2025/12/31/rollout-2025-12-31T00-00-00-old.jsonl';
  const NAME = '2026/01/02/rollout-2026-01-02T03-04-05-new.jsonl';

  it('belongs into the folder of the day, by the time and the id', () => {
    expect(fork.place(of(PATH), '/home', '/p')).toBe(`/h/.codex/sessions/${NAME}`);
    expect(fork.place(of('/h/.codex/archived_sessions/x.jsonl'), '/home', '/p')).toBe(`/h/.codex/sessions/${NAME}`);
    expect(fork.place(of('/tmp/x.jsonl'), '/home', '/p')).toBe(`/home/${NAME}`);
  });

  it('leaves its name, its goal and its images', () => {
    const lines = records([
      { type: 'turn_context', payload: {} },
      { type: 'session_meta', payload: { id: 'old' } },
    ]);
    expect(fork.stays!(of(PATH), lines)).toEqual([
      ['the name', '/h/.codex/session_index.jsonl'],
      ['goal and queued prompts, which are in databases', '/h/.codex/goals_1.sqlite'],
      ['generated images', '/h/.codex/generated_images/old'],
    ]);
    expect(fork.stays!(of('/tmp/x.jsonl'), lines)).toEqual([]);
  });

  it('has its header, the last settings before what is kept, and all totals', () => {
    const line = (type: string, payload: object, more: object = {}) => ({ timestamp: 't', type, payload, ...more });
    const values = [
      line('session_meta', { id: 'old', session_id: 'old', cwd: '/p', timestamp: 't' }, { ordinal: 0 }),
      line('turn_context', { cwd: '/p', model: 'one' }),
      line('response_item', { n: 1 }, { ordinal: 2 }),
      line('event_msg', { type: 'token_count', n: 1 }),
      line('turn_context', { cwd: '/p', model: 'two' }),
      line('response_item', { n: 2 }, { ordinal: 5 }),
      line('turn_context', { cwd: '/p', model: 'three' }),
      line('response_item', { n: 3 }),
    ];
    const header = { id: 'new', session_id: 'new', cwd: '/p', timestamp: ISO, forked_from_id: 'old' };
    expect(made('codex', values, [6, 7], of(PATH))).toEqual([
      line('session_meta', header, { ordinal: 0 }),
      line('turn_context', { cwd: '/p', model: 'two' }),
      line('event_msg', { type: 'token_count', n: 1 }),
      line('response_item', { n: 2 }, { ordinal: 3 }),
      line('turn_context', { cwd: '/p', model: 'three' }),
    ]);
    expect(made('codex', values, [6, 6], of(PATH, '/q'))).toEqual([
      line('session_meta', { ...header, cwd: '/q' }, { ordinal: 0 }),
      line('turn_context', { cwd: '/q', model: 'two' }),
      line('event_msg', { type: 'token_count', n: 1 }),
      line('response_item', { n: 2 }, { ordinal: 3 }),
    ]);
    const bare = [line('session_meta', { id: 'old' }), line('response_item', {})];
    expect(made('codex', bare, [2, 2], of(PATH, '/q'))).toEqual([
      line('session_meta', { id: 'new', timestamp: ISO, forked_from_id: 'old' }),
      line('response_item', {}),
    ]);
  });
});

/** @mariozechner/pi-coding-agent 0.73.1 (2026-11-26) */
describe('pi', () => {
  const fork = forkNamed('pi');
  const PATH = '/h/.pi/agent/sessions/--p-app--/2025_old.jsonl';
  const NAME = `${ISO.replace(/[:.]/g, '-')}_new.jsonl`;

  it.each<[ForkOf, string]>([
    [of(PATH), `/h/.pi/agent/sessions/--p-app--/${NAME}`],
    [of(PATH, '/q/b'), `/h/.pi/agent/sessions/--q-b--/${NAME}`],
    [of('/tmp/x.jsonl'), `/home/--p-x--/${NAME}`],
    [of('/tmp/x.jsonl', 'C:\\q'), `/home/--C--q--/${NAME}`],
  ])('belongs into the folder of its project: %o', (one, place) => {
    expect(fork.place(one, '/home', '/p/x')).toBe(place);
  });

  it('has its header, the last settings as its way, and what is kept behind them', () => {
    const entry = (id: string, parentId: string | null, type: string, more: object = {}) => ({
      type,
      id,
      parentId,
      ...more,
    });
    const header = { type: 'session', version: 3, id: 'old', timestamp: 't', cwd: '/p' };
    const values = [
      header,
      entry('a', null, 'model_change', { modelId: 'one' }),
      entry('b', 'a', 'message'),
      entry('c', 'b', 'session_info', { name: 'x' }),
      entry('d', 'c', 'message'),
      entry('e', 'd', 'message'),
      entry('f', 'e', 'label', { targetId: 'b' }),
      entry('g', 'e', 'label', { targetId: 'd' }),
      entry('h', 'e', 'compaction', { firstKeptEntryIndex: 5 }),
    ];
    const first = { ...header, id: 'new', timestamp: ISO, parentSession: PATH };
    const settings = [
      entry('a', null, 'model_change', { modelId: 'one' }),
      entry('c', 'a', 'session_info', { name: 'x' }),
    ];
    expect(made('pi', values, [5, 9], of(PATH))).toEqual([
      ...[first, ...settings, entry('d', 'c', 'message'), entry('e', 'd', 'message')],
      ...[entry('g', 'e', 'label', { targetId: 'd' }), entry('h', 'e', 'compaction', { firstKeptEntryIndex: 4 })],
    ]);
    expect(made('pi', values, [6, 6], of(PATH, '/q'))).toEqual([
      ...[{ ...first, cwd: '/q' }, ...settings, entry('e', 'c', 'message')],
    ]);
    expect(made('pi', [header, entry('b', 'a', 'message')], [2, 2], of(PATH))).toEqual([
      first,
      entry('b', null, 'message'),
    ]);
  });

  it('counts what a compaction keeps from the first entry behind the header at the least', () => {
    const said = (id: string) => ({ type: 'message', id, parentId: null });
    const compaction = (firstKeptEntryIndex: number) => ({
      ...{ type: 'compaction', id: 'x', parentId: 'd', firstKeptEntryIndex },
    });
    const kept = (index: number, first: number) => {
      const values = [{ type: 'session', id: 'old', cwd: '/p' }, ...['a', 'b', 'c', 'd'].map(said), compaction(index)];
      return made('pi', values, [first, 6], of(PATH)).at(-1).firstKeptEntryIndex;
    };
    expect([1, 2, 3, 4].map((index) => kept(index, 2))).toEqual([1, 2, 3, 4]);
    expect([1, 2, 3, 4].map((index) => kept(index, 4))).toEqual([1, 1, 1, 2]);
  });

  it('has no header where the old one has none, and its labels only where their entries are', () => {
    const said = (id: string, parentId: string | null) => ({ type: 'message', id, parentId });
    const label = (targetId: unknown) => ({ type: 'label', id: 'l', parentId: 'b', targetId });
    const values = [said('a', null), said('b', 'a'), label('a'), label('b'), label(null)];
    expect(made('pi', values, [2, 5], of(PATH))).toEqual([said('b', null), label('b'), label(null)]);
  });
});
