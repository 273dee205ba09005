/** Rules at their bounds, and what their fixes leave: written by hand from what the providers say. */
import { describe, expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { replaceWithin } from '../../src/json/replace.js';
import { fits } from '../../src/rules/shapes/fits.js';
import { faultsIn, type Shape } from '../../src/rules/shapes/shape.js';
import { checked, examine } from '../shared/examined.js';

const text = (said: string) => ({ type: 'text', text: said });

describe('an empty text of Anthropic', () => {
  const RULE = 'anthropic/empty-text-block';
  const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 't1', content });
  const call = { type: 'tool_use', id: 't1', name: 'ls', input: {} };
  const judged = (...messages: readonly object[]) => checked({ messages }, 'anthropic', RULE);

  it('that is all of the first message becomes a point, and elsewhere goes with its message', () => {
    const hello = { role: 'assistant', content: [text('Hello')] };
    const { findings, mended } = judged({ role: 'user', content: [text('')] }, hello);
    expect(findings).toEqual([`${RULE}: a text block of the user message is empty`]);
    expect(mended).toEqual({ messages: [{ role: 'user', content: [text('.')] }, hello] });
    const rest = [
      { role: 'user', content: [text('x')] },
      { role: 'assistant', content: [text('')] },
    ];
    expect(judged(...rest).mended).toEqual({ messages: [rest[0]] });
    expect(judged({ role: 'user', content: [text(''), text('x')] }).mended).toEqual({ messages: [rest[0]] });
  });

  /** `system: Input should be a valid list` is what the API says to null. */
  it('that is all of the system prompt goes with its member', () => {
    const messages = [{ role: 'user', content: 'x' }];
    expect(checked({ system: [text('')], messages }, 'anthropic', RULE).mended).toEqual({ messages });
    const log = { request: { system: [text('')], messages }, response: { role: 'assistant', content: [text('y')] } };
    const { response } = log;
    expect(checked(log, 'anthropic', RULE).mended).toEqual({ request: { messages }, response });
  });

  it('goes out of a result, which stays', () => {
    const around = [
      { role: 'user', content: [text('x')] },
      { role: 'assistant', content: [call] },
    ];
    const { findings, mended } = judged(...around, { role: 'user', content: [result([text('a'), text('')])] });
    expect(findings).toEqual([`${RULE}: a text block of the result of t1 is empty`]);
    expect(mended).toEqual({ messages: [...around, { role: 'user', content: [result([text('a')])] }] });
    expect(judged(...around, { role: 'user', content: [result('')] }).findings).toEqual([]);
  });
});

