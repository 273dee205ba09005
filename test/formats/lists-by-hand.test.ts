/** Lists inside of records, edited: what stands where, written by hand. */
import { describe, expect, it } from 'vitest';
import codex from '../../src/formats/codex/codex-rollout.js';
import codexSession from '../../src/formats/codex/codex-session.js';
import { constructorFields } from '../../src/formats/langchain/langchain-write.js';
import { flatten, renumberNestedList } from '../../src/formats/otel/nested-attributes.js';
import { findMessages } from '../../src/formats/shared/conversation.js';
import { turnsOf } from '../../src/formats/vscode/vscode-chat-write.js';
import type { Json } from '../../src/json/edit.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { joinTexts } from '../../src/transcript/text.js';
import type { ContentPart, Message } from '../../src/transcript/types.js';

const json = (value: unknown) => JSON.stringify(value);
const node = (value: unknown) => parse(json(value));
const value = (written: Json) => JSON.parse(printed(written));

describe('the messages in an input of a trace', () => {
  const [A, B, C] = ['a', 'b', 'c'].map((content) => ({ role: 'user', content })) as [object, object, object];
  const found = (list: unknown) => findMessages(node(list), 'user')!;
  const written = (list: unknown, order: readonly (number | object)[]) => {
    const { messages, replace } = found(list);
    return value(
      replace(
        order.map((one) =>
          typeof one === 'number'
            ? { message: messages[one]!.message, from: one }
            : { message: node(one), from: undefined },
        ),
      ),
    );
  };

  it.each<[readonly (number | object)[], readonly unknown[]]>([
    [
      [0, 1, 2],
      [1, A, 2, 3, B, C, 4],
    ],
    [
      [0, 1],
      [1, A, 2, 3, B, 4],
    ],
    [
      [1, 2],
      [1, 2, 3, B, C, 4],
    ],
    [[2], [1, 2, 3, C, 4]],
    [[], [1, 2, 3, 4]],
    [
      [{ role: 'user', content: 'x' }, 0, 1, 2],
      [1, { role: 'user', content: 'x' }, A, 2, 3, B, C, 4],
    ],
    [
      [0, { role: 'user', content: 'x' }, 1, 2],
      [1, A, 2, 3, { role: 'user', content: 'x' }, B, C, 4],
    ],
    [
      [2, 1],
      [1, 2, 3, C, 4, B],
    ],
  ])('in the order %j: what is no message follows what it followed', (order, expected) => {
    expect(written([1, A, 2, 3, B, C, 4], order)).toEqual(expected);
  });

  it('are a text that is the whole value, of the side that it is on', () => {
    expect(found('hi').messages).toHaveLength(1);
    expect(written('hi', [0])).toBe('hi');
    expect(written('hi', [])).toBe('');
    expect(findMessages(node(''), 'user')).toBeUndefined();
    expect(findMessages(node(['hi']), 'user')).toBeUndefined();
    expect(findMessages(node(null), 'user')).toBeUndefined();
    expect(findMessages(undefined, 'user')).toBeUndefined();
    expect(findMessages(node([[[[[A]]]]]), 'user')?.messages).toHaveLength(1);
    expect(findMessages(node([[[[[[A]]]]]]), 'user')).toBeUndefined(); // deeper than any is looked for
  });

  it('of which one moves leave what followed others in one place', () => {
    expect(written([A, B, 9, C], [2, 0])).toEqual([9, C, A]);
    const input = { system: 'Be brief.', messages: [A, 1, B, 2] };
    expect(written(input, [0, { role: 'user', content: 'x' }, 2])).toEqual({
      ...input,
      messages: [{ role: 'user', content: 'x' }, 1, B, 2],
    });
  });

  it('are no values that cannot be read as one', () => {
    const odd = { role: 'assistant', content: 'x', tool_calls: [5] };
    expect(written([odd, A, odd, B], [1])).toEqual([odd, odd, B]);
    expect(found({ ...odd, messages: [A] }).isList).toBe(true);
    expect(findMessages(node(odd), 'user')).toBeUndefined();
  });

  it('are the calls of the model, without a message around them', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    expect(findMessages(node(calls), 'assistant')).toMatchObject({ isList: false, messages: [{}] });
    expect(written({ output: calls }, [])).toEqual({ output: null });
  });

  it('are in a batch of one, and not in one of two', () => {
    expect(findMessages(node([json([A])]), 'user')).toBeUndefined();
    expect(written([{ messages: [A, B] }], [1])).toEqual([{ messages: [B] }]);
    expect(findMessages(node([{ messages: [A] }, { messages: [B] }]), 'user')).toBeUndefined();
  });

  it.each(['messages', 'contents', 'input', 'output', 'data', 'prompt'])('are at %s', (key) => {
    const list = key === 'contents' ? [{ role: 'user', parts: [{ text: 'a' }] }] : [A];
    expect(found({ id: 5, [key]: list }).messages).toHaveLength(1);
    expect(written({ id: 5, [key]: list }, [])).toEqual({ id: 5, [key]: [] });
  });

  const NEW = { role: 'user', content: 'x' };
  const SYSTEM = 'Be brief.';
  const blocks = (key: string) => [{ [key]: 'Be brief.' }, { [key]: 'Be kind.' }];

  it.each<[(system: unknown) => object, unknown]>([
    [(system) => ({ system }), SYSTEM],
    [(system) => ({ system }), blocks('text')],
    [(system) => ({ system }), blocks('content')],
    [(system) => ({ system_prompt: system }), SYSTEM],
    [(system) => ({ instructions: system }), SYSTEM],
    [(system) => ({ system_instruction: system }), SYSTEM],
    [(system) => ({ systemInstruction: system }), SYSTEM],
    [(system) => ({ config: { n: 1, system_instruction: system } }), SYSTEM],
    [(system) => ({ config: { n: 1, systemInstruction: system } }), SYSTEM],
  ])('are behind a system prompt beside them: %o, %j', (beside, system) => {
    const input = { messages: [A, B], ...beside(system) };
    expect(found(input).messages.map(({ beside: isBeside }) => isBeside === true)).toEqual([true, false, false]);
    expect(written(input, [0, 1, 2])).toEqual(input);
    expect(written(input, [0, 2])).toEqual({ ...input, messages: [B] });
    expect(written(input, [1, NEW, 2])).toEqual({ messages: [A, NEW, B], ...beside(undefined) });
  });

  it('have no system prompt beside them that is no text', () => {
    for (const system of [5, null, { text: 'x' }, [{ text: 'x' }, { image: 'x' }], ['x', 5]])
      expect(found({ messages: [A], system }).messages).toHaveLength(1);
  });

  it('are a prompt, or the input beside a model, if that is all of it', () => {
    expect(written({ prompt: 'hi' }, [0])).toEqual({ prompt: 'hi' });
    expect(findMessages(node({ prompt: 'hi' }), 'assistant')).toBeUndefined();
    expect(findMessages(node([{ prompt: 'hi' }]), 'user')).toBeUndefined();
    expect(findMessages(node({ input: 'hi' }), 'user')).toBeUndefined();
    const request = { model: 'm', input: 'hi' };
    expect([found(request).isList, found({ prompt: 'hi' }).isList]).toEqual([true, true]);
    expect(written({ prompt: 'hi' }, [])).toEqual({ prompt: '' });
    const chat = json([{ role: 'user', content: 'hi' }, NEW]);
    expect(written({ prompt: 'hi' }, [0, NEW])).toEqual({ prompt: chat });
    expect(written('hi', [0, NEW])).toBe(chat);
    expect(written(request, [0])).toEqual(request);
    expect(written(request, [])).toEqual({ model: 'm', input: [] });
    expect(written(request, [NEW])).toEqual({ model: 'm', input: [NEW] });
    expect(written(request, [0, NEW])).toEqual({ model: 'm', input: [{ role: 'user', content: 'hi' }, NEW] });
  });

  it('are one, which becomes a list with others', () => {
    expect(written(A, [0])).toEqual(A);
    expect(written({ message: A }, [0, NEW])).toEqual({ message: [A, NEW] });
    expect(written({ message: A }, [])).toEqual({ message: null });
    expect(found({ message: A }).isList).toBe(false);
  });

  it('are in JSON within a text, which stays one', () => {
    expect(written(json([A, 1, B]), [1])).toBe(json([1, B]));
  });
});

