/** A log is a tree: the way to the last message is the transcript, what the user left is an abandoned branch. */
import { describe, expect, it } from 'vitest';
import { examineSession } from '../../src/engine/check/sessions.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Transcript } from '../../src/transcript/types.js';
import { examine } from '../shared/examined.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, sourceOf } from '../shared/opened.js';
import { type Random, randomFrom } from '../shared/random-histories.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

interface Case {
  readonly file: string;
  readonly provider: string;
  /** The ids of the lines with messages: of the main way, then of each branch. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
  readonly contexts: readonly number[];
  readonly requests: number;
}

const CASES: readonly Case[] = [
  {
    file: 'claude-code/hand-order.jsonl',
    provider: 'anthropic',
    ways: { s: ['u1', 'a1', 'u2', 'a2'] },
    contexts: [],
    requests: 2,
  },
  {
    file: 'claude-code/hand-branch.jsonl',
    provider: 'anthropic',
    ways: { s: ['u1', 'a1', 'u3', 'a3'], 's/branch-u2': ['u2', 'a2'] },
    contexts: [2],
    requests: 3,
  },
  {
    file: 'claude-code/hand-tree.jsonl',
    provider: 'anthropic',
    ways: {
      't-1': ['u1', 'a1', 'a2', 'r1', 'a3', 'r2', 'a4', 'u4', 'a8', 'r5', 'a9'],
      't-1/branch-a6': ['a6'],
      't-1/branch-u2': ['u2', 'a5', 'r3', 'u3', 'a7'],
    },
    contexts: [10, 13],
    requests: 7,
  },
  {
    file: 'codex-rollout/hand-rollback.jsonl',
    provider: 'openai-responses',
    ways: {
      '019f2241-882c-7f02-83c0-98d016ea60da': ['019f2241-882c-7f02-83c0-98d016ea60da', 'list test', 'rs_2', 'msg_1'],
      '019f2241-882c-7f02-83c0-98d016ea60da/branch-1': ['list src', 'rs_1'],
    },
    contexts: [1],
    requests: 0,
  },
  {
    file: 'pi-session/hand-branch.jsonl',
    provider: 'anthropic',
    ways: {
      'pi-tree-1': ['00000002', '00000003', '00000006', '00000007', '00000008', '00000009', '0000000a'],
      'pi-tree-1/branch-00000004': ['00000004', '00000005'],
    },
    contexts: [4],
    requests: 4,
  },
];

// biome-ignore lint/suspicious/noExplicitAny: lines of several formats
const nameOf = (line: any): string =>
  line.uuid ?? line.payload?.id ?? line.payload?.content?.[0]?.text ?? line.id ?? line.type;

function waysOf(transcripts: readonly Transcript[]): Record<string, string[]> {
  return Object.fromEntries(
    transcripts.map(({ id, messages }) => [
      id,
      messages.filter(({ role }) => role !== 'meta').map((message) => nameOf(JSON.parse(sourceOf(message)!))),
    ]),
  );
}

describe.each(CASES)('$file', ({ file, provider, ways, contexts, requests }) => {
  const text = fixture(file);
  const { transcripts } = openText(text);

  it('is the way to the last message, and a transcript for each abandoned branch', () => {
    expect(waysOf(transcripts)).toEqual(ways);
    const [main, ...branches] = transcripts;
    expect(main!.abandoned).toBeUndefined();
    expect(branches.map(({ abandoned }) => abandoned!.context.length)).toEqual(contexts);
  });

  it('has no finding, and is repaired nowhere', () => {
    expect(examine(text, provider, { from: file.split('/')[0]!, asRequest: false }).findings).toEqual([]);
    expect(rewriteText(text, 'patch', {})).toBe(text);
  });

  it('counts the requests of all branches', () => expect(recordedStats(text).paid.requests).toBe(requests));

  it.each([
    ['filter', { maxToolCalls: 0 }],
    ['truncate', { maxLength: 1, noMinimum: true }],
    ['strip', { keepToolNames: true }],
    ['prune', { keepTurns: 1 }],
  ])('leaves the branches to themselves in %s', (id, options) => {
    const after = rewriteText(text, id, options);
    const now = waysOf(openText(after).transcripts);
    for (const name of Object.keys(ways).slice(1)) expect(now[name], name).toEqual(ways[name]);
    expect(rewriteText(after, id, options)).toBe(after);
  });
});

it('keeps branches apart when all that stood before them goes', () => {
  for (const file of ['claude-code/hand-branch.jsonl', 'pi-session/hand-branch.jsonl']) {
    const text = fixture(file);
    const [main, branch] = openText(text).transcripts as [Transcript, Transcript];
    const late = main.messages.filter(({ role }) => role !== 'meta').slice(2);
    const after = mapText(text, (transcript) =>
      transcript.abandoned === undefined
        ? {
            ...transcript,
            messages: transcript.messages.filter(
              (one) =>
                one.role === 'meta' ||
                sourceOf(late[0]!) === sourceOf(one) ||
                late.some((kept) => sourceOf(kept) === sourceOf(one)),
            ),
          }
        : transcript,
    );
    const now = waysOf(openText(after).transcripts);
    expect(Object.values(now)).toEqual(
      Object.values({ main: Object.values(waysOf([main]))[0]!.slice(2), ...waysOf([branch]) }),
    );
  }
});

// --- what is no branch

const edit = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const branched = linesOf(fixture('claude-code/hand-branch.jsonl'));
const without = (uuid: string, fields: object) =>
  branched.map((line) => (line.uuid === uuid ? { ...line, ...fields } : line));

it.each([
  ['an unknown parent', without('u2', { parentUuid: 'gone' })],
  ['no parent', without('u3', { parentUuid: null })],
  ['links in a circle', without('u2', { parentUuid: 'a2' })],
  ['a note of the agent itself', [...without('u2', { isMeta: true }).filter(({ uuid }) => uuid !== 'a2')]],
  ['the parent itself', without('u3', { parentUuid: 'u3' })],
])('is one way in the order of the file: %s', (_, lines) => {
  const { transcripts } = openText(edit(lines));
  expect(Object.values(waysOf(transcripts))).toEqual([lines.map(({ uuid }) => uuid)]);
});

/** `[line, its parent, its message, or the call that it makes or answers]`: damaged links once took forever. */
const ROUND = [
  ['n1', 'b1', ''],
  ['a2', 'n1', 'm1'],
  ['r2', 'a2', 'a2'],
  ['a3', 'r2', 'm1'],
  ['r3', 'a3', 'a3'],
  ['b1', 'r3', 'm2'],
  ['s1', 'b1', 'b1'],
  ['c1', 's1', 'm3'],
  ['c2', 'c1', 'm3'],
  ['t1', 'c1', 'c1'],
  ['d1', 'gone', 'm4'],
] as const;

it('ends where results hang on calls whose links go round', () => {
  const lines = ROUND.map(([uuid, parentUuid, of]) => {
    const own = { uuid, parentUuid, isSidechain: false, sessionId: 's' };
    const call = { type: 'tool_use', id: uuid, name: 'Agent', input: {} };
    const result = { type: 'tool_result', tool_use_id: of, content: 'done' };
    if (of === '') return { ...own, type: 'attachment', attachment: { type: 'hook_success', content: '' } };
    return of.startsWith('m')
      ? { ...own, type: 'assistant', message: { role: 'assistant', id: of, content: [call] } }
      : { ...own, type: 'user', message: { role: 'user', content: [result] } };
  });
  const { transcripts } = openText(edit(lines));
  const messages = ROUND.flatMap(([uuid, , of]) => (of === '' ? [] : [uuid]));
  expect(Object.values(waysOf(transcripts)).flat().sort()).toEqual(messages.sort());
});

it('is the way to the last message, not to a later line of another type, whatever that holds', () => {
  const line = { ...branched.find(({ uuid }) => uuid === 'u2'), type: 'system', uuid: 's1', parentUuid: 'a2' };
  expect(waysOf(openText(edit([...branched, line])).transcripts)).toEqual(waysOf(openText(edit(branched)).transcripts));
});

it('has a late result of parallel calls before the next request', () => {
  const lines = linesOf(fixture('claude-code/hand-tree.jsonl'));
  const at = lines.findIndex(({ uuid }) => uuid === 'r1');
  const next = lines.findIndex(({ uuid }) => uuid === 'a4');
  const late = edit([...lines.slice(0, at), ...lines.slice(at + 1, next + 1), lines[at], ...lines.slice(next + 1)]);
  expect(waysOf(openText(late).transcripts)['t-1']!.slice(0, 7)).toEqual(['u1', 'a1', 'a2', 'a3', 'r2', 'r1', 'a4']);
  expect(rewriteText(late, 'patch', {})).toBe(late);
});

it('takes a line that is there twice for one line', () => {
  const { transcripts } = openText(edit([...branched.slice(0, 2), ...branched]));
  expect(Object.values(waysOf(transcripts))).toEqual([
    ['u1', 'a1', 'u1', 'a1', 'u3', 'a3'],
    ['u2', 'a2'],
  ]);
});

it('takes a prompt without a reply beside another prompt for a branch, but not beside a result', () => {
  const prompt = branched.filter(({ uuid }) => uuid !== 'a2');
  expect(openText(edit(prompt)).transcripts).toHaveLength(2);
  const order = linesOf(fixture('claude-code/hand-order.jsonl'));
  const beside = { ...order[0], uuid: 'u9', parentUuid: 'a1' };
  expect(openText(edit([...order.slice(0, 3), beside, ...order.slice(3)])).transcripts).toHaveLength(1);
});

it('takes back several turns of Codex, and later ones, but nothing of what Codex wrote before the first', () => {
  const user = (text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  const back = (turns: number) => ({ type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: turns } });
  const texts = (lines: readonly object[]) => Object.values(waysOf(openText(edit(lines)).transcripts));
  const context = user('<environment_context>\n</environment_context>');
  const head = [context, user('one'), user('two'), context, user('three')];
  const before = context.payload.content[0]!.text;
  expect(texts([...head, back(2)])).toEqual([
    [before, 'one'],
    ['two', before, 'three'],
  ]);
  expect(texts([...head, back(1), back(1), user('four')])).toEqual([
    [before, 'one', 'four'],
    ['two'],
    [before, 'three'],
  ]);
  expect(texts([...head, back(9)])).toEqual([[before], ['one', 'two', before, 'three']]);
  expect(texts([context, back(1), back(0)])).toEqual([[before]]);
  // no number of turns: Codex reads it as u32, and skips what it cannot read
  for (const turns of [0.5, -1, 1e300])
    expect(texts([...head, back(turns)])).toEqual([[before, 'one', 'two', before, 'three']]);
});

it('a number of turns that is none is no internal error of check', () => {
  const text = edit([
    { timestamp: 't', type: 'session_meta', payload: { id: 's', cwd: '/' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] } },
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 0.5 } },
  ]);
  expect(() => examineSession(Buffer.from(text), 'rollout-s.jsonl')).not.toThrow();
});

