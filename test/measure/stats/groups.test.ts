/** Groups and sums of requests, compared with a plain model; titles of sessions, by hand. */
import { describe, expect, it } from 'vitest';
import { GROUP_KEYS, type GroupingBy, type Origin } from '../../../src/measure/stats/group-keys.js';
import { createGroups, type Grouping } from '../../../src/measure/stats/groups.js';
import type { RequestFacts } from '../../../src/measure/stats/request.js';
import { addSums, sumRequests } from '../../../src/measure/stats/request-sum.js';
import { sessionTitle } from '../../../src/measure/stats/title.js';
import type { Message, Transcript } from '../../../src/transcript/types.js';
import { NO_USAGE } from '../../../src/transcript/usage.js';
import { randomFrom } from '../../shared/malform.js';

const DAYS = ['2026-01-31', '2026-02-01', '2026-02-02'];
/** 2026-02-02 is a Monday. */
const WEEKS = ['2026-01-26', '2026-01-26', '2026-02-02'];
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const windowOf = (model: string) => ({ m1: 100, m2: 200 })[model];

function request(more: Partial<RequestFacts> & { readonly input?: number } = {}): RequestFacts {
  const { input = 10, ...rest } = more;
  return {
    ...{ key: undefined, index: 1, model: 'm1', session: 's', branch: undefined, time: undefined, requests: 1 },
    ...{ usage: { ...NO_USAGE, input, output: 1 }, cost: 5n, costSource: 'computed', tokensSource: 'recorded' },
    ...rest,
  } as RequestFacts;
}
const origin = (more: Partial<Origin> = {}): Origin => ({
  file: 'a/b.jsonl',
  line: 1,
  format: 'x',
  turnStarts: [],
  ...more,
});
const grouped = (by: readonly GroupingBy[], rows: readonly (readonly [RequestFacts, Origin])[], more: object = {}) => {
  const grouping: Grouping<Origin> = { by, originOf: (owner) => owner, dayOf, windowOf, ...more };
  const groups = createGroups(grouping);
  for (const [at, [one, owner]] of rows.entries()) groups.add(one, owner, at);
  return groups.close();
};