/** https://arize-ai.github.io/openinference/spec/semantic_conventions.html (2026-11) */
describe('nested attributes', () => {
  const ITEMS = [
    { message: { role: 'user', content: 'a' } },
    { message: { role: 'assistant', tool_calls: [{ tool_call: { id: 'c' } }] } },
  ];
  const change = (from: number | undefined, changes: Record<string, Json | undefined>, items: unknown = ITEMS) =>
    value(renumberNestedList(node(items), [{ from, changes: new Map(Object.entries(changes)) }]));

  it('have dotted names, down to texts and values', () => {
    const told = [
      ...flatten(node({ message: { role: 'user', contents: [{ text: { a: 1 } }], content: { b: [2] }, n: null } })),
    ];
    expect(told.map(([name, { json: text }]) => [name, text])).toEqual([
      ...[
        ['message.role', '"user"'],
        ['message.contents.0.text', '{"a":1}'],
      ],
      ['message.content', '{"b":[2]}'],
    ]);
  });

  it.each<[number | undefined, Record<string, Json | undefined>, unknown]>([
    [0, {}, ITEMS[0]],
    [0, { 'message.content': 'b' }, { message: { role: 'user', content: 'b' } }],
    [0, { 'message.content': undefined }, { message: { role: 'user' } }],
    [0, { 'message.role': undefined, 'message.content': undefined }, {}],
    [
      0,
      { 'message.name.first.last': 'x' },
      { message: { role: 'user', content: 'a', name: { first: { last: 'x' } } } },
    ],
    [
      1,
      { 'message.tool_calls.0.tool_call.id': 'd' },
      { message: { role: 'assistant', tool_calls: [{ tool_call: { id: 'd' } }] } },
    ],
    [
      1,
      { 'message.tool_calls.1.tool_call.id': 'd', 'message.tool_calls.1.tool_call.function.name': 'f' },
      {
        message: {
          role: 'assistant',
          tool_calls: [{ tool_call: { id: 'c' } }, { tool_call: { id: 'd', function: { name: 'f' } } }],
        },
      },
    ],
    [1, { 'message.tool_calls.0.tool_call.id': undefined }, { message: { role: 'assistant' } }],
    [undefined, { 'message.role': 'user', 'message.content': 'x' }, { message: { role: 'user', content: 'x' } }],
    [
      undefined,
      { 'message.tool_calls.0.tool_call.function.name': 'f', 'message.gone': undefined },
      { message: { tool_calls: [{ tool_call: { function: { name: 'f' } } }] } },
    ],
  ])('of element %s take %j', (from, changes, expected) => {
    expect(change(from, changes)).toEqual([expected]);
  });

  it('of a list with dotted names keep these', () => {
    const dotted = [{ 'message.role': 'user' }];
    expect(change(undefined, { 'message.role': 'assistant', 'message.content': 'x' }, dotted)).toEqual([
      { 'message.role': 'assistant', 'message.content': 'x' },
    ]);
    expect(change(0, { 'message.content': 'x' }, dotted)).toEqual([{ 'message.role': 'user', 'message.content': 'x' }]);
  });
});