/** adolfousier/opencrabs#1030: five calls */
describe('the same call of Qwen many times in a row', () => {
  const RULE = 'dashscope/repetitive-tool-calls';
  const call = (id: number, args = '{"a":1}') => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${id}`, type: 'function', function: { name: 'f', arguments: args } }],
    },
    { role: 'tool', tool_call_id: `c${id}`, content: 'x' },
  ];
  const user = { role: 'user', content: 'go' };
  const calls = (count: number, from = 0) => Array.from({ length: count }, (_, index) => call(from + index)).flat();
  const judged = (...messages: readonly object[]) => checked({ model: 'qwen-max', messages }, 'dashscope', RULE);
  const said = (count: number) => `${RULE}: f is called ${count} times in a row with the same arguments`;

  it.each<[string, readonly object[], readonly string[]]>([
    ['four', [user, ...calls(4)], []],
    ['five', [user, ...calls(5)], [said(5)]],
    ['seven', [user, ...calls(7)], [said(7)]],
    ['four, and another, and four', [user, ...calls(4), ...call(9, '{"a":2}'), ...calls(4, 10)], []],
    ['five, and another, and five', [user, ...calls(5), ...call(9, '{"a":2}'), ...calls(5, 10)], [said(5), said(5)]],
    ['three, a word, and three', [user, ...calls(3), user, ...calls(3, 10)], []],
    ['five, a word, and five', [user, ...calls(5), user, ...calls(5, 10)], [said(5), said(5)]],
  ])('%s', (_, messages, findings) => {
    expect(judged(...messages).findings).toEqual(findings);
  });

  it('keeps the first and the last of them', () => {
    const { mended, left } = judged(user, ...calls(2, 20), ...call(30, '{}'), ...calls(6));
    expect(left).toEqual([]);
    expect(mended).toEqual({
      model: 'qwen-max',
      messages: [user, ...calls(2, 20), ...call(30, '{}'), ...call(0), ...call(5)],
    });
  });
});

describe('Bedrock', () => {
  const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  const user = { role: 'user', content: [{ text: 'x' }] };
  const reply = (...content: readonly object[]) => ({ role: 'assistant', content });
  const thought = (signature?: string) => ({
    reasoningContent: { reasoningText: { text: 't', ...(signature === undefined ? {} : { signature }) } },
  });

  it.each<[string | undefined, object, number]>([
    [CLAUDE, thought(), 1],
    [CLAUDE, thought(''), 1],
    [CLAUDE, thought('s'), 0],
    [CLAUDE, { reasoningContent: { redactedContent: 'x' } }, 0],
    ['us.deepseek.r1-v1:0', thought(), 0],
    [undefined, thought(), 0],
  ])('to %s: the reasoning %j has %i faults', (modelId, block, count) => {
    const request = { ...(modelId === undefined ? {} : { modelId }), messages: [user, reply(block, { text: 'y' })] };
    const { findings, mended } = checked(request, 'bedrock', 'bedrock/reasoning-unsigned');
    expect(findings).toHaveLength(count);
    expect(mended).toEqual(count === 0 ? request : { ...request, messages: [user, reply({ text: 'y' })] });
  });

  it('has each tool once: repetitions go, and another tool of the name stays', () => {
    const tool = (name: string, description = 'd') => ({ toolSpec: { name, description, inputSchema: { json: {} } } });
    const judged = (...tools: readonly object[]) =>
      checked({ messages: [user], toolConfig: { tools } }, 'bedrock', 'bedrock/tool-duplicate', { asRequest: true });
    expect(judged(tool('a'), tool('b')).findings).toEqual([]);
    const same = judged(tool('a'), tool('b'), tool('a'), tool('a'));
    expect(same.findings).toEqual(Array(2).fill('bedrock/tool-duplicate: another tool is called `a` too'));
    expect(same.mended).toEqual({ messages: [user], toolConfig: { tools: [tool('a'), tool('b')] } });
    expect(same.left).toEqual([]);
    const other = judged(tool('a'), tool('a', 'other'));
    const said = 'bedrock/tool-duplicate: another tool is called `a` too, with another definition';
    expect([other.findings, other.left]).toEqual([[said], [said]]);
    const fixable = (...tools: readonly object[]) =>
      examine(JSON.stringify({ messages: [user], toolConfig: { tools } }), 'bedrock', {
        asRequest: true,
        only: ({ id }) => id === 'bedrock/tool-duplicate',
      }).findings.map(({ isFixable }) => isFixable);
    expect(fixable(tool('a'), tool('a'), tool('a', 'other'))).toEqual([true, false]);
    expect(other.mended).toEqual({ messages: [user], toolConfig: { tools: [tool('a'), tool('a', 'other')] } });
  });
});

describe('a shape', () => {
  const found = (shape: Shape, value: unknown) => {
    const node = parse(JSON.stringify(value));
    const faults = [...faultsIn(node, shape, 'm')].map(
      ({ text: said, isExtra }) => `${said}${isExtra ? ' (extra)' : ''}`,
    );
    if (fits(node, shape)) expect(faults).toEqual([]);
    return faults;
  };
  const OBJECT: Shape = { fields: { a: 'string', 'b?': 'number|null' } };
  const CLOSED: Shape = { ...OBJECT, closed: true, atMostOne: ['a', 'b', 'c'] };
  const TAGGED: Shape = { tag: 'type', of: { x: OBJECT, y: { fields: {} } } };
  const UNION: Shape = { union: { x: 'string', y: { fields: {} } } };
  const LIST: Shape = { list: 'string', least: 1, most: 2 };
  const long = (length: number) => 'k'.repeat(length);

  it.each<[Shape, unknown, readonly string[]]>([
    ['string', 'x', []],
    ['string', 5, ['`m` is a number, not a string']],
    ['string|null', null, []],
    ['string|null', true, ['`m` is a boolean, not a string or null']],
    ['any', {}, []],
    [['x', 'y'], 'y', []],
    [['x', 'y'], 'z', ['`m` is `z`, not one of x, y']],
    [[...'abcdef'], 'z', ['`m` is `z`, not one of a, b, c, d, e, f']],
    [[...'abcdefg'], 'z', ['`m` is `z`, not one of a, b, c, d, e, f, …']],
    [['x'], 'z', ['`m` is `z`, not `x`']],
    [['x'], 5, ['`m` is a number, not `x`']],
    [['x'], long(40), [`\`m\` is \`${long(40)}\`, not \`x\``]],
    [['x'], long(41), [`\`m\` is \`${long(40)}…\`, not \`x\``]],
    [{ pattern: /^a+$/, expected: 'letters a' }, 'aa', []],
    [{ pattern: /^a+$/, expected: 'letters a' }, 'ab', ['`m` is `ab`, not letters a']],
    [{ pattern: /^a+$/, expected: 'letters a' }, ['a'], ['`m` is an array, not letters a']],
    [{ longest: 2 }, 'ab', []],
    [{ longest: 2 }, 'abc', ['`m` has more than 2 characters']],
    [{ longest: 2 }, 5, ['`m` is a number, not a string']],
    [LIST, ['a', 'b'], []],
    [LIST, [], ['`m` is an empty array']],
    [LIST, ['a', 'b', 'c'], ['`m` has more than 2 elements']],
    [LIST, ['a', 5], ['`m[1]` is a number, not a string']],
    [LIST, {}, ['`m` is an object, not an array']],
    [{ list: 'string' }, [], []],
    [{ either: ['string', LIST] }, 'a', []],
    [{ either: ['string', LIST] }, [5], ['`m[0]` is a number, not a string']],
    [{ either: ['string', LIST] }, 5, ['`m` is a number, not a string or an array']],
    [OBJECT, { a: 'x' }, []],
    [OBJECT, { a: 'x', b: null, c: 5 }, []],
    [OBJECT, { b: 'x' }, ['`m.b` is a string, not a number or null', '`m` has no `a`']],
    [OBJECT, [], ['`m` is an array, not an object']],
    [CLOSED, { a: 'x', b: null }, []],
    [CLOSED, { a: 'x', b: 5 }, ['`m` has `a` and `b`, but only one of them is allowed']],
    [CLOSED, { a: 'x', d: 5 }, ['`m` has no field `d` (extra)']],
    [CLOSED, { a: 'x', [long(41)]: 5 }, [`\`m\` has no field \`${long(40)}…\` (extra)`]],
    [TAGGED, { type: 'x', a: 'x' }, []],
    [TAGGED, { type: 'x' }, ['`m` has no `a`']],
    [TAGGED, { type: 'y', a: 5 }, []],
    [TAGGED, { type: 'z' }, ['`m.type` is `z`, not one of x, y']],
    [TAGGED, { type: 'toString' }, ['`m.type` is `toString`, not one of x, y']],
    [TAGGED, { type: 5 }, ['`m.type` is a number, not one of x, y']],
    [TAGGED, {}, ['`m` has no `type`']],
    [TAGGED, 'x', ['`m` is a string, not an object']],
    [UNION, { x: 'a' }, []],
    [UNION, { x: 5 }, ['`m.x` is a number, not a string']],
    [UNION, { z: 5 }, ['`m` has none of the members x, y']],
    [UNION, {}, ['`m` has none of the members x, y']],
    [UNION, { x: 'a', y: {} }, ['`m` has 2 members, but only one of them is allowed']],
    [UNION, { z: 5, y: 5 }, ['`m` has 2 members, but only one of them is allowed', '`m.y` is a number, not an object']],
    [UNION, null, ['`m` is null, not an object']],
  ])('%j of %j: %j', (shape, value, faults) => {
    expect(found(shape, value)).toEqual(faults);
  });
});

it('values at any depth are replaced, in whatever order they are named', () => {
  const root = parse('{"x":{"a":1,"b":2},"y":{"c":3}}');
  const [a, c] = [root.get('x')!.get('a')!, root.get('y')!.get('c')!];
  const changes = [
    { node: c, value: 30 },
    { node: a, value: 10 },
  ];
  const expected = '{"x":{"a":10,"b":2},"y":{"c":30}}';
  expect(printed(replaceWithin(root, changes))).toBe(expected);
  expect(printed(replaceWithin(root, changes.toReversed()))).toBe(expected);
});
