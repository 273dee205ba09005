/** Values of spans by hand: what OTLP wraps, and the messages of the GenAI conventions. */
import { describe, expect, it } from 'vitest';
import { flatten } from '../../src/formats/otel/nested-attributes.js';
import format from '../../src/formats/otel/otel-genai.js';
import { listedAttributes } from '../../src/formats/otel/otlp-attributes.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';

const json = (value: unknown) => JSON.stringify(value);
const node = (value: unknown) => parse(json(value));

describe('a value of OTLP', () => {
  const read = (value: string) => listedAttributes(parse(`[{"key":"x","value":${value}}]`)).get('x');

  it.each([
    ['{"stringValue":"5"}', '"5"'],
    ['{"boolValue":true}', 'true'],
    ['{"doubleValue":1.50}', '1.50'],
    ['{"intValue":"-5"}', '-5'],
    ['{"intValue":"5.5"}', 'null'],
    ['{"intValue":"x5"}', 'null'],
    ['{"intValue":"05"}', 'null'],
    ['{"intValue":5}', '5'],
    ['{"intValue":1e3}', '1e3'],
    ['{"arrayValue":{"values":[{"intValue":"5"},{"intValue":-7},{"stringValue":"a"}]}}', '[5,-7,"a"]'],
    ['{"arrayValue":{"values":[{"intValue":"05"},{"intValue":"x"},{}]}}', '[null,null,null]'],
    ['{"arrayValue":{}}', '[]'],
    ['{"arrayValue":{"values":[{"arrayValue":{}},{"kvlistValue":{}}]}}', '[[],{}]'],
    ['{"kvlistValue":{"values":[{"key":"a","value":{"boolValue":false}},{"key":"b"}]}}', '{"a":false,"b":null}'],
    ['{"kvlistValue":{"values":[{"value":{"doubleValue":0.5}}]}}', '{"":0.5}'],
  ])('%s is %s', (value, plain) => {
    expect(printed(read(value)!)).toBe(plain);
  });

  it('is none if it is empty, and no element without a name is one', () => {
    expect(read('{}')).toBeUndefined();
    expect(read('{"other":5}')).toBeUndefined();
    const odd = listedAttributes(parse('[{"value":{"intValue":"1"}},{"key":5,"value":{"intValue":"2"}}]'));
    expect([odd.get(''), odd.get('5'), odd.get('undefined')]).toEqual([undefined, undefined, undefined]);
    expect(listedAttributes(undefined).get('x')).toBeUndefined();
  });

  it('is refused if it is nested in another type', () => {
    expect(() => read('{"arrayValue":{"values":[5]}}')).toThrow('object');
    expect(() => read('{"kvlistValue":{"values":[{"key":"a","value":5}]}}')).toThrow(
      'an object such as {"stringValue": …}',
    );
  });
});

describe('attributes of OTLP that are written', () => {
  const LIST =
    '[{"key":"a","value":{"stringValue":"x"}}, {"key":"b","value":{"intValue":"1"}}, ' +
    '{"key":"c","value":{"arrayValue":{"values":[]}}}, {"value":{"stringValue":"y"}}]';
  const write = (list: string | undefined, values: Readonly<Record<string, unknown>>) => {
    const edits = { values: new Map(Object.entries(values)) as Map<string, never>, lists: new Map() };
    const attributes = listedAttributes(list === undefined ? undefined : parse(list));
    return printed(attributes.write(edits, (key, value) => (key === 'b' ? value : `${key}:${value.text}`)));
  };

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ a: 'new' }, '{"key":"a","value":{"stringValue":"new"}}'],
    [{ a: 5 }, '{"key":"a","value":{"intValue":"5"}}'],
    [{ a: 0.5 }, '{"key":"a","value":{"doubleValue":0.5}}'],
    [{ a: false }, '{"key":"a","value":{"boolValue":false}}'],
    [{ a: null }, '{"key":"a","value":{}}'],
    [{ a: [1, 'b'] }, '{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"b"}]}}}'],
    [{ a: { b: true } }, '{"key":"a","value":{"kvlistValue":{"values":[{"key":"b","value":{"boolValue":true}}]}}}'],
    [{ c: 'text' }, '{"key":"c","value":{"stringValue":"text"}}'],
    [{ d: 'added' }, '{"key":"d","value":{"stringValue":"added"}}'],
  ])('have %j in their wrapping', (values, written) => {
    const [[key]] = Object.entries(values) as [[string, unknown]];
    const after = JSON.parse(write(LIST, values)) as { key?: string }[];
    expect(json(after.find((one) => one.key === key))).toBe(written);
    expect(after).toHaveLength(key === 'd' ? 5 : 4);
  });

  it('lose what is undefined, and show other texts as they are now', () => {
    expect(JSON.parse(write(LIST, { a: undefined, d: undefined }))).toEqual([
      { key: 'b', value: { intValue: '1' } },
      { key: 'c', value: { arrayValue: { values: [] } } },
      { value: { stringValue: ':y' } },
    ]);
    expect(JSON.parse(write(LIST, {}))[0]).toEqual({ key: 'a', value: { stringValue: 'a:x' } });
    expect(JSON.parse(write(undefined, { a: 'x' }))).toEqual([{ key: 'a', value: { stringValue: 'x' } }]);
  });
});