describe('groups', () => {
  const random = randomFrom(3);
  const one = <T>(list: readonly T[]) => list[random(list.length)]!;
  const origins = ['a/b.jsonl', 'c.jsonl', 'stdin'].flatMap((file) =>
    [1, 2].map((line) => origin({ file, line, title: `${file} ${line}`, ...(line === 2 ? { project: '/p' } : {}) })),
  );
  const owners = [...origins, origin({ agent: 'sub', title: 'a/b.jsonl 1' })];
  const folders = new Map<string, string | undefined>([
    ['a/b.jsonl', 'a'],
    ['c.jsonl', '.'],
    ['stdin', undefined],
  ]);
  const rows = Array.from({ length: 300 }, () => {
    const day = random(4);
    const time = day === 3 ? undefined : Date.parse(`${DAYS[day]}T1${random(9)}:00:00Z`);
    const names = {
      model: one(['m1', 'm2', undefined]),
      session: one(['s', 't', undefined]),
      branch: one(['main', undefined]),
    };
    return [
      request({ ...names, time, index: random(3), input: random(90), cost: one([1n, 7n, 0n]) }),
      one(owners),
    ] as const;
  });

  it.each<readonly GroupingBy[]>([...GROUP_KEYS.map((key) => [key]), ['model', 'day'], ['project', 'week', 'branch']])(
    'by %s%s%s have the requests that share these names, and their sums',
    (...keys) => {
      const by = keys.filter((key) => typeof key === 'string');
      const nameOf = ([{ model, session, branch, time }, { file, line, project, title }]: (typeof rows)[number]) => {
        const day = time === undefined ? undefined : dayOf(time);
        const names: Readonly<Record<string, string | undefined>> = {
          ...{ model, branch, day, title, file, session: session ?? `${file}:${line}` },
          ...{ project: project ?? folders.get(file), month: day?.slice(0, 7), week: WEEKS[DAYS.indexOf(day ?? '')] },
        };
        return by.map((key) => names[key] ?? '(unknown)');
      };
      const expected = new Map<string, (typeof rows)[number][]>();
      for (const row of rows) {
        const key = nameOf(row).join('|');
        expected.set(key, [...(expected.get(key) ?? []), row]);
      }
      const { paid, groups } = grouped(by, rows);
      expect(groups.map(({ names }) => names.join('|'))).toEqual([...expected.keys()]);
      const all = sumRequests(rows.map(([own]) => own));
      expect(paid).toEqual(all);
      for (const group of groups) {
        const own = expected.get(group.names.join('|'))!;
        expect(group).toMatchObject(sumRequests(own.map(([facts]) => facts)));
        const same = <T>(list: readonly T[]) => (new Set(list).size === 1 ? list[0] : undefined);
        expect(group.file).toBe(same(own.map(([, { file }]) => file)));
        expect(group.line).toBe(same(own.map(([, { line }]) => line)));
        expect(group.index).toBe(same(own.map(([{ index }]) => index)));
        expect(group.session).toBe(same(own.map(([{ session }]) => session)));
        expect(group.model).toBe(same(own.map(([{ model }]) => model)));
        expect(group.branch).toBe(same(own.map(([{ branch }]) => branch)));
        expect(group.share).toBeCloseTo(Number(group.knownCost) / Number(all.knownCost));
        const fill = own.flatMap(([{ model, usage }]) => (model === undefined ? [] : [usage.input / windowOf(model)!]));
        expect(group.window).toBe(fill.length === 0 ? undefined : Math.max(...fill));
      }
    },
  );

  it('without a grouping are one sum', () => {
    const groups = createGroups<Origin>(undefined);
    for (const [at, [own, owner]] of rows.entries()) groups.add(own, owner, at);
    expect(groups.close()).toEqual({ paid: sumRequests(rows.map(([own]) => own)), groups: [] });
  });

  it('by request and turn are named by their place', () => {
    const own = origin({ turnStarts: [0, 4], agent: 'sub' });
    const two = [
      [request({ index: 1 }), own],
      [request({ index: 4 }), own],
    ] as const;
    const names = (by: GroupingBy) => grouped([by], two).groups.flatMap((group) => group.names);
    expect(names('request')).toEqual(['a/b.jsonl:1/sub#1', 'a/b.jsonl:1/sub#4']);
    expect(names('turn')).toEqual(['a/b.jsonl:1/sub turn 1', 'a/b.jsonl:1/sub turn 2']);
    expect(names('transcript')).toEqual(['a/b.jsonl:1/sub']);
  });

  it('bear the title of the session that came first, and the project as it is called', () => {
    const first = origin({ title: 'First', project: '/p' });
    const second = origin({ title: 'Second', project: '/p' });
    const { groups } = grouped(
      ['title'],
      [
        [request(), first],
        [request(), second],
      ],
    );
    expect(groups.map(({ names, requests }) => [names, requests])).toEqual([[['First'], 2]]);
    const called = grouped(['project'], [[request(), first]], { projectOf: (folder: string) => `the ${folder}` });
    expect(called.groups.map(({ names }) => names)).toEqual([['the /p']]);
  });

  it('are in the order of their requests, in whatever order these came', () => {
    const groups = createGroups<Origin>({ by: ['model'], originOf: (owner) => owner, dayOf, windowOf });
    for (const [model, order] of [
      ['a', 5],
      ['b', 3],
      ['a', 1],
    ] as const)
      groups.add(request({ model }), origin(), order);
    expect(groups.close().groups.map(({ names: [name] }) => name)).toEqual(['a', 'b']);
  });
});