/** What @langchain/core 1.1 keeps in `lc_kwargs` (2026-11) */
it.each<[string, Record<string, Json | undefined>, object]>([
  ['a new content, in both of its forms', { content: 'b' }, { content: 'b', contentBlocks: 'b', name: 'n' }],
  ['what is as it was', { name: 'n' }, { content: 'a', contentBlocks: [], name: 'm' }],
  ['what goes', { name: undefined }, { content: 'a', contentBlocks: [], name: 'n' }],
  ['what it did not keep', { id: 'x' }, { content: 'a', contentBlocks: [], name: 'n' }],
])('the arguments of a constructor of LangChain follow %s', (_, changes, expected) => {
  const fields = node({ content: 'a', name: 'n', id: 'i', lc_kwargs: { content: 'a', contentBlocks: [], name: 'n' } });
  const same = { name: fields.get('name')! };
  const { lc_kwargs } = constructorFields(fields, changes['name'] === 'n' ? same : changes);
  expect(value(lc_kwargs!)).toEqual({ ...expected, ...(changes['name'] === 'n' ? { name: 'n' } : {}) });
  expect(constructorFields(node({ content: 'a' }), changes)).toEqual({});
});

/** codex-rs, core/src/compact.rs (0.169.0, 2026-11-26) */
describe('what Codex sends of a rollout', () => {
  const item = (role: string, text: string) => ({
    ...{ timestamp: 't', type: 'response_item' },
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  });
  const said = (...lines: readonly object[]) => {
    const messages = codexSession.sent(lines.map((line): Message => codex.read(node(line))));
    return messages
      .filter(({ role }) => role !== 'meta')
      .map(({ role, parts }) => `${role} ${joinTexts(parts as readonly ContentPart[])}`);
  };
  const compacted = (payload: object) => ({ timestamp: 't', type: 'compacted', payload });
  const [ONE, TWO, THREE] = [item('user', 'one'), item('assistant', 'two'), item('user', 'three')];

  it('is all of it, or what replaced the history and what came after', () => {
    expect(said(ONE, TWO, THREE)).toEqual(['user one', 'assistant two', 'user three']);
    const history = [item('user', 'kept').payload, item('user', 'sum').payload];
    const replaced = compacted({ message: '', replacement_history: history });
    expect(said(ONE, TWO, replaced, THREE)).toEqual(['user kept', 'user sum', 'user three']);
    expect(said(ONE, replaced, TWO, replaced, THREE)).toEqual(['user kept', 'user sum', 'user three']);
    expect(said(ONE, TWO, replaced)).toEqual(['user kept', 'user sum']);
  });

  it("is the user's words, a summary and what came after, in early versions", () => {
    const [one, summary, three, ...others] = said(ONE, TWO, compacted({ message: 'the sum' }), THREE);
    expect([one, three, others]).toEqual(['user one', 'user three', []]);
    expect(summary).toContain('the sum');
  });
});

