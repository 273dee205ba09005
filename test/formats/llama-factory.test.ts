/** Messages of LLaMA-Factory, by hand: a call and a list of results are JSON within a text. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/sharegpt/llama-factory.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { CallPart, Message, Part, ResultPart } from '../../src/transcript/types.js';

const json = (value: unknown) => JSON.stringify(value);
const read = (message: unknown) => format.read(parse(json(message)));
const write = (message: Message) => printed(format.write(message, undefined));
/** The text of a message with its parts changed. */
const changed = (message: unknown, change: (parts: readonly Part[]) => readonly Part[]) => {
  const before = read(message);
  return JSON.parse(write({ ...before, parts: change(before.parts) }));
};
const block = (type: string, value: unknown) => ({ type, value });
const said = (...content: readonly object[]) => ({ role: 'assistant', content });
const tool = (value: unknown) => ({ role: 'tool', content: [block('text', value)] });

it.each<[object, number]>([
  [said(block('text', 'x')), 1],
  [said(block('tool_call', '{}')), 1],
  [{ role: 'narrator', content: [block('text', 'x')] }, 0],
  [{ content: [block('text', 'x')] }, 0],
  [said(), 0],
  [{ role: 'user', content: 'x' }, 0],
  [said({ type: 'text', text: 'x' }), -1],
  [said({ ...block('text', 'x'), text: 'x' }), -1],
  [said({ value: 'x' }), -1],
  [said({ type: 5, value: 'x' }), -1],
])('is told by its first block: %j %f', (message, score) => {
  expect(format.score(parse(json(message)))).toBe(score);
});

it('gives a message without content what it has to say', () => {
  const text: Part = { type: 'text', text: 'Said.' };
  expect(changed({ role: 'user' }, () => [text])).toEqual({ role: 'user', content: [block('text', 'Said.')] });
  expect(changed({ role: 'user' }, (parts) => parts)).toEqual({ role: 'user' });
});

describe('a call', () => {
  const CALL = '{"name":"f","arguments":{"a":1}}';
  const call = (value: string) => said(block('tool_call', value));
  const input = (value: string) => (parts: readonly Part[]) =>
    parts.map((part) => (part.type === 'call' ? { ...part, input: value } : part));

  it.each([
    [CALL, 'f', '{"a":1}'],
    ['{"name":"f"}', 'f', '{"name":"f"}'],
    ['{"arguments":"x"}', '', 'x'],
    ['{"name":', '', '{"name":'],
  ])('of %s calls "%s" with %s', (value, name, args) => {
    const [part] = read(call(value)).parts;
    expect(part).toMatchObject({ type: 'call', callId: undefined, tool: name });
    expect(textOf((part as CallPart).input)).toBe(args);
    expect(changed(call(value), (parts) => [...parts])).toEqual(call(value));
  });

  it.each([
    [CALL, '{"a":2}', '{"name": "f", "arguments": {"a":2}}'],
    [CALL, 'cut off', '{"name": "f", "arguments": "cut off"}'],
    ['{"name":', '{"a":2}', '{"name": "", "arguments": {"a":2}}'],
    ['{"name":', 'cut off', 'cut off'],
  ])('of %s that gets the input %s is %s', (value, now, expected) => {
    expect(changed(call(value), input(now))).toEqual(call(expected));
  });
});

describe('results of calls at once', () => {
  // With spaces as no other writer has them: what is not changed stays as it was.
  const LIST = '[ {"name" :"f","content":"one"},{"name":"g", "content":"two"}]';
  const results = (message: unknown) =>
    read(message).parts.map((part) => [(part as ResultPart).tool, joinTexts((part as ResultPart).content)]);

  it.each<[string, unknown]>([
    [
      LIST,
      [
        ['f', 'one'],
        ['g', 'two'],
      ],
    ],
    [
      ` \n${LIST}`,
      [
        ['f', 'one'],
        ['g', 'two'],
      ],
    ],
    ['[{"name":"f","content":"one"}]', [[undefined, '[{"name":"f","content":"one"}]']]],
    ['[{"name":"f"},{"name":"g"}]', [[undefined, '[{"name":"f"},{"name":"g"}]']]],
    ['[{"content":"a"},{"content":"b"}]', [[undefined, '[{"content":"a"},{"content":"b"}]']]],
    ['[1, 2', [[undefined, '[1, 2']]],
    ['{"a":1}', [[undefined, '{"a":1}']]],
  ])('%s', (value, expected) => {
    expect(results(tool(value))).toEqual(expected);
    expect(changed(tool(value), (parts) => [...parts])).toEqual(tool(value));
  });

  const added: ResultPart = { type: 'result', callId: undefined, tool: 'h', content: [{ type: 'text', text: 'new' }] };

  it.each<[string, (parts: readonly Part[]) => readonly Part[], string]>([
    [
      'changes',
      ([one, two]) => [{ ...(one as ResultPart), content: added.content }, two!],
      '[{"name":"f","content":"new"}, {"name":"g", "content":"two"}]',
    ],
    ['goes', ([one]) => [one!], '[{"name" :"f","content":"one"}]'],
    [
      'comes',
      (parts) => [...parts, added],
      '[{"name" :"f","content":"one"}, {"name":"g", "content":"two"}, {"name":"h","content":"new"}]',
    ],
  ])('are written beside one that %s', (_, change, expected) => {
    expect(changed(tool(LIST), change)).toEqual(tool(expected));
  });

  it('that are added are one list, and one alone is a text', () => {
    const fresh = (...parts: readonly Part[]) => JSON.parse(write({ role: 'tool', parts }));
    expect(fresh(added)).toEqual(tool('new'));
    expect(fresh(added, { ...added, tool: undefined })).toEqual(
      tool('[{"name":"h","content":"new"}, {"name":"","content":"new"}]'),
    );
  });
});

describe('another block', () => {
  const text = (value: string) => (parts: readonly Part[]) =>
    parts.map((part) => (part.type === 'text' || part.type === 'thinking' ? { ...part, text: value } : part));

  it('keeps its type and its other members', () => {
    const own = said(
      { ...block('reasoning', 'Hm.'), x: 1 },
      block('text', 'a'),
      block('image', 'u'),
      block('audio', 5),
    );
    expect(read(own).parts.map(({ type }) => type)).toEqual(['thinking', 'text', 'opaque', 'opaque']);
    const cut = [{ ...block('reasoning', 'cut'), x: 1 }, block('text', 'cut'), block('image', 'u'), block('audio', 5)];
    expect(changed(own, text('cut'))).toEqual(said(...cut));
  });

  it('is made anew in the spelling of the format', () => {
    const parts: readonly Part[] = [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'a' },
      { type: 'call', callId: 'c', tool: 'f', input: '{}' },
    ];
    const call = block('tool_call', '{"name": "f", "arguments": {}}');
    expect(JSON.parse(write({ role: 'assistant', parts }))).toEqual(
      said(block('reasoning', 'Hm.'), block('text', 'a'), call),
    );
  });

  it('of a text has one, and a message of another role is none', () => {
    expect(() => read(said(block('text', 5)))).toThrow('`content[0].value` is a number');
    const other = { role: 'narrator', content: [block('text', 'x')] };
    expect(read(other)).toMatchObject({ role: 'meta', parts: [] });
    expect(changed(other, (parts) => parts)).toEqual(other);
  });
});