describe('a sum', () => {
  const usage = (input: number) => ({ ...NO_USAGE, input, output: 1 });

  it.each<[readonly Partial<RequestFacts>[], object]>([
    [[], { requests: 0, total: 0, cost: 0n, unpriced: 0, costSource: undefined, tokensSource: undefined }],
    [[{}, { cost: 7n }], { requests: 2, total: 22, cost: 12n, knownCost: 12n, costSource: 'computed', unpriced: 0 }],
    [
      [{}, { cost: undefined, costSource: 'unpriced' }],
      { cost: undefined, knownCost: 5n, unpriced: 1, costSource: 'computed' },
    ],
    [[{ cost: undefined, costSource: 'unpriced', requests: 0 }], { requests: 0, unpriced: 1, costSource: 'unpriced' }],
    [[{ cost: undefined, costSource: 'unpriced', requests: 3 }], { requests: 3, unpriced: 3, cost: undefined }],
    [[{ costSource: 'recorded' }, { costSource: 'estimated' }, {}], { costSource: 'estimated' }],
    [[{ costSource: 'recorded' }, {}], { costSource: 'computed' }],
    [[{ tokensSource: 'estimated' }, {}], { tokensSource: 'estimated', isRecorded: true }],
    [[{ tokensSource: 'exact' }], { tokensSource: 'exact', isRecorded: false }],
    [[{}, { isRemainder: true }], { unexplained: { usage: usage(10), cost: 5n } }],
    [
      [{ isRemainder: true }, { isRemainder: true }],
      { unexplained: { usage: { ...usage(20), output: 2 }, cost: 10n } },
    ],
    [
      [{ isRemainder: true }, { isRemainder: true, cost: undefined, costSource: 'unpriced' }],
      { unexplained: { usage: { ...usage(20), output: 2 }, cost: undefined } },
    ],
    [[{ isRemainder: true, usage: NO_USAGE, cost: 0n }], { unexplained: undefined }],
    [[{ isRemainder: true, usage: NO_USAGE, cost: 1n }], { unexplained: { usage: NO_USAGE, cost: 1n } }],
  ])('of %o', (requests, expected) => {
    const facts = requests.map((more) => request(more));
    expect(sumRequests(facts)).toMatchObject(expected);
    expect(addSums(facts.map((one) => sumRequests([one])))).toEqual(sumRequests(facts));
    expect(addSums([sumRequests(facts)])).toEqual(sumRequests(facts));
  });
});

describe('the title of a session', () => {
  const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
  const titleOf = (...messages: readonly Message[]) =>
    sessionTitle({ format: 'x', traits: {}, messages } as Transcript);

  it.each<[string, string | undefined]>([
    ['Fix it', 'Fix it'],
    ['  two\n\n lines\t', 'two lines'],
    ['# Plan\n## Steps\nDo', 'Plan Steps Do'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(99)}…`],
    [`${'x'.repeat(98)} yy`, `${'x'.repeat(98)}…`],
    ['😀'.repeat(100), '😀'.repeat(100)],
    ['😀'.repeat(150), `${'😀'.repeat(99)}…`],
    ['# Context from my IDE setup:\nopen: a.ts\n## My request for Codex:\nDo it', 'Do it'],
    ['<environment_context>a <b>c</b></environment_context>', 'a c'],
    ['', undefined],
  ])('of the prompt %j', (text, title) => {
    expect(titleOf(user(text))).toBe(title);
  });

  it.each(['<command-name>x', '# AGENTS.md of here', 'Caveat: these', '[Request interrupted by user]', '  '])(
    'is that of the prompt behind %j',
    (injected) => {
      expect(titleOf(user(injected), { role: 'assistant', parts: [{ type: 'text', text: 'no' }] }, user('Do'))).toBe(
        'Do',
      );
    },
  );

  it('is what the agent or the user called it', () => {
    const named = { format: 'x', traits: {}, messages: [user('Do')], title: 'A  name' } as unknown as Transcript;
    expect(sessionTitle(named)).toBe('A name');
    expect(sessionTitle({ ...named, titleIn: () => 'By a message' })).toBe('By a message');
    expect(sessionTitle({ ...named, titleIn: () => undefined })).toBe('A name');
    const left = { ...named, title: undefined, abandoned: { main: named, context: [user('Before')] } } as Transcript;
    expect(sessionTitle(left)).toBe('Before');
  });
});

it('groups without a cost and without tokens have no share', () => {
  const none = { usage: { ...NO_USAGE, input: 0 }, cost: undefined } as Partial<RequestFacts>;
  const rows = ['m1', 'm2'].map((model) => [request({ ...none, model }), origin()] as const);
  expect(grouped(['model'], rows).groups.map(({ share }) => share)).toEqual([0, 0]);
});