describe('a list of OTLP that is written', () => {
  const entries = '{"key":"n","value":{"doubleValue":2.0}},{"key":"parts","valueX":{"stringValue":"Hm."}}';
  const odd = `{"kvlistValue":{"values":[${entries}]}}`;
  const write = (values: string, now: unknown) => {
    const edits = { values: new Map([['m', now]]) as Map<string, never>, lists: new Map() };
    const list = parse(`[{"key":"m","value":{"arrayValue":{"values":[${values}]}}}]`);
    const written = printed(listedAttributes(list).write(edits, (_, value) => value));
    return written.slice('[{"key":"m","value":{"arrayValue":{"values":['.length, -']}}}]'.length);
  };

  it('keeps the elements and members that did not change', () => {
    expect(write(`{"intValue":"1"},${odd}`, [{ n: 2, parts: null }, 'x'])).toBe(`${odd},{"stringValue":"x"}`);
    expect(write(odd, [{ n: 2, parts: null, more: 1 }])).toBe(
      `{"kvlistValue":{"values":[${entries},{"key":"more","value":{"intValue":"1"}}]}}`,
    );
    expect(write(odd, [{ n: 3, parts: 'Oh.' }])).toBe(
      '{"kvlistValue":{"values":[{"key":"n","value":{"intValue":"3"}},{"key":"parts","value":{"stringValue":"Oh."}}]}}',
    );
  });
});

describe('nested attributes', () => {
  const flat = (value: unknown) => [...flatten(node(value))].map(([path, leaf]) => [path, JSON.parse(printed(leaf))]);

  it('have dotted names, with numbers for elements', () => {
    const contents = [{ message_content: { type: 'text', text: 'x' } }];
    expect(flat({ message: { role: 'user', contents, none: null } })).toEqual([
      ['message.role', 'user'],
      ['message.contents.0.message_content.type', 'text'],
      ['message.contents.0.message_content.text', 'x'],
    ]);
  });

  it.each(['content', 'arguments', 'text', 'json_schema'])('are not read inside of %s', (key) => {
    for (const value of [{ a: 1 }, [{ a: 1 }]]) {
      expect(flat({ [key]: value })).toEqual([[key, value]]);
      expect(flat({ tool: { [key]: value } })).toEqual([[`tool.${key}`, value]]);
      expect(flat({ [`x${key}`]: { b: value } })[0]![0]).toMatch(/^x.*\.a$/);
      expect(flat({ [`${key}s`]: { b: value } })[0]![0]).toMatch(/s\.b\..*a$/);
    }
  });
});