// --- random histories

/** A valid session with abandoned branches, which end anywhere. */
function randomSession(random: Random): { readonly lines: readonly object[]; readonly main: readonly string[] } {
  const lines: object[] = [];
  const main: string[] = [];
  let id = 0;
  const put = (type: string, parent: string | null, message: object) => {
    const uuid = `${type[0]}${id++}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, id)).toISOString();
    lines.push({ parentUuid: parent, isSidechain: false, sessionId: 'r', type, uuid, timestamp, message });
    return uuid;
  };
  const turn = (from: string | null, isAbandoned: boolean): string => {
    const own = isAbandoned ? [] : main;
    let at = put('user', from, { role: 'user', content: `turn ${id}` });
    own.push(at);
    const rounds = 1 + random(3);
    for (let round = 0; round < rounds; round++) {
      const calls = round === rounds - 1 && !isAbandoned ? 0 : random(4);
      const reply = `m${id}`;
      const blocks = Array.from({ length: Math.max(1, calls) }, (_, index) => ({
        index,
        callId: `toolu_${id}_${index}`,
      }));
      const results: [string, string][] = [];
      for (const { callId } of blocks) {
        const block =
          calls === 0 ? { type: 'text', text: 'ok' } : { type: 'tool_use', id: callId, name: 'f', input: {} };
        at = put('assistant', at, {
          id: reply,
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [block],
        });
        own.push(at);
        if (calls > 0) results.push([at, callId]);
      }
      for (const [call, callId] of results) {
        if (isAbandoned && random(3) === 0) return at; // interrupted
        at = put('user', call, {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: callId, content: 'done' }],
        });
        own.push(at);
      }
    }
    return at;
  };
  let at: string | null = null;
  for (let turns = 1 + random(4); turns > 0; turns--) {
    at = turn(at, false);
    for (let branches = random(3); branches > 0 && turns > 1; branches--) {
      const left = turn(at, true);
      if (random(3) === 0) turn(left, true);
    }
  }
  return { lines, main };
}

/** Lines that change places with others nearby; the last message stays the last one. */
function shuffled<T>(lines: readonly T[], random: Random): T[] {
  const at = new Map(lines.map((line, index) => [line, index === lines.length - 1 ? index : index + random(5) - 2.5]));
  return [...lines].sort((a, b) => at.get(a)! - at.get(b)! || lines.indexOf(a) - lines.indexOf(b));
}

it('leaves valid random sessions as they are, whatever was abandoned', () => {
  let [branches, changed] = [0, 0];
  for (let seed = 0; seed < 100; seed++) {
    const { lines, main } = randomSession(randomFrom(seed));
    const text = edit(lines);
    const { transcripts } = openText(text);
    branches += transcripts.length - 1;
    const [way] = Object.values(waysOf(transcripts));
    expect(way, `seed ${seed}`).toEqual(main);
    expect(rewriteText(text, 'patch', {}), `seed ${seed}`).toBe(text);
    const mixed = edit(shuffled(lines, randomFrom(seed)));
    expect(rewriteText(mixed, 'patch', {}), `seed ${seed}, shuffled`).toBe(mixed);
    const mixedWay = Object.values(waysOf(openText(mixed).transcripts))[0]!;
    expect([...mixedWay].sort(), `seed ${seed}, shuffled`).toEqual([...main].sort());
    for (const result of transcripts.flatMap(({ messages }) => pair(messages).results))
      expect(result.standing).not.toBe('orphan');
    const broken = edit(
      lines.filter(
        (line) =>
          !main.includes((line as { uuid: string }).uuid) ||
          !JSON.stringify(line).includes('tool_result') ||
          seed % 2 > 0,
      ),
    );
    const fixed = rewriteText(broken, 'patch', {});
    if (fixed !== broken) changed++;
    const abandoned = openText(broken)
      .transcripts.slice(1)
      .flatMap(({ messages }) => messages.map((message) => sourceOf(message)!));
    const kept = new Set(fixed.split('\n'));
    expect(
      abandoned.filter((line) => !kept.has(line)),
      `seed ${seed}`,
    ).toEqual([]);
    expect(rewriteText(fixed, 'patch', {}), `seed ${seed}`).toBe(fixed);
  }
  expect(branches).toBeGreaterThan(50);
  expect(changed).toBeGreaterThan(10);
});
