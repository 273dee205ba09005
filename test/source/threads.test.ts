/** A list of messages by agent, taken apart and put together: written by hand, and in random order by a plain model. */
import { describe, expect, it } from 'vitest';
import type { Agents } from '../../src/formats/format.js';
import { parse } from '../../src/json/node.js';
import { threadsOf } from '../../src/source/threads.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { randomFrom } from '../shared/malform.js';

const TOOLS = parse('[]');
const OTHER_TOOLS = parse('[1]');

type Row = readonly [agent: string, role?: Message['role'], model?: string];

/** `a` and `b` are agents, `-` the main one. Each message is read from its place and agent: `0-`, `1a`. */
function read(rows: readonly Row[], more: Partial<Transcript> = {}, agents: Partial<Agents> = {}) {
  const messages = rows.map(([agent, role = 'user', model], index): Message => {
    const bare = { role, parts: [], raw: `${index}${agent}` };
    return model === undefined ? bare : { ...bare, model };
  });
  const agentIds = rows.map(([agent]) => (agent === '-' ? undefined : agent));
  const whole = { format: 'x', traits: {}, messages, ...more } as Transcript;
  return { whole, threads: threadsOf(whole, { threads: () => ({ agentIds, ...agents }) }) };
}
const rawsOf = ({ messages }: Transcript) => messages.map(({ raw }) => raw).join(' ');
const added = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
/** Where each message stands, with what an added one is near of. */
const listed = ({ messages }: Transcript) =>
  messages.map(({ raw, near, parts: [part] }) =>
    raw === undefined ? `+${part?.type === 'text' ? part.text : ''}@${near ?? ''}` : raw,
  );

const MIXED: readonly Row[] = [['-'], ['a', 'user'], ['-', 'meta'], ['a', 'assistant', 'm1'], ['-'], ['b'], ['a']];

describe('a list', () => {
  it('is taken apart, the main agent first, with what belongs to it', () => {
    const recorded = { tools: TOOLS, reply: {}, others: [], title: 't', id: 's', model: 'm0' };
    const { threads } = read(MIXED, recorded);
    const [main, a, b] = threads.transcripts as readonly [Transcript, Transcript, Transcript];
    expect(threads.transcripts.map(rawsOf)).toEqual(['0- 2- 4-', '1a 3a 6a', '5b']);
    expect(threads.transcripts.map(({ id, model, agent }) => [id, model, agent])).toEqual([
      ['s', 'm0', undefined],
      ['s/a', 'm1', 'a'],
      ['s/b', 'm0', 'b'],
    ]);
    expect(main).toMatchObject({ tools: TOOLS, reply: {}, others: [], title: 't' });
    expect(main.agents).toEqual([a, b]);
    for (const own of [a, b]) for (const key of ['tools', 'reply', 'others']) expect(own).not.toHaveProperty(key);
    expect(b.title).toBe('t');
  });

  it('of agents without an id has the ids of the agents', () => {
    expect(read(MIXED).threads.transcripts.map(({ id }) => id)).toEqual([undefined, 'a', 'b']);
  });

  it('of sub-agents alone gives the first what has no agent', () => {
    const { threads } = read([['-', 'meta'], ['b'], ['a'], ['b']]);
    expect(threads.transcripts.map(rawsOf)).toEqual(['0- 1b 3b', '2a']);
    const one = read([['-', 'meta'], ['b'], ['-', 'meta'], ['b']], { tools: TOOLS }).threads.transcripts;
    expect(one.map(rawsOf)).toEqual(['0- 1b 2- 3b']);
    expect(one[0]).toMatchObject({ tools: TOOLS });
    expect(one[0]!.agent).toBeUndefined();
  });

  it('in another order than that of time is taken apart in that of time', () => {
    const { threads } = read([['-'], ['a'], ['-'], ['a']], {}, { order: [3, 2, 1, 0] });
    expect(threads.transcripts.map(rawsOf)).toEqual(['2- 0-', '3a 1a']);
  });

  it('tells of an abandoned branch what it was left for, and what stood before it', () => {
    const branches = new Map([
      ['a', { after: 0 }],
      ['b', { after: 1 }],
      ['c', { after: undefined }],
    ]);
    const rows: readonly Row[] = [['-'], ['a'], ['a'], ['b'], ['c'], ['-'], ['d']];
    const [main, a, b, c, d] = read(rows, {}, { branches }).threads.transcripts as readonly Transcript[];
    const before = (one: Transcript) => one.abandoned?.context.map(({ raw }) => raw);
    expect([a, b, c, d].map((one) => before(one!))).toEqual([['0-'], ['0-', '1a'], [], undefined]);
    expect(a!.abandoned!.main.messages).toEqual(main!.messages);
  });
});