/** https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-input-messages.json (2026-11) */
describe('a message of the GenAI conventions', () => {
  const read = (message: unknown) => format.read(node(message));
  const written = (message: unknown, change: (parts: readonly Part[]) => readonly Part[]) => {
    const before = read(message);
    return JSON.parse(printed(format.write({ ...before, parts: change(before.parts) }, undefined as never)));
  };
  const fresh = (message: Message) => JSON.parse(printed(format.write(message, undefined as never)));
  const parts = (...list: readonly object[]) => ({ role: 'assistant', parts: list });

  it.each<[object, number]>([
    [{ type: 'tool_call', id: 'c', name: 'f' }, 1],
    [{ type: 'tool_call_response', id: 'c' }, 1],
    [{ type: 'blob' }, 1],
    [{ type: 'uri' }, 1],
    [{ type: 'server_tool_call' }, 1],
    [{ type: 'server_tool_call_response' }, 1],
    [{ type: 'reasoning' }, 1],
    [{ type: 'thinking' }, 1],
    [{ type: 'text', content: 'x' }, 1],
    [{ type: 'text', text: 'x' }, -1],
    [{ type: 'text' }, 0.4],
    [{ type: 'other' }, 0.4],
    [{ text: 'x' }, -1],
  ])('is told by its parts: %j', (part, score) => {
    expect(format.score(node(parts(part)))).toBe(score);
  });

  it('is none of another role, or without a list', () => {
    expect(format.score(node({ role: 'other', parts: [] }))).toBe(0);
    expect(format.score(node({ role: 'user', parts: 'x' }))).toBe(0);
    expect(format.score(node({ parts: [] }))).toBe(0);
    expect(format.score(node(parts()))).toBe(0.3);
    expect(format.score(node(parts({ type: 'tool_call' }, { text: 'x' })))).toBe(-1);
  });

  it.each<[object, string]>([
    [{ type: 'blob', modality: 'image' }, 'image'],
    [{ type: 'blob', mime_type: 'audio/wav' }, 'audio'],
    [{ type: 'uri', media_type: 'image/png' }, 'image'],
    [{ type: 'image_url' }, 'image'],
    [{ type: 'input_audio' }, 'audio'],
    [{ type: 'file', mime_type: 'application/pdf' }, 'file'],
    [{ type: 'binary' }, 'file'],
    [{ type: 'document' }, 'file'],
  ])('shows media: %j', (part, kind) => {
    expect(read(parts(part)).parts).toMatchObject([{ type: 'media', kind }]);
  });

  it('has texts without content, thoughts that are no text, and no other text', () => {
    expect(read(parts({ type: 'text' }, { type: 'text', content: null })).parts).toMatchObject([
      { type: 'text', text: '' },
      { type: 'text', text: '' },
    ]);
    const thought = { type: 'thinking', content: [{ x: 1 }] };
    expect(read(parts(thought)).parts).toMatchObject([{ type: 'opaque' }]);
    expect(written(parts(thought), (list) => list)).toEqual(parts(thought));
    expect(() => read(parts({ type: 'text', content: 5 }))).toThrow('`parts[0].content` is a number');
  });

  it.each<[object, string]>([
    [{ type: 5 }, '`parts[1].type` is a number'],
    [{ type: 'tool_call', id: 5 }, '`parts[1].id` is a number'],
    [{ type: 'tool_call', id: 'c', name: 5 }, '`parts[1].name` is a number'],
    [{ type: 'tool_call_response', id: 5 }, '`parts[1].id` is a number'],
    [{ type: 'tool_call_response', id: 'c', name: 5 }, '`parts[1].name` is a number'],
  ])('says where a text should be: %j', (part, why) => {
    expect(() => read(parts({ type: 'reasoning' }, part))).toThrow(why);
    expect(() => read([{ type: 'reasoning' }, part])).toThrow(why.replace('parts', 'system_instructions'));
  });

  it('is a message of a tool if it holds results and no calls', () => {
    const result = { type: 'tool_call_response', id: '', response: 'x' };
    const call = { type: 'tool_call', id: 'c', name: 'f' };
    expect(read({ role: 'user', parts: [result] })).toMatchObject({ role: 'tool', parts: [{ callId: undefined }] });
    expect(read({ role: 'assistant', parts: [call, result] }).role).toBe('assistant');
    expect(read({ role: 'other', parts: [result] })).toMatchObject({ role: 'meta', parts: [] });
    expect(read({ role: 'developer', parts: [] }).role).toBe('system');
  });

  it('is written with its other members', () => {
    const text = (value: string) => () => [{ type: 'text' as const, text: value }];
    expect(written({ role: 'user' }, (list) => list)).toEqual({ role: 'user' });
    expect(written({ role: 'user', x: 5 }, text('a'))).toEqual({
      ...{ role: 'user', x: 5, parts: [{ type: 'text', content: 'a' }] },
    });
    expect(written({ role: 'other', parts: [5] }, (list) => list)).toEqual({ role: 'other', parts: [5] });
    expect(written('Be brief.', text('a'))).toBe('a');
    expect(printed(format.write(format.read(parse('"\\u0061"')), undefined as never))).toBe('"\\u0061"');
    expect(written([{ type: 'text', content: 'Be brief.' }], text('a'))).toEqual([{ type: 'text', content: 'a' }]);
  });

  it('has other texts in the place of the old ones', () => {
    const from = (part: object, value: string) =>
      written(parts(part), (list) => list.map((one) => ({ ...one, text: value }) as Part)).parts[0];
    for (const type of ['text', 'reasoning']) {
      expect(from({ type, content: 'x', y: 1 }, 'a')).toEqual({ type, content: 'a', y: 1 });
      expect(from({ type, content: 'x' }, '')).toEqual({ type, content: '' });
      expect(from({ type, content: null }, '')).toEqual({ type, content: null });
      expect(from({ type }, '')).toEqual({ type });
      expect(from({ type }, 'a')).toEqual({ type, content: 'a' });
    }
    const unnamed = { type: 'tool_call', arguments: {} };
    expect(read(parts(unnamed)).parts).toMatchObject([{ type: 'call', tool: '', callId: undefined }]);
    expect(read(parts({ type: 'other' }, {})).parts).toMatchObject([{ type: 'opaque' }, { type: 'opaque' }]);
    expect(read({ parts: [] }).role).toBe('meta');
  });

  it('keeps the type of arguments', () => {
    const call = (more: object) => parts({ type: 'tool_call', id: 'c', name: 'f', ...more });
    const input = (value: string) => (list: readonly Part[]) => list.map((part) => ({ ...part, input: value }) as Part);
    expect(written(call({ arguments: '{"a":1}' }), input('{"a":2}'))).toEqual(call({ arguments: '{"a":2}' }));
    expect(written(call({ arguments: { a: 1 } }), input('{"a":2}'))).toEqual(call({ arguments: { a: 2 } }));
    expect(written(call({}), input('{"a":2}'))).toEqual(call({ arguments: { a: 2 } }));
    expect(written(call({}), input(''))).toEqual(call({}));
    expect(written(call({ arguments: null }), input(''))).toEqual(call({ arguments: null }));
    expect(written(call({ arguments: 'x' }), input(''))).toEqual(call({ arguments: '' }));
  });

  it('keeps the member and the type of a result', () => {
    const result = (more: object) => parts({ type: 'tool_call_response', id: 'c', ...more });
    const now = (content: readonly object[]) => (list: readonly Part[]) =>
      list.map((part) => ({ ...part, content }) as Part);
    const text = (value: string) => ({ type: 'text', text: value });
    const [own] = read(result({ response: { a: 1 } })).parts;
    const picture = { type: 'media', kind: 'image', raw: node({ type: 'blob', modality: 'image' }) };
    expect(written(result({ response: { a: 1 } }), () => [own!])).toEqual(result({ response: { a: 1 } }));
    expect(written(result({ result: 'x' }), now([text('a')]))).toEqual(result({ result: 'a' }));
    expect(written(result({ response: null, result: 'x' }), now([text('a')]))).toEqual(
      result({ response: null, result: 'a' }),
    );
    expect(written(result({ response: 'x' }), now([text('a'), text('b')]))).toEqual(result({ response: 'ab' }));
    expect(written(result({ response: 'x' }), now([]))).toEqual(result({ response: '' }));
    expect(written(result({}), now([]))).toEqual(result({}));
    expect(written(result({}), now([text('a')]))).toEqual(result({ response: 'a' }));
    expect(written(result({ response: 'x' }), now([text('a'), picture]))).toEqual(
      result({
        response: [
          { type: 'text', content: 'a' },
          { type: 'blob', modality: 'image' },
        ],
      }),
    );
  });

  it('is made anew in its own spelling', () => {
    const said: readonly Part[] = [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'a' },
      { type: 'call', callId: 'c', tool: 'f', input: '{"a":1}' },
      { type: 'call', callId: 'd', tool: 'g', input: '' },
      { type: 'result', callId: 'c', tool: 'f', content: [{ type: 'text', text: 'x' }] },
      { type: 'media', kind: 'image', raw: undefined },
    ];
    expect(fresh({ role: 'assistant', name: 'n', parts: said, raw: undefined })).toEqual({
      role: 'assistant',
      name: 'n',
      parts: [
        { type: 'reasoning', content: 'Hm.' },
        { type: 'text', content: 'a' },
        { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
        { type: 'tool_call', id: 'd', name: 'g' },
        { type: 'tool_call_response', id: 'c', name: 'f', response: 'x' },
        { type: 'media' },
      ],
    });
    expect(fresh({ role: 'meta', parts: [], raw: undefined })).toEqual({ role: 'user', parts: [] });
  });

  it('names its model, its tools and its id', () => {
    const told = (record: object) => {
      const { id, model, tools } = format.describe!(node(record));
      return [id, model, tools && textOf(tools)];
    };
    expect(told({ id: 'i', model: 'm', tools: [1] })).toEqual(['i', 'm', '[1]']);
    expect(told({ 'gen_ai.request.model': 'a', 'gen_ai.response.model': 'b' })).toEqual([undefined, 'b', undefined]);
    expect(told({ model: 5, 'gen_ai.request.model': 'a', tools: 'x' })).toEqual([undefined, 'a', undefined]);
    expect(told({ tool_definitions: [2], tools: [1] })).toEqual([undefined, undefined, '[2]']);
  });
});
