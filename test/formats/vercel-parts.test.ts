/** Parts of model messages of the Vercel AI SDK one by one: by what each is known, and what is written of it. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/vercel/vercel-model.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';

const json = (value: unknown) => JSON.stringify(value);
const node = (value: unknown) => parse(json(value));
const text = (value: string): Part => ({ type: 'text', text: value });
const thinking = (value: string): Part => ({ type: 'thinking', text: value });
const media = (raw: object | undefined, kind = 'image') => ({ type: 'media', kind, raw: raw && node(raw) }) as Part;
const read = (message: unknown) => format.read(node(message));
const toJson = (message: Message) => JSON.parse(printed(format.write(message, undefined as never)));
const written = (message: unknown, change: (parts: readonly Part[]) => readonly Part[]) => {
  const before = read(message);
  return toJson({ ...before, parts: change(before.parts) });
};

describe('a message', () => {
  const score = (content: unknown, role = 'assistant', more: object = {}) =>
    format.score(node({ role, content, ...more }));

  it.each<[object, number]>([
    [{ type: 'tool-call', toolCallId: 'c' }, 1],
    [{ type: 'tool-call' }, -1],
    [{ type: 'tool-result', toolCallId: 'c' }, 1],
    [{ type: 'tool-result', toolCallId: 5 }, -1],
    [{ type: 'tool-approval-request', approvalId: 'a' }, 1],
    [{ type: 'tool-approval-response', approvalId: 'a' }, 1],
    [{ type: 'tool-approval-request' }, -1],
    [{ type: 'tool_use' }, -1],
    [{ type: 'tool_result' }, -1],
    [{ type: 'text', text: 'x' }, 0.51],
    [{ type: 'text' }, -1],
    [{ type: 'reasoning', text: 'x' }, 0.9],
    [{ type: 'reasoning' }, -1],
    [{ type: 'image', image: 'x' }, 0.9],
    [{ type: 'image', data: 'x' }, 0],
    [{ type: 'image', image: 'x', source: {} }, 0],
    [{ type: 'file', data: 'x' }, 0.9],
    [{ type: 'file', image: 'x' }, 0],
    [{ type: 'other' }, 0],
    [{}, 0],
  ])('is known by its parts: %j', (part, known) => {
    expect(score([part])).toBe(known);
    expect(score([{ type: 'other' }, part])).toBe(known);
  });

  it('of a tool has only results and approvals', () => {
    expect(score([{ type: 'tool-result', toolCallId: 'c' }], 'tool')).toBe(1);
    expect(score([{ type: 'tool-approval-response', approvalId: 'a' }], 'tool')).toBe(1);
    expect(score([{ type: 'text', text: 'x' }], 'tool')).toBe(-1);
    expect(score('x', 'tool')).toBe(-1);
  });

  it('is none with the members of others', () => {
    expect(score('x')).toBe(0.51);
    expect(score([])).toBe(0.4);
    expect(score(5)).toBe(-1);
    expect(score(undefined)).toBe(0);
    expect(score('x', 'developer')).toBe(0);
    expect(score('x', 'user', { parts: [] })).toBe(0);
    for (const key of ['tool_calls', 'tool_call_id', 'toolInvocations'])
      expect(score('x', 'user', { [key]: [] })).toBe(-1);
    expect(score('x', 'user', { tool_calls: null })).toBe(0.51);
  });

  it('of another role, or with approvals only, says nothing', () => {
    const other = { role: 'data', content: [{ type: 'text', text: 'x' }] };
    const answer = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a' }] };
    for (const message of [other, answer]) {
      expect(read(message)).toMatchObject({ role: 'meta', parts: [] });
      expect(written(message, () => [text('y')])).toEqual(message);
    }
    expect(read({ role: 'tool', content: [] })).toMatchObject({ role: 'tool', parts: [] });
    expect(() => read({ content: 'x' })).toThrow('role');
    expect(() => read({ role: 'user', content: 5 })).toThrow('a string or an array of parts');
  });

  it('names its model, its tools and its id', () => {
    const told = (record: object) => {
      const { id, model, tools } = format.describe!(node(record));
      return [id, model, tools && textOf(tools)];
    };
    expect(told({ id: 'i', model: 'm', tools: { f: 1 } })).toEqual(['i', 'm', '{"f":1}']);
    expect(told({ request: { model: 'a', tools: [1] }, response: { model: 'b' } })).toEqual([undefined, 'a', '[1]']);
    expect(told({ tools: 5, body: { model: 'a', tools: [2] } })).toEqual([undefined, 'a', '[2]']);
    expect(told({ params: { tools: [3] }, response: { modelId: 'b' } })).toEqual([undefined, 'b', '[3]']);
  });
});

describe('a message that changed', () => {
  const message = (...content: readonly object[]) => ({ role: 'assistant', content });
  const change = (part: object, more: object) =>
    written(message(part), (parts) => parts.map((one) => ({ ...one, ...more }) as Part)).content[0];

  it('has a text, a list, or no content', () => {
    const from = (content: unknown, ...parts: readonly Part[]) =>
      written({ role: 'user', content }, () => parts).content;
    expect(from('a', text('b'))).toBe('b');
    expect(from('a')).toBe('');
    expect(from(null)).toBe(null);
    expect(from(null, text('b'))).toBe('b');
    expect(from('a', text('b'), text('c'))).toEqual([
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ]);
    expect(from('a', thinking('b'))).toEqual([{ type: 'reasoning', text: 'b' }]);
    expect(from([{ type: 'text', text: 'a' }], text('b'))).toEqual([{ type: 'text', text: 'b' }]);
    expect(from([{ type: 'text', text: 'a' }])).toEqual([]);
  });

  it('of a system prompt stays a text, also beside the messages', () => {
    const parts = [text('a'), text('b')];
    expect(written({ role: 'system', content: 'x' }, () => parts)).toEqual({ role: 'system', content: 'ab' });
    expect(written('x', () => [text('a')])).toBe('a');
    expect(written('x', () => [])).toBe('');
    expect(written([{ type: 'text', text: 'x' }], () => [text('a')])).toEqual([{ type: 'text', text: 'a' }]);
    expect(written(null, () => [])).toBe(null);
  });

  it('keeps its approvals, each with its call', () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} };
    const request = (toolCallId: string) => ({ type: 'tool-approval-request', approvalId: 'a', toolCallId });
    const both = message(call, request('c'));
    const renamed = (parts: readonly Part[]) => parts.map((part) => ({ ...part, callId: 'n' }) as Part);
    expect(written(both, (parts) => parts)).toEqual(both);
    expect(written(both, renamed)).toEqual(message({ ...call, toolCallId: 'n' }, request('n')));
    expect(written(both, () => [])).toEqual(message());
    const other = message(call, request('d'));
    expect(written(other, renamed)).toEqual(message({ ...call, toolCallId: 'n' }, request('d')));
  });

  it('keeps what has no text', () => {
    const hidden = { type: 'redacted-reasoning', data: 'x' };
    expect(read(message(hidden)).parts).toMatchObject([{ type: 'thinking', text: '' }]);
    expect(change(hidden, { text: 'y' })).toEqual(hidden);
    expect(change({ type: 'image', image: 'x' }, {})).toEqual({ type: 'image', image: 'x' });
  });

  it('has the arguments of a call where they were', () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'f' };
    const input = '{"a":1}';
    expect(change({ ...call, input: {} }, { input })).toEqual({ ...call, input: { a: 1 } });
    expect(change({ ...call, args: {} }, { input })).toEqual({ ...call, args: { a: 1 } });
    expect(change({ ...call, input: {} }, { input: '{' })).toEqual({ ...call, input: '{' });
    expect(change(call, {})).toEqual(call);
    expect(change(call, { callId: 'n' })).toEqual({ ...call, toolCallId: 'n' });
    expect(change(call, { input })).toEqual({ ...call, input: { a: 1 } });
    expect(
      written(message({ ...call, args: {} }, call), (parts) =>
        parts.map((part, index) => (index === 1 ? ({ ...part, input } as Part) : part)),
      ).content[1],
    ).toEqual({ ...call, args: { a: 1 } });
  });

  it('has added parts in the spelling of the others', () => {
    const added = (old: object, ...parts: readonly object[]) =>
      written(message(old), (own) => [...own, ...(parts as Part[])]).content.slice(1);
    const call = { type: 'call', tool: 'f', input: '{"a":1}' };
    const [five, four] = [
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} },
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', args: {} },
    ];
    const named = { type: 'tool-call', toolCallId: '', toolName: 'f' };
    expect(added(five, call)).toEqual([{ ...named, input: { a: 1 } }]);
    expect(added(four, call)).toEqual([{ ...named, args: { a: 1 } }]);
    const answer = { type: 'tool-result', toolCallId: '', toolName: 'f' };
    const own = { type: 'result', tool: 'f' };
    expect(added(four, { ...own, content: [text('x')] })).toEqual([{ ...answer, result: 'x' }]);
    expect(added(four, { ...own, content: [], isError: true })).toEqual([{ ...answer, result: '', isError: true }]);
    expect(added(five, { ...own, content: [] })).toEqual([{ ...answer, output: { type: 'text', value: '' } }]);
    expect(added(five, media(undefined))).toEqual([{ type: 'media' }]);
  });
});

describe('a result that changed', () => {
  const own = { type: 'tool-result', toolCallId: 'c', toolName: 'f' };
  const picture = { type: 'image', data: 'x', mediaType: 'image/png' };
  const made = (part: object, ...content: readonly Part[]) => {
    const { content: list } = written({ role: 'tool', content: [{ ...own, ...part }] }, (parts) =>
      parts.map((one) => ({ ...one, content }) as Part),
    );
    const { type: _, toolCallId: __, toolName: ___, ...rest } = list[0];
    return rest;
  };
  const typed = (type: string, value: unknown) => ({ output: { type, value, providerOptions: {} } });

  it.each<[string, unknown, readonly Part[], string, unknown]>([
    ['text', 'x', [text('y')], 'text', 'y'],
    ['text', 'x', [], 'text', ''],
    ['error-text', 'x', [text('y')], 'error-text', 'y'],
    ['json', { a: 1 }, [text('y')], 'text', 'y'],
    ['json', 'x', [text('y')], 'text', 'y'],
    ['error-json', { a: 1 }, [text('y')], 'error-text', 'y'],
    ['json', { a: 1 }, [text('x'), text('y')], 'json', { content: [text('x'), text('y')] }],
    ['content', [text('x')], [text('y'), media(picture)], 'content', [text('y'), picture]],
    ['content', [text('x')], [], 'content', []],
    ['content', [{ x: 1 }], [text('y')], 'content', 'y'],
  ])('as %s of %j', (type, value, content, typeNow, now) => {
    expect(made(typed(type, value), ...content)).toEqual(typed(typeNow, now));
  });

  it('keeps the reason of a denial, and what says the same', () => {
    const denied = (reason?: string) => ({ output: { type: 'execution-denied', reason } });
    expect(made(denied('x'), text('y'))).toEqual(denied('y'));
    expect(made(denied())).toEqual(denied());
    const same = { role: 'tool', content: [{ ...own, output: { type: 'json', value: 'x' } }] };
    expect(written(same, (parts) => parts)).toEqual(same);
    expect(made({ output: { type: 'json', value: null } })).toEqual({ output: { type: 'json', value: null } });
  });

  it('of version 4 is a bare value, which may be repeated', () => {
    expect(made({ result: { a: 1 } }, text('y'))).toEqual({ result: 'y' });
    expect(made({ output: 'x' }, text('y'))).toEqual({ output: 'y' });
    expect(made({}, text('y'))).toEqual({ result: 'y' });
    expect(made({})).toEqual({});
    const blocks = [{ type: 'text', text: 'x' }];
    expect(made({ result: blocks, experimental_content: blocks }, text('y'))).toEqual({
      ...{ result: [text('y')], experimental_content: [text('y')] },
    });
    expect(made({ result: 'x', experimental_content: blocks }, text('y'))).toEqual({ result: 'y' });
  });

  it('leaves the others of its message as they were', () => {
    const repeated = { result: { a: 1 }, experimental_content: [{ type: 'text', text: 'one' }] };
    const first = { type: 'tool-result', toolCallId: 'a', toolName: 'f', ...repeated };
    const other = { type: 'tool-result', toolCallId: 'b', toolName: 'f', result: 'long' };
    const after = written({ role: 'tool', content: [first, other] }, (parts) =>
      parts.map(
        (part) => ('callId' in part && part.callId === 'b' ? { ...part, content: [text('short')] } : part) as Part,
      ),
    );
    expect(after.content).toEqual([first, { ...other, result: 'short' }]);
  });
});
