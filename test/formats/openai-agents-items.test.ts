/** Items of the OpenAI Agents SDK one by one: what is written of an item that changed, and one that was added. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/openai-agents/openai-agents.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';

const node = (value: unknown) => parse(JSON.stringify(value));
const text = (value: string): Part => ({ type: 'text', text: value });
const picture = { type: 'input_image', image: 'data:image/png;base64,QQ==' };
const media = (raw?: object) => ({ type: 'media', kind: 'image', raw: raw && node(raw) }) as Part;
const toJson = (message: Message) => JSON.parse(printed(format.write(message, undefined as never)));
/** An item with other members of its part, or with other parts. */
const written = (item: object, ...parts: readonly object[]) => {
  const message = format.read(node(item));
  const now = parts.map((part) => ({
    ...message.parts.find(({ type }) => 'type' in part && type === part.type),
    ...part,
  }));
  return toJson({ ...message, parts: now as unknown as Part[] });
};
const fresh = (role: Message['role'], ...parts: readonly Part[]) => toJson({ role, parts, raw: undefined });
const result = (...content: readonly Part[]) => ({ type: 'result', content });

describe('a message', () => {
  const message = (role: string, content: unknown) => ({ type: 'message', role, content, status: 'completed' });

  it('has a text, or blocks with the keys of its role', () => {
    expect(written(message('system', 'x'), text('a'), text('b'))).toEqual(message('system', 'ab'));
    expect(written(message('system', [{ type: 'input_text', text: 'x' }]), text('a'))).toEqual(
      message('system', [{ type: 'input_text', text: 'a' }]),
    );
    expect(written(message('user', 'x'), text('a'))).toEqual(message('user', 'a'));
    expect(written(message('user', 'x'), text('a'), media(picture))).toEqual(
      message('user', [{ type: 'input_text', text: 'a' }, picture]),
    );
    expect(written(message('user', 'x'))).toEqual(message('user', ''));
    expect(written(message('assistant', [{ type: 'output_text', text: 'x', y: 1 }]), text('a'))).toEqual(
      message('assistant', [{ type: 'output_text', text: 'a', y: 1 }]),
    );
    expect(written(message('user', 'x'), media())).toEqual(message('user', [{ type: 'media' }]));
  });

  it('of the assistant is a list of blocks, also where it was a text', () => {
    expect(written(message('assistant', 'x'), text('a'))).toEqual(
      message('assistant', [{ type: 'output_text', text: 'a' }]),
    );
  });

  it('that nothing is known of stays', () => {
    const other = { type: 'hosted_tool_call', id: 'h', name: 'f', status: 'completed' };
    expect(written(other, text('a'))).toEqual(other);
    const unknown = { type: 'new_item', x: 1 };
    expect(written(unknown, text('a'))).toEqual(unknown);
  });
});

describe('a call', () => {
  const call = (more: object) => ({ type: 'function_call', callId: 'c', name: 'f', ...more });
  const shell = (more: object) => ({ type: 'shell_call', callId: 'c', ...more });

  it.each<[object, object, object]>([
    [call({ arguments: '{}' }), { input: '{"a":1}' }, call({ arguments: '{"a":1}' })],
    [call({ arguments: '{}' }), { callId: 'n' }, { ...call({ arguments: '{}' }), callId: 'n' }],
    [call({ arguments: '{}' }), { callId: '' }, call({ arguments: '{}' })],
    [call({}), { input: '' }, call({})],
    [call({}), { input: '{"a":1}' }, call({ arguments: '{"a":1}' })],
    [shell({ action: { commands: ['ls'] } }), { input: '{"a":1}' }, shell({ action: { a: 1 } })],
    [
      { type: 'computer_call', callId: 'c', actions: [{}] },
      { input: '[1]' },
      { type: 'computer_call', callId: 'c', actions: [1] },
    ],
    [
      { type: 'computer_call', callId: 'c', actions: [{}], action: {} },
      { input: '{"a":1}' },
      { type: 'computer_call', callId: 'c', actions: [{}], action: { a: 1 } },
    ],
    [
      { type: 'tool_search_call', call_id: 'c', arguments: { q: 1 } },
      { callId: 'n' },
      { type: 'tool_search_call', call_id: 'n', arguments: { q: 1 } },
    ],
  ])('%j with %j', (item, change, after) => {
    expect(written(item, { type: 'call', ...change })).toEqual(after);
  });

  it('is a message if the call is gone', () => {
    const item = call({ arguments: '{}' });
    expect(written(item, text('a'))).toEqual({
      ...{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'a' }] },
    });
  });
});

