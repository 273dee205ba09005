/** Refusals: what the model says beside the content where it does not answer. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/openai/openai-chat.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { detect } from '../../src/source/detect/detect.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const REFUSED = '{"role":"assistant","content":null,"refusal":"I will not."}';
const read = (text: string) => format.read(parse(text), false);
const partsOf = ({ parts }: Message) =>
  parts.map((part) => ('text' in part && part.text !== undefined ? `${part.type}: ${textOf(part.text)}` : part.type));

describe('a refusal', () => {
  it('may be the first member', () => {
    expect(partsOf(read('{"refusal":"No.","role":"assistant"}'))).toEqual(['opaque: No.']);
  });

  it('is a part of the message, behind what it says', () => {
    expect(partsOf(read(REFUSED))).toEqual(['opaque: I will not.']);
    expect(partsOf(read('{"role":"assistant","content":"Well.","refusal":"No.","reasoning":"Hm."}'))).toEqual([
      'thinking: Hm.',
      'text: Well.',
      'opaque: No.',
    ]);
  });

  it.each(['null', '""'])('that is %s says nothing', (refusal) => {
    expect(partsOf(read(`{"role":"assistant","content":"Yes.","refusal":${refusal}}`))).toEqual(['text: Yes.']);
  });

  it('is only the model’s', () => {
    expect(partsOf(read('{"role":"user","content":"a","refusal":"No."}'))).toEqual(['text: a']);
  });

  it('stays where it stands when another part changes', () => {
    const message = read('{"role":"assistant","content":"long text","refusal":"No."}');
    const parts = message.parts.map((part) => (part.type === 'text' ? { ...part, text: 'cut' } : part));
    expect(printed(format.write({ ...message, parts }))).toBe('{"role":"assistant","content":"cut","refusal":"No."}');
    expect(printed(format.write(message))).toBe(printed(message.raw as never));
  });

  it('stays one in a message that is written anew, apart from the content', () => {
    const { raw: _, ...message } = read('{"role":"assistant","content":"Well.","refusal":"No."}');
    expect(printed(format.write(message))).toBe('{"role":"assistant","content":"Well.","refusal":"No."}');
    const { raw: __, ...alone } = read(REFUSED);
    expect(printed(format.write(alone))).toBe(REFUSED);
  });

  it('lets its message stay where all else of it goes', () => {
    const call = '{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}';
    const history =
      `[{"role":"user","content":"a"},{"role":"assistant","content":null,"refusal":"No.","tool_calls":[${call}]},` +
      '{"role":"tool","tool_call_id":"c","content":"r"}]';
    expect(rewriteText(history, 'filter', { maxToolCalls: 0 })).toBe(
      '[{"role":"user","content":"a"},{"role":"assistant","content":null,"refusal":"No."}]',
    );
  });

  it('of the wrong type is no part', () => {
    expect(
      partsOf(
        openText(`[{"role":"user","content":"a"},{"role":"assistant","content":"b","refusal":7}]`).transcripts[0]!
          .messages[1]!,
      ),
    ).toEqual(['text: b']);
  });
});

it('stays the format where another knows one message alone, and none of the others', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
    { type: 'function_call_output', call_id: 'c', output: 'r' },
  ];
  expect(detect([parse(JSON.stringify(messages))], {}).format.id).toBe('openai-chat');
});

/** Each member counts wherever it stands: the first one too. */
it.each<[object, number]>([
  [{ toolInvocations: [], role: 'assistant', content: 'x' }, -1],
  [{ role: 'assistant', content: 'x', toolInvocations: [] }, -1],
  [{ parts: [], role: 'user', content: 'x' }, 0],
  [{ tool_plan: 'x', role: 'assistant', tool_calls: [] }, -1],
  [{ content: [{ type: 'tool_use' }], role: 'assistant' }, -1],
  [{ content: [{ type: 'text', text: 'x' }], role: 'assistant' }, 0.62],
  [{ tool_calls: [{ name: 'f' }], role: 'assistant' }, -1],
  [{ tool_calls: [{ function: { name: 'f' } }], role: 'assistant' }, 0.95],
  [{ function_call: { name: 'f' }, role: 'assistant' }, 0.95],
  [{ function_call: null, tool_calls: null, role: 'assistant', content: 'x' }, 0.62],
  [{ content: 'x', role: 'user' }, 0.62],
  [{ role: 'user' }, 0.5],
  [{ content: 'x' }, 0],
  [{ role: 5 }, 0.1],
  [{ content: 'x', role: 5 }, 0.6],
  [{ role: 'tool', content: 'x' }, 0.9],
  [{ role: 'function', content: 'x' }, 0.9],
  [{ role: 'USER', content: 'x' }, 0.62],
  [{ role: 'narrator', content: 'x' }, 0.3],
  [{ role: 'narrator' }, 0],
])('is told by its members: %j', (message, score) => {
  expect(format.score(parse(JSON.stringify(message)))).toBe(score);
});