/** Each message stays in its request, an added one of the user begins another, and empty requests keep their place. */
describe('turns of a chat of VS Code', () => {
  const requests = [0, 1, 2, 3].map((id) => node({ id }));
  const slot = (name: string) => ({ name }) as never;
  const slots = [[slot('a'), slot('b')], [], [slot('c')], []];
  const element = (from: number | undefined, role: Message['role'] = 'assistant') => ({
    message: from === undefined ? {} : node({ from }),
    ...{ from, read: { role, parts: [] } },
  });
  const turns = (...elements: readonly ReturnType<typeof element>[]) =>
    turnsOf(requests, slots, elements).map(({ request, items, slots: own }) => [
      request?.get('id')?.number,
      own.length,
      items
        .map(
          ({ slot: at, isSame }) =>
            `${(at as unknown as { name: string } | undefined)?.name ?? '+'}${isSame ? '' : '!'}`,
        )
        .join(''),
    ]);

  it.each<[string, readonly ReturnType<typeof element>[], readonly unknown[]]>([
    [
      'all stay',
      [element(0), element(1), element(2)],
      [
        [0, 2, 'ab'],
        [1, 0, ''],
        [2, 1, 'c'],
        [3, 0, ''],
      ],
    ],
    [
      'the first go',
      [element(2)],
      [
        [1, 0, ''],
        [2, 1, 'c'],
        [3, 0, ''],
      ],
    ],
    [
      'all go',
      [],
      [
        [1, 0, ''],
        [3, 0, ''],
      ],
    ],
    [
      'the last go',
      [element(0)],
      [
        [0, 2, 'a'],
        [1, 0, ''],
        [3, 0, ''],
      ],
    ],
    [
      'a reply is added',
      [element(0), element(undefined), element(2)],
      [
        [0, 2, 'a+!'],
        [1, 0, ''],
        [2, 1, 'c'],
        [3, 0, ''],
      ],
    ],
    [
      'a word is added',
      [element(0), element(undefined, 'user')],
      [
        [0, 2, 'a'],
        [undefined, 0, '+!'],
        [1, 0, ''],
        [3, 0, ''],
      ],
    ],
    [
      'only one is added',
      [element(undefined)],
      [
        [undefined, 0, '+!'],
        [1, 0, ''],
        [3, 0, ''],
      ],
    ],
  ])('%s', (_, elements, expected) => {
    expect(turns(...elements)).toEqual(expected);
  });
});