describe('a result', () => {
  const answer = (output: unknown, type = 'function_call_result') => ({ type, callId: 'c', output });
  const block = (value: string) => ({ type: 'text', text: value });
  const input = (value: string) => ({ type: 'input_text', text: value });
  const pixel = { type: 'computer_screenshot', data: expect.stringMatching(/^data:image\/png;base64,/) };
  const shell = { stdout: 'x', stderr: '', outcome: { type: 'exit', exitCode: 0 } };
  const failed = (stderr: string) => ({ stdout: '', stderr, outcome: { type: 'exit', exitCode: 1 } });

  it.each<[object, readonly Part[], object]>([
    [answer('x'), [text('a')], answer('a')],
    [answer('x'), [text('a'), text('b')], answer([input('a'), input('b')])],
    [answer(block('x')), [text('a')], answer(block('a'))],
    [answer(block('x')), [], answer(block(''))],
    [answer(block('x')), [media(picture)], answer(picture)],
    [answer(block('x')), [text('a'), text('b')], answer([input('a'), input('b')])],
    [answer([input('x')]), [text('a')], answer([input('a')])],
    [answer([input('x')]), [], answer([])],
    [
      answer({ type: 'computer_screenshot', data: 'x' }, 'computer_call_result'),
      [text('a')],
      answer(pixel, 'computer_call_result'),
    ],
    [
      answer({ type: 'computer_screenshot', data: 'x' }, 'computer_call_result'),
      [media({ type: 'computer_screenshot', data: 'y' })],
      answer({ type: 'computer_screenshot', data: 'y' }, 'computer_call_result'),
    ],
    [answer([shell], 'shell_call_output'), [text('a')], answer([failed('a')], 'shell_call_output')],
    [answer([shell], 'shell_call_output'), [media(picture)], answer([picture], 'shell_call_output')],
    [answer([shell], 'shell_call_output'), [media()], answer([{ type: 'media' }], 'shell_call_output')],
    [answer('x', 'shell_call_output'), [text('a')], answer('a', 'shell_call_output')],
    [answer('x', 'apply_patch_call_output'), [text('a'), text('b')], answer('ab', 'apply_patch_call_output')],
    [answer('x', 'program_output'), [text('a'), text('b')], answer('ab', 'program_output')],
  ])('%j of %j', (item, content, after) => {
    expect(written(item, result(...content))).toEqual(after);
  });

  it('keeps its output where nothing is left of it', () => {
    const item = { type: 'function_call_result', callId: 'c', name: 'f', status: 'completed', output: 'x' };
    expect(written(item, result())).toEqual({ ...item, output: '' });
  });

  it('is a message if the result is gone', () => {
    expect(written(answer('x'), text('a'))).toEqual({ type: 'message', role: 'user', content: 'a' });
  });

  it('keeps its id, or has another', () => {
    const item = answer('x');
    expect(written(item, { type: 'result', callId: 'n' })).toEqual({ ...item, callId: 'n' });
    expect(written(item, { type: 'result', callId: '' })).toEqual(item);
  });

  it('of a tool that ran at the provider is its call, too', () => {
    const hosted = { type: 'hosted_tool_call', id: 'h', name: 'f', arguments: '{}', status: 'completed', output: 'x' };
    expect(written(hosted, { type: 'call', input: '{"a":1}' }, result(text('a'), text('b')))).toEqual({
      ...{ ...hosted, arguments: '{"a":1}', output: 'ab' },
    });
    const { arguments: _, ...bare } = hosted;
    expect(written(hosted, result(text('a')))).toEqual({ ...bare, output: 'a' });
    expect(written(hosted, text('a'))).toMatchObject({ type: 'message', role: 'assistant' });
  });
});