describe('transcripts', () => {
  const joined = (rows: readonly Row[], change: (one: Transcript, index: number) => Transcript) => {
    const { whole, threads } = read(rows, { tools: TOOLS, title: 't' });
    return { whole, after: threads.joined(threads.transcripts.map(change).values()) };
  };
  const withMessages = (at: number, change: (messages: readonly Message[]) => readonly Message[]) =>
    ((one, index) => (index === at ? { ...one, messages: change(one.messages) } : one)) as Parameters<typeof joined>[1];

  it('that stay are the list itself', () => {
    const { whole, after } = joined(MIXED, (one) => one);
    expect(after).toBe(whole);
  });

  it('are put together where they stood, with what the main agent has', () => {
    const { after } = joined(MIXED, (one, index) =>
      index === 0 ? { ...one, tools: OTHER_TOOLS, title: 'new' } : { ...one, messages: [...one.messages] },
    );
    expect(listed(after)).toEqual(['0-', '1a', '2-', '3a', '4-', '5b', '6a']);
    expect(after).toMatchObject({ tools: OTHER_TOOLS, title: 'new' });
    expect(after.agent).toBeUndefined();
  });

  it.each<[string, number, (messages: readonly Message[]) => readonly Message[], readonly string[]]>([
    ['at the end of the main agent', 0, (all) => [...all, added('x')], ['0- 1a 2- 3a 4- +x@4- 5b 6a']],
    ['at the end of another', 1, (all) => [...all, added('x')], ['0- 1a 2- 3a 4- 5b 6a +x@6a']],
    ['in the middle of another', 1, ([one, ...all]) => [one!, added('x'), ...all], ['0- 1a +x@1a 2- 3a 4- 5b 6a']],
    ['first', 0, (all) => [added('x'), ...all], ['+x@0- 0- 1a 2- 3a 4- 5b 6a']],
    ['first of another', 2, (all) => [added('x'), ...all], ['0- 1a 2- 3a 4- +x@5b 5b 6a']],
    [
      'behind a header, near of what is said before it',
      0,
      ([one, header, ...all]) => [one!, header!, added('x'), ...all],
      ['0- 1a 2- +x@0- 3a 4- 5b 6a'],
    ],
    ['in the place of all', 1, () => [added('x')], ['0- +x@1a 2- 4- 5b']],
    ['two in a row', 2, (all) => [...all, added('x'), added('y')], ['0- 1a 2- 3a 4- 5b +x@5b +y@5b 6a']],
  ])('get a message %s', (_, at, change, [expected]) => {
    expect(listed(joined(MIXED, withMessages(at, change)).after).join(' ')).toBe(expected);
  });

  it('lose messages, and move them behind what they follow now', () => {
    const lost = joined(
      MIXED,
      withMessages(1, (all) => all.slice(1)),
    ).after;
    expect(listed(lost).join(' ')).toBe('0- 2- 3a 4- 5b 6a');
    const { after } = joined(
      MIXED,
      withMessages(1, ([one, two, three]) => [two!, one!, three!]),
    );
    expect(listed(after).join(' ')).toBe('0- 3a 1a 2- 4- 5b 6a');
    expect(after.messages.find(({ raw }) => raw === '3a')!.near).toBe('1a');
  });

  it('of one agent get a message that is near of nothing, and a moved one that is', () => {
    const rows: readonly Row[] = [['-'], ['-'], ['-']];
    const more = joined(
      rows,
      withMessages(0, ([one, ...all]) => [one!, added('x'), ...all]),
    );
    expect(listed(more.after).join(' ')).toBe('0- +x@ 1- 2-');
    const moved = joined(
      rows,
      withMessages(0, ([one, two, three]) => [two!, one!, three!]),
    );
    expect(listed(moved.after).join(' ')).toBe('1- 0- 2-');
    expect(moved.after.messages.map(({ near }) => near)).toEqual(['0-', undefined, undefined]);
  });

  it('of a format without agents are the first', () => {
    const { whole } = read([['-'], ['a']]);
    const threads = threadsOf(whole, {});
    expect(threads.transcripts).toEqual([whole]);
    const other = { ...whole, messages: [] };
    expect(threads.joined([other].values())).toBe(other);
    expect(threads.joined([whole].values())).toBe(whole);
  });

  it('of an empty list get messages', () => {
    const { threads } = read([]);
    const after = threads.joined(threads.transcripts.map((one) => ({ ...one, messages: [added('x')] })).values());
    expect(listed(after)).toEqual(['+x@']);
  });

  it('changed at random keep the order of each agent, and of all that stay', () => {
    const random = randomFrom(7);
    for (let round = 0; round < 200; round++) {
      const rows = Array.from({ length: 1 + random(8) }, (): Row => [['-', 'a', 'b'][random(3)]!]);
      const { threads } = read(rows);
      const changed = threads.transcripts.map((one) => ({
        ...one,
        messages: one.messages.flatMap((message) => {
          const kept = random(4) === 0 ? [] : [message];
          return random(4) === 0 ? [...kept, added(`${one.agent ?? '-'}${random(1000)}`)] : kept;
        }),
      }));
      const list = listed(threads.joined(changed.values())).map((word) => String(word).replace(/@.*/, ''));
      const ofAgent = (agent: string) => (changed.length === 1 ? list : list.filter((word) => word.includes(agent)));
      for (const one of changed)
        expect(ofAgent(one.agent ?? '-')).toEqual(listed(one).map((word) => String(word).replace(/@.*/, '')));
      const kept = list.filter((word) => !word.startsWith('+'));
      expect(kept).toEqual([...kept].sort());
      expect(list).toHaveLength(changed.reduce((sum, { messages }) => sum + messages.length, 0));
    }
  });
});
