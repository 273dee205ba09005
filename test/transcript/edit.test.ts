/** What a transform does not touch stays the same object; what it leaves out takes along what was for it alone. */
import { describe, expect, it } from 'vitest';
import {
  inGroups,
  mapMessages,
  mapParts,
  withMessages,
  withoutLooseThoughts,
  withoutPartsOf,
} from '../../src/transcript/edit.js';
import { grouped, hasContent, joinTexts, longest, textOf } from '../../src/transcript/text.js';
import { currentRun, turns } from '../../src/transcript/turns.js';
import type { Message, Part, Role, Transcript } from '../../src/transcript/types.js';
import { addUsage, NO_USAGE, promptTokens, subtractUsage } from '../../src/transcript/usage.js';

const text = (said: string): Part => ({ type: 'text', text: said });
const thought = (said: string): Part => ({ type: 'thinking', text: said });
const call = (callId: string): Part => ({ type: 'call', callId, tool: 't', input: '{}' });
const result = (callId: string): Part => ({ type: 'result', callId, content: [] });
const message = (role: Role, ...parts: Part[]): Message => ({ role, parts, raw: {} });
const transcriptOf = (...messages: Message[]): Transcript =>
  ({
    format: 'f',
    traits: {},
    model: undefined,
    messages,
    tools: undefined,
    source: undefined,
  }) as unknown as Transcript;

describe('the same object', () => {
  const [one, two] = [message('user', text('a')), message('assistant', text('b'), call('c'))];
  const transcript = transcriptOf(one, two);

  it('is a transcript with its own messages', () => {
    expect(withMessages(transcript, [one, two])).toBe(transcript);
    for (const other of [[one], [two, one], [one, two, one], [one, { ...two }], []])
      expect(withMessages(transcript, other)).toEqual({ ...transcript, messages: other });
    expect(mapMessages(transcript, (same) => same)).toBe(transcript);
    expect(mapMessages(transcript, (same, index) => (index === 1 ? one : same)).messages).toEqual([one, one]);
  });

  it('is a message with its own parts', () => {
    expect(mapParts(two, (part) => part)).toBe(two);
    const changed = mapParts(two, (part) => (part.type === 'call' ? text('d') : part));
    expect(changed).toEqual({ ...two, parts: [text('b'), text('d')] });
    expect(changed.parts[0]).toBe(two.parts[0]);
  });

  it('is a message without parts that it does not have', () => {
    expect(withoutPartsOf(two, new Set(one.parts))).toBe(two);
    expect(withoutPartsOf(two, new Set([two.parts[0]!]))).toEqual({ ...two, parts: [two.parts[1]] });
  });
});

it.each<[string, Part, boolean]>([
  ['a text', text('a'), true],
  ['an empty text', text(''), false],
  ['a thought', thought('a'), false],
  ['a call', call('a'), true],
  ['a result', result('a'), true],
  ['an image', { type: 'media', kind: 'image' }, true],
  ['what nobody knows', { type: 'opaque' }, true],
])('of a message of which %s is left, that is left: %j %s', (_, left, stays) => {
  const gone = call('gone');
  const whole = message('assistant', left, gone);
  expect(withoutPartsOf(whole, new Set([gone]))).toEqual(stays ? { ...whole, parts: [left] } : undefined);
  expect(hasContent(left)).toBe(stays && left.type !== 'call' && left.type !== 'result');
});

describe('pieces of one message', () => {
  it.each<[string, Message[], string]>([
    ['calls in a row', [message('assistant', call('a')), message('assistant', call('b'))], '1 1'],
    ['a text begins the next', [message('assistant', call('a')), message('assistant', text('b'))], '1 2'],
    ['a text, and its calls', [message('assistant', text('b')), message('assistant', call('a'))], '1 1'],
    [
      'a result stands between',
      [message('assistant', call('a')), message('tool', result('a')), message('assistant', call('b'))],
      '1 - 3',
    ],
    [
      'a record stands between',
      [message('assistant', call('a')), message('meta'), message('assistant', call('b'))],
      '1 - 1',
    ],
    [
      'the user hasContent',
      [message('assistant', call('a')), message('user', text('x')), message('assistant', call('b'))],
      '1 - 3',
    ],
    [
      'a result of the assistant’s own',
      [message('assistant', call('a'), result('a')), message('assistant', call('b'))],
      '- 2',
    ],
  ])('%s', (_, messages, expected) => {
    const groups = inGroups(messages, 'g').map(({ group }) => group?.replace('g:', '') ?? '-');
    expect(groups.join(' ')).toBe(expected);
    inGroups(messages, 'g').forEach((piece, index) => {
      if (piece.group === undefined) expect(piece).toBe(messages[index]);
    });
  });
});

