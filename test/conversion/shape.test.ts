/** The layout of calls and results: plain messages of any, and the layouts of formats of those. */
import { describe, expect, it } from 'vitest';
import { createNotes } from '../../src/conversion/findings.js';
import {
  keptItems,
  mediaToUsers,
  oneByOne,
  oneResultEach,
  plainMessages,
  withIds,
  withToolNames,
} from '../../src/conversion/shape.js';
import type { CallPart, MediaPart, Message, Part, ResultPart, Role, TextPart } from '../../src/transcript/types.js';

const text = (said: string): TextPart => ({ type: 'text', text: said });
const media = (kind: MediaPart['kind'] = 'image'): MediaPart => ({ type: 'media', kind });
const thought: Part = { type: 'thinking', text: 'Hm.' };
const call = (callId?: string, tool = 'f'): CallPart => ({ type: 'call', callId, tool, input: '{}' });
const result = (callId?: string, content: ResultPart['content'] = [text('r')], tool?: string): ResultPart => ({
  ...{ type: 'result', callId, content },
  ...(tool === undefined ? {} : { tool }),
});
const of = (role: Role, ...parts: readonly Part[]): Message => ({ role, parts });
const user = of('user', text('x'));

/** What stands where: the role, and of each part its id or text. */
const shown = (messages: readonly Message[]) =>
  messages.map(({ role, parts }) =>
    [role, ...parts.map((part) => ('text' in part ? part.text : 'callId' in part ? part.callId : part.type))].join(' '),
  );

it.each<[string, Message, readonly string[]]>([
  ['of the model stand behind its words', of('assistant', result('a'), text('y')), ['assistant y', 'tool a']],
  ['of the user stand before the words', of('user', text('y'), result('a')), ['tool a', 'user y']],
  ['of a tool leave its words to the user', of('tool', text('y'), result('a')), ['tool a', 'user y']],
  ['are one message each', of('tool', result('a'), result('b')), ['tool a', 'tool b']],
])('results %s', (_, message, expected) => {
  expect(shown(plainMessages([message]))).toEqual(expected);
});

it('a message of a tool without a result is the user’s, and records are left out', () => {
  expect(shown(plainMessages([of('meta'), of('tool', text('y'))]))).toEqual(['user y']);
});

it('pieces of one group are one message where the first stands', () => {
  const piece = (group: string, said: string): Message => ({ ...of('assistant', text(said)), group });
  expect(shown(plainMessages([piece('1', 'a'), user, piece('2', 'b'), piece('1', 'c')]))).toEqual([
    ...['assistant a c', 'user x', 'assistant b'],
  ]);
});

describe('ids', () => {
  it('that are missing are the first that are free, of a call and its result the same', () => {
    const messages = [of('assistant', call(), call('call_1')), of('tool', result('call_1')), of('tool', result())];
    expect(shown(withIds(messages))).toEqual(['assistant call_2 call_1', 'tool call_1', 'tool call_2']);
    expect(shown(withIds([of('tool', result('z')), of('tool', result())]))).toEqual(['tool z', 'tool call_1']);
  });

  it('lose the characters that are refused, and stay different', () => {
    const messages = [of('assistant', call('a.b'), call('a_b')), of('tool', result('a.b')), of('tool', result('a_b'))];
    const [calls, first, second] = withIds(messages, /[^\w-]/g).map(({ parts }) =>
      parts.map((part) => (part as CallPart).callId),
    );
    expect(calls![1]).toBe('a_b');
    expect(calls![0]).toMatch(/^a_b.+$/);
    expect([...first!, ...second!]).toEqual(calls);
  });
});

it('a result has its own tool name, or that of its call, or one for none', () => {
  const messages = [
    of('assistant', call('a'), call('b')),
    ...[result('a', [], 'own'), result('b'), result('c')].map((part) => of('tool', part)),
  ];
  const names = withToolNames(messages).flatMap(({ parts }) => parts.map((part) => (part as ResultPart).tool));
  expect(names).toEqual(['f', 'f', 'own', 'f', 'unknown_tool']);
});

describe('one result for each call', () => {
  const placed = (...messages: readonly Message[]) => {
    const notes = createNotes();
    const after = oneResultEach(messages, notes);
    return [shown(after), notes.findings().map(({ what }) => what)];
  };
  const AS_TEXT = 'it stands as text in a message of the user';

  it('is left as it is', () => {
    expect(placed(of('assistant', call('a')), of('tool', result('a')))).toEqual([['assistant a', 'tool a'], []]);
  });

  it('stands behind a call that it stood before', () => {
    expect(placed(of('tool', result('a')), of('assistant', call('a')), user)).toEqual([
      ['assistant a', 'tool a', 'user x'],
      ['that a result stands before its call: it stands after it'],
    ]);
  });

  it('is words of the user where it has no call, or is the second, behind the results around it', () => {
    const loose = result('z', [text('q'), media()], 'g');
    expect(placed(of('tool', loose), of('tool', result('y', [media()])), user)).toEqual([
      ['user [Tool result of g]: q media [Tool result] media', 'user x'],
      [`a result whose call is missing: ${AS_TEXT}`],
    ]);
    const twice = [of('tool', result('a')), of('tool', result('a')), of('tool', result('b'))];
    expect(placed(of('assistant', call('a'), call('b')), ...twice)).toEqual([
      ['assistant a b', 'tool a', 'tool b', 'user [Tool result]: r'],
      [`a second result of a call: ${AS_TEXT}`],
    ]);
  });
});

it('a picture of a result is shown by the user behind all results', () => {
  const messages = [of('tool', result('a', [text('r'), media()])), of('tool', result('b')), of('assistant', media())];
  const moved = mediaToUsers(messages, ['user'], createNotes());
  expect(shown(moved)).toEqual(['tool a', 'tool b', 'user media', 'assistant', 'user media']);
  expect(moved[0]!.parts).toMatchObject([{ content: [text('r'), text('[shown below]')] }]);
});

describe('one part for each message', () => {
  it('has each result right behind its call, and one without a call where it stood', () => {
    const messages = [of('assistant', call('a'), call('b')), ...['b', 'z', 'a'].map((id) => of('tool', result(id)))];
    expect(shown(oneByOne(messages))).toEqual(['assistant a', 'tool a', 'assistant b', 'tool b', 'tool z']);
  });

  it('keeps words in a row together, and thoughts and calls apart', () => {
    const said = of('assistant', thought, text('a'), text('b'), call('c'), text('d'));
    expect(shown(oneByOne([said]))).toEqual(['assistant Hm.', 'assistant a b', 'assistant c', 'assistant d']);
  });
});

it('of kept items only those that changed are laid out anew, each alone', () => {
  const kept: Message = { ...of('assistant', text('a'), call('c')), raw: 'as read', group: '1' };
  const changed: Message = { ...of('assistant', text('b'), call('d')), group: '1' };
  const laid = keptItems([of('meta'), { ...of('meta'), raw: 'a record' }, kept, changed], { piecesStandAlone: true });
  expect(shown(laid)).toEqual(['assistant a c', 'assistant b', 'assistant d']);
  expect(laid.map(({ group }) => group)).toEqual(['1', undefined, undefined]);
});