describe('an item that was added', () => {
  const call = (kind?: string, input = '{"a":1}') => ({ type: 'call', callId: 'c', tool: 'f', input, kind }) as Part;
  const of = (kind: string | undefined, ...content: readonly Part[]) =>
    ({ type: 'result', callId: 'c', tool: 'f', content, kind }) as Part;
  const done = { callId: 'c', status: 'completed' };

  it.each<[string | undefined, object]>([
    [undefined, { type: 'function_call', ...done, name: 'f', arguments: '{"a":1}' }],
    ['computer_call', { type: 'computer_call', ...done, action: { a: 1 } }],
    ['shell_call', { type: 'shell_call', ...done, action: { a: 1 } }],
    ['apply_patch_call', { type: 'apply_patch_call', ...done, operation: { a: 1 } }],
    ['program', { type: 'program', ...done, code: '{"a":1}', fingerprint: '' }],
    ['tool_search_call', { type: 'tool_search_call', ...done, arguments: { a: 1 } }],
    ['other_call', { type: 'other_call', ...done, arguments: { a: 1 } }],
  ])('is a call of kind %s', (kind, item) => {
    expect(fresh('assistant', call(kind))).toEqual(item);
    const { callId: _, ...anonymous } = call(kind) as { callId?: string };
    expect(fresh('assistant', anonymous as Part)).toEqual({ ...item, callId: '' });
  });

  it.each<[string | undefined, object]>([
    ['other_call', { type: 'function_call_result', ...done, name: 'f', output: { type: 'text', text: 'x' } }],
    [undefined, { type: 'function_call_result', ...done, name: 'f', output: { type: 'text', text: 'x' } }],
    ['shell_call', { type: 'shell_call_output', callId: 'c', output: [expect.objectContaining({ stderr: 'x' })] }],
    ['apply_patch_call', { type: 'apply_patch_call_output', callId: 'c', status: 'failed', output: 'x' }],
    ['program', { type: 'program_output', callId: 'c', status: 'incomplete', output: 'x' }],
    ['tool_search_call', { type: 'tool_search_output', ...done, execution: 'client', tools: [] }],
    [
      'computer_call',
      { type: 'computer_call_result', callId: 'c', output: expect.objectContaining({ type: 'computer_screenshot' }) },
    ],
  ])('is a result of kind %s', (kind, item) => {
    expect(fresh('tool', of(kind, text('x')))).toEqual(item);
    const { callId: _, ...anonymous } = of(kind, text('x')) as { callId?: string };
    expect(fresh('tool', anonymous as Part)).toEqual({ ...item, callId: '' });
  });

  it('is a result with no text, or several, and perhaps no name', () => {
    const item = { type: 'function_call_result', ...done, name: 'f' };
    expect(fresh('tool', of(undefined))).toEqual({ ...item, output: '' });
    expect(fresh('tool', of(undefined, text('x'), media(picture)))).toEqual({
      ...{ ...item, output: [{ type: 'input_text', text: 'x' }, picture] },
    });
    expect(fresh('tool', of(undefined, media(picture)))).toEqual({ ...item, output: picture });
    const { tool: _, ...unnamed } = of(undefined) as { tool?: string };
    expect(fresh('tool', unnamed as Part)).toEqual({ ...item, name: '', output: '' });
  });

  it('is a call of the provider with its result', () => {
    const item = { type: 'hosted_tool_call', id: 'c', name: 'f', status: 'completed', output: 'x' };
    expect(fresh('assistant', call(), of(undefined, text('x')))).toEqual({ ...item, arguments: '{"a":1}' });
    expect(fresh('assistant', of(undefined, text('x')))).toEqual(item);
    expect(fresh('assistant', { type: 'result', content: [] } as unknown as Part)).toEqual({
      ...{ ...item, id: '', name: '', output: '' },
    });
  });

  it('is a message of its role, or thoughts', () => {
    const message = (role: string, content: unknown) => ({ type: 'message', role, content });
    expect(fresh('system', text('a'), text('b'))).toEqual(message('system', 'ab'));
    expect(fresh('user', text('a'))).toEqual(message('user', 'a'));
    expect(fresh('user')).toEqual(message('user', ''));
    expect(fresh('user', text('a'), media(picture))).toEqual(
      message('user', [{ type: 'input_text', text: 'a' }, picture]),
    );
    expect(fresh('assistant', text('a'), media())).toEqual({
      ...message('assistant', [{ type: 'output_text', text: 'a' }, { type: 'media' }]),
      status: 'completed',
    });
    expect(fresh('assistant', { type: 'thinking', text: 'a' }, { type: 'thinking', text: 'b' })).toEqual({
      type: 'reasoning',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_text', text: 'b' },
      ],
    });
  });

  it('is an item that was read elsewhere, but no block of one', () => {
    const opaque = (raw: object) => ({ type: 'opaque', raw: node(raw) }) as Part;
    const item = { type: 'hosted_tool_call', id: 'h', name: 'f' };
    expect(fresh('assistant', opaque(item))).toEqual(item);
    expect(fresh('user', opaque({ x: 1 }))).toEqual({ type: 'message', role: 'user', content: [{ x: 1 }] });
  });
});