describe('thoughts', () => {
  const [user, thinks, calls, answers, says] = [
    message('user', text('u')),
    message('assistant', thought('t')),
    message('assistant', call('c')),
    message('tool', result('c')),
    message('assistant', text('s')),
  ] as [Message, Message, Message, Message, Message];
  const more = message('assistant', thought('more'));
  const empty = message('assistant');
  const added: Message = { role: 'user', parts: [text('added')] };

  it.each<[string, Message[], Message[], Message[]]>([
    ['go with the call that they led to', [user, thinks, calls, answers, says], [user, thinks, says], [user, says]],
    [
      'stay with what is left',
      [user, thinks, calls, answers, says],
      [user, thinks, calls, answers],
      [user, thinks, calls, answers],
    ],
    ['of which another piece is left stay', [user, thinks, calls, says], [user, thinks, says], [user, thinks, says]],
    ['all go', [user, thinks, more, calls, answers], [user, thinks, more], [user]],
    ['that led nowhere stay', [user, thinks, answers], [user, thinks], [user, thinks]],
    ['of an earlier turn stay', [thinks, says, user, more, calls], [thinks, says, user, more], [thinks, says, user]],
    ['go across records', [user, thinks, message('meta'), calls], [user, thinks, added], [user, added]],
    ['are no empty messages', [user, empty, calls], [user, empty], [user, empty]],
  ])('%s', (_, before, after, expected) => {
    expect(withoutLooseThoughts(before, after)).toEqual(expected);
  });
});

it('turns run from one message of the user to the next', () => {
  const [system, user, answer] = [message('system'), message('user'), message('assistant')];
  expect(turns([system, user, answer, user, user])).toEqual([
    { start: 1, end: 3 },
    { start: 3, end: 4 },
    { start: 4, end: 5 },
  ]);
  expect(turns([answer])).toEqual([]);
  expect([currentRun([system, user, answer, user, answer]), currentRun([answer]), currentRun([])]).toEqual([3, 0, 0]);
});

it('texts', () => {
  expect([textOf('a'), longest('abc')]).toEqual(['a', 3]);
  expect(
    joinTexts([
      { type: 'text', text: 'a' },
      { type: 'media', kind: 'image' },
      { type: 'text', text: 'b' },
    ]),
  ).toBe('ab');
  expect([0, 999, 1000, 12345, 1234567, -1234].map(grouped)).toEqual([
    '0',
    '999',
    '1,000',
    '12,345',
    '1,234,567',
    '-1,234',
  ]);
  for (const count of [1e21, 1.5, 2 ** 60]) expect(grouped(count)).toBe(count.toLocaleString('en-US'));
});

it('usage adds up member by member', () => {
  const a = { input: 1, cacheRead: 2, cacheWrite5m: 4, cacheWrite1h: 8, output: 16, reasoning: 32 };
  const b = { input: 100, cacheRead: 200, cacheWrite5m: 400, cacheWrite1h: 800, output: 1600, reasoning: 3200 };
  const sum = { input: 101, cacheRead: 202, cacheWrite5m: 404, cacheWrite1h: 808, output: 1616, reasoning: 3232 };
  expect(addUsage(a, b)).toEqual(sum);
  expect(addUsage(NO_USAGE, a)).toEqual(a);
  expect(subtractUsage(sum, b)).toEqual(a);
  expect(subtractUsage(a, b)).toEqual(NO_USAGE);
  expect(promptTokens(a)).toBe(15);
});