describe('a call', () => {
  const asked = (call: unknown) => ({ role: 'assistant', content: null, tool_calls: [call] });
  const called = (own: object, more: object = {}) => asked({ id: 'c', type: 'function', function: own, ...more });

  it.each<[object, string]>([
    [called({ name: 5, arguments: '{}' }), '`tool_calls[0].function.name` is a number; expected a string'],
    [called({ name: 'f' }, { id: 5 }), '`tool_calls[0].id` is a number; expected a string'],
    [asked({ id: 'c', function: 5 }), '`tool_calls[0].function` is a number; expected an object'],
    [asked({ id: 'c' }), '`tool_calls[0].function` is missing; expected an object'],
    [{ role: 'assistant', function_call: 5 }, '`function_call` is a number; expected an object'],
    [{ role: 'assistant', function_call: { name: 5 } }, '`function_call.name` is a number; expected a string'],
  ])('%j is refused', (message, why) => {
    expect(() => read(JSON.stringify(message))).toThrow(why);
  });

  it.each<[object, object]>([
    [called({ name: null, arguments: '{}' }, { id: null }), { callId: '', tool: '' }],
    [called({}), { callId: 'c', tool: '', input: '' }],
    [asked({ id: 'c', function: null, custom: { name: 'g', input: 'x' } }), { callId: 'c', tool: 'g' }],
    [
      { role: 'assistant', function_call: { name: 'f' } },
      { callId: undefined, tool: 'f', input: '', legacy: true },
    ],
  ])('%j is read with what it has', (message, part) => {
    expect(read(JSON.stringify(message)).parts).toMatchObject([{ type: 'call', ...part }]);
  });

  it.each<[string, object, string, object]>([
    ['a text', { name: 'f', arguments: '{}' }, '{"a":1}', { name: 'f', arguments: '{"a":1}' }],
    ['a text that goes', { name: 'f', arguments: '{}' }, '', { name: 'f', arguments: '' }],
    ['a value', { name: 'f', arguments: {} }, '{"a":1}', { name: 'f', arguments: { a: 1 } }],
    ['none', { name: 'f' }, '', { name: 'f' }],
    ['null', { name: 'f', arguments: null }, '', { name: 'f', arguments: null }],
    ['null that becomes a text', { name: 'f', arguments: null }, '{"a":1}', { name: 'f', arguments: '{"a":1}' }],
    ['none that becomes a text', { name: 'f' }, '{"a":1}', { name: 'f', arguments: '{"a":1}' }],
  ])('is written with its arguments: %s', (_, before, input, after) => {
    const rewritten = (raw: object) => {
      const message = read(JSON.stringify(raw));
      const parts = message.parts.map((part) => (part.type === 'call' ? { ...part, input } : part));
      return JSON.parse(printed(format.write({ ...message, parts })));
    };
    expect(rewritten(called(before))).toEqual(called(after));
    expect(rewritten({ role: 'assistant', function_call: before })).toEqual({
      role: 'assistant',
      function_call: after,
    });
  });
});
