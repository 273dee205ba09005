/** Messages of several formats as their programs write them: what is read of each, and how an edit is written. */
import { describe, expect, it } from 'vitest';
import { isCohereMessage } from '../../src/formats/cohere/cohere-detect.js';
import { formatNamed } from '../../src/formats/index.js';
import { bareCallsOf } from '../../src/formats/openai/bare-calls.js';
import { isAgentRow } from '../../src/formats/openai/openai-chat-read.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part, ResultPart } from '../../src/transcript/types.js';

const json = (value: unknown) => JSON.stringify(value);
const read = (format: string, value: unknown) => formatNamed(format).read(parse(json(value)));
const written = (format: string, message: Message) =>
  JSON.parse(printed(formatNamed(format).write(message, undefined)));
const scored = (format: string, value: unknown) => formatNamed(format).score(parse(json(value)));

/** A part without where it was read; texts as they are. */
function plain(part: Part): unknown {
  const { raw: _, ...rest } = part as Part & { raw?: unknown };
  const texts = Object.entries(rest).map(([key, value]) => {
    if (key === 'content') return [key, (value as readonly Part[]).map(plain)];
    return [key, typeof value === 'object' && value !== null && 'text' in value ? textOf(value as never) : value];
  });
  return Object.fromEntries(texts.filter(([, value]) => value !== undefined));
}
const partsOf = (format: string, value: unknown) => read(format, value).parts.map(plain);

describe('rows that an agent writes for itself', () => {
  it.each<[unknown, boolean]>([
    [{ role: '_checkpoint', id: 0 }, true],
    [{ role: '_checkpoint' }, false],
    [{ role: '_usage', token_count: 5 }, true],
    [{ role: '_usage' }, false],
    [{ role: '_usage', id: 1 }, false],
    [{ role: 'user', token_count: 5 }, false],
    [{ role: 'user', id: 5 }, false],
    [{ role: 'exit', extra: { exit_status: 'Submitted' } }, true],
    [{ role: 'exit', extra: {} }, false],
    [{ role: 'exit' }, false],
    [{ role: 'user', extra: { exit_status: 'Submitted' } }, false],
    [{ content: 'x' }, false],
  ])('%j: %s', (row, is) => {
    expect(isAgentRow(parse(json(row)))).toBe(is);
  });
});

/** SWE-agent 1.0 answers a list of calls (2025-02). */
it('a result that names calls in a list gets another id as the first of them', () => {
  const row = { role: 'tool', content: 'x', tool_call_ids: ['a', 'b'] };
  const message = read('openai-chat', row);
  expect(message.parts.map(plain)).toMatchObject([{ type: 'result', callId: 'a' }]);
  const [part] = message.parts as readonly [ResultPart];
  const renamed = (callId: string) => written('openai-chat', { ...message, parts: [{ ...part, callId }] });
  expect(renamed('a')).toEqual(row);
  expect(renamed('b')).toEqual({ ...row, tool_call_ids: ['b', 'b'] });
  expect(renamed('c')).toEqual({ ...row, tool_call_ids: ['c', 'b'] });
});

describe('a list of calls alone', () => {
  const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const VERCEL = { toolCallId: 'c', toolName: 'f', args: {} };

  it.each<[string, object, boolean]>([
    ['of OpenAI', CALL, true],
    ['whose arguments are no text', { ...CALL, function: { name: 'f', arguments: {} } }, false],
    ['without a name', { ...CALL, function: { arguments: '{}' } }, false],
    ['that is a message', { ...CALL, role: 'assistant' }, false],
    ['of the AI SDK', VERCEL, true],
    ['of it, with its newer input', { toolCallId: 'c', toolName: 'f', input: {} }, true],
    ['of it without an id', { toolName: 'f', args: {} }, false],
    ['of it with a number as id', { ...VERCEL, toolCallId: 5 }, false],
    ['of it without a name', { toolCallId: 'c', args: {} }, false],
    ['of it without arguments', { toolCallId: 'c', toolName: 'f' }, false],
    ['of it with its result', { ...VERCEL, result: 'x' }, false],
    ['of it with its output', { ...VERCEL, output: 'x' }, false],
  ])('%s', (_, call, is) => {
    const list = (...calls: readonly object[]) => bareCallsOf(parse(json(calls)));
    expect(list(call)?.length).toBe(is ? 1 : undefined);
    expect(list(CALL, call)?.length).toBe(is ? 2 : undefined);
    expect(list(call, CALL)?.length).toBe(is ? 2 : undefined);
    expect(list()).toBeUndefined();
  });
});

/** https://docs.cohere.com/reference/chat (2026-11) */
describe("Cohere's messages", () => {
  const DOCUMENT = { type: 'document', document: { id: '1', data: 'x' } };

  it.each<[object, boolean]>([
    [{ role: 'tool', tool_call_id: 'c', content: [DOCUMENT] }, true],
    [{ role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'x' }, DOCUMENT] }, true],
    [{ role: 'tool', tool_call_id: 'c', content: [{ type: 'document' }] }, false],
    [{ role: 'tool', tool_call_id: 'c', content: [{ ...DOCUMENT, type: 'file' }] }, false],
    [{ role: 'assistant', tool_plan: 'I look' }, true],
    [{ role: 'assistant', tool_plan: 5 }, false],
    [{ role: 'assistant', content: 'x', citations: [{ start: 0, end: 1, text: 'x', sources: [] }] }, true],
    [{ role: 'assistant', content: 'x', citations: [{ url: 'x' }] }, false],
    [{ role: 'assistant', content: 'x', citations: [] }, false],
    [{ role: 'user', content: 'x' }, false],
  ])('are told from those of others: %j %s', (message, is) => {
    const node = parse(json(message));
    expect(isCohereMessage(node.get('tool_plan'), node.get('citations'), node.get('content')) === true).toBe(is);
  });
});

/** https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message (2026-11) */
describe('calls of the AI SDK', () => {
  const call = (more: object) => ({ type: 'tool-call', toolCallId: 'c', toolName: 'f', ...more });
  const inputs = (...parts: readonly object[]) =>
    partsOf('vercel-model', { role: 'assistant', content: parts }).map((part) => (part as { input?: string }).input);

  it('have an input, which older versions call `args`', () => {
    expect(inputs(call({ input: { a: 1 } }))).toEqual(['{"a":1}']);
    expect(inputs(call({ args: { b: 2 } }))).toEqual(['{"b":2}']);
    expect(inputs(call({ input: { a: 1 }, args: { b: 2 } }))).toEqual(['{"a":1}']);
    expect(inputs(call({}))).toEqual(['{}']);
  });

  it.each<[fields: object, isError: boolean]>([
    [{ result: 'x' }, false],
    [{ result: 'x', isError: true }, true],
    [{ result: 'x', isError: false }, false],
    [{ output: { type: 'text', value: 'x' } }, false],
    [{ output: { type: 'text', value: 'x' }, isError: true }, false],
    [{ output: { type: 'error-text', value: 'x' } }, true],
    [{ output: { type: 'error-json', value: {} } }, true],
  ])('whose result is %j failed: %j', (fields, isError) => {
    const content = [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', ...fields }];
    const [result] = read('vercel-model', { role: 'tool', content }).parts as ResultPart[];
    expect(result!.isError).toBe(isError);
  });

  it('that the provider answers are no calls', () => {
    const kinds = (...content: readonly object[]) =>
      read('vercel-model', { role: 'assistant', content }).parts.map(({ type }) => type);
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'text', value: 'x' } };
    expect(kinds(call({ input: {} }))).toEqual(['call']);
    expect(kinds(call({ input: {}, providerExecuted: true }))).toEqual(['opaque']);
    expect(kinds(call({ input: {} }), result)).toEqual(['opaque', 'opaque']);
  });
});

/** https://github.com/openai/openai-agents-python, items of a session (2026-11) */
it.each<[object, object]>([
  [
    { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' },
    { type: 'call', callId: 'c', tool: 'f', input: '{}' },
  ],
  [
    { type: 'shell_call', callId: 'c', action: { commands: ['ls'] } },
    { type: 'call', callId: 'c', tool: 'shell_call', kind: 'shell_call' },
  ],
])('an item of the Agents SDK: %j', (item, part) => {
  expect(partsOf('openai-agents', item)).toMatchObject([part]);
});

/** https://microsoft.github.io/autogen/stable/reference/python/autogen_core.models.html (2026-11) */
it.each<[Message, object]>([
  [
    { role: 'system', parts: [{ type: 'text', text: 'x' }] },
    { content: 'x', type: 'SystemMessage' },
  ],
  [
    { role: 'user', parts: [{ type: 'text', text: 'x' }], name: 'u' },
    { content: 'x', source: 'u', type: 'UserMessage' },
  ],
  [
    { role: 'assistant', parts: [{ type: 'text', text: 'x' }], name: 'a' },
    { content: 'x', source: 'a', type: 'AssistantMessage' },
  ],
  [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'x' },
        { type: 'call', callId: 'c', tool: 'f', input: '{}' },
      ],
      name: 'a',
    },
    { content: [{ id: 'c', name: 'f', arguments: '{}' }], thought: 'x', source: 'a', type: 'AssistantMessage' },
  ],
  [
    {
      role: 'tool',
      parts: [{ type: 'result', callId: 'c', tool: 'f', content: [{ type: 'text', text: 'x' }], isError: false }],
    },
    { content: [{ content: 'x', name: 'f', call_id: 'c', is_error: false }], type: 'FunctionExecutionResultMessage' },
  ],
])('a message added for AutoGen: %j', (message, expected) => {
  expect(written('autogen', message)).toEqual(expected);
});

/** Steps of Antigravity 1.11 (2026-11) */
it('a result of Antigravity that fails no longer, or now, says so in its status', () => {
  const step = (status: string) => ({
    source: 'MODEL',
    type: 'RUN_COMMAND',
    status,
    step_index: 3,
    content: 'x',
    created_at: 't',
  });
  for (const [status, other, isError] of [
    ['DONE', 'ERROR', false],
    ['ERROR', 'DONE', true],
  ] as const) {
    const message = read('antigravity', step(status));
    const result = message.parts.find((part) => part.type === 'result')!;
    expect(result.isError ?? false).toBe(isError);
    const changed = message.parts.map((part) => (part === result ? { ...result, isError: !isError } : part));
    expect(written('antigravity', { ...message, parts: changed })).toMatchObject({ status: other });
    expect(written('antigravity', { ...message, parts: [...message.parts] })).toMatchObject({ status });
  }
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html (2026-11) */
it.each<[object, number]>([
  [{ role: 'user', content: [{ text: 'x' }] }, 0.9],
  [{ role: 'user', content: [{ image: { format: 'png', source: { bytes: '' } } }] }, 0.9],
  [{ role: 'user', content: [{ text: 'x' }, { document: { format: 'pdf', name: 'a', source: {} } }] }, 1],
  [{ role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {} } }] }, 1],
  [{ role: 'user', content: [] }, 0.3],
  [{ content: [{ text: 'x' }] }, 0.6],
  [{ content: [{ text: 'x' }], id: 5 }, 0],
  [{ role: 'user', content: [{ type: 'text', text: 'x' }] }, 0],
  [{ role: 'tool', content: [{ text: 'x' }] }, 0],
  [{ role: 5, content: [{ text: 'x' }] }, 0],
  [{ role: 'user', content: 'x' }, 0],
])('Bedrock may have sent %j: %f', (message, score) => {
  expect(scored('bedrock-converse', message)).toBe(score);
});

/** Lines of Claude Code 2.1 (2026-11): what no other agent writes counts without the whole line being read. */
describe('a line of Claude Code', () => {
  const LINE = {
    type: 'assistant',
    uuid: 'u',
    sessionId: 's',
    isSidechain: false,
    message: { role: 'assistant', content: [] },
  };
  const without = (key: keyof typeof LINE) => Object.fromEntries(Object.entries(LINE).filter(([name]) => name !== key));

  it.each<[object, 'own' | 'beside' | undefined]>([
    [LINE, 'own'],
    [{ ...LINE, type: 'user', message: { role: 'user', content: 'x' } }, 'own'],
    [without('uuid'), undefined],
    [{ ...LINE, uuid: 5 }, undefined],
    [without('sessionId'), undefined],
    [{ ...LINE, sessionId: 5 }, undefined],
    [without('isSidechain'), undefined],
    [{ ...LINE, message: {} }, undefined],
    [{ ...LINE, message: { role: 5 } }, undefined],
    [{ ...LINE, type: 'progress' }, undefined],
    [without('type'), undefined],
    [{ ...LINE, role: 'assistant' }, undefined],
    [{ ...LINE, payload: {} }, undefined],
    [{ ...LINE, traceSchema: 'x' }, undefined],
    [{ type: 'summary', leafUuid: 'u' }, 'beside'],
    [{ type: 'system', sessionId: 's' }, 'beside'],
    [{ type: 'file-history-snapshot', messageId: 'm' }, 'beside'],
    [{ type: 'summary' }, undefined],
    [{ type: 'summary', leafUuid: 5 }, undefined],
    [{ type: 'system', sessionId: 's', payload: {} }, undefined],
  ])('%j: %s', (line, is) => {
    const ledger = formatNamed('claude-code').ledger!;
    expect(ledger.recognize(parse(json(line)))).toBe(is);
  });

  const inner = { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'x' }] };
  const block = (one: object) => ({ ...LINE, message: { ...inner, content: [one] } });

  it.each<[string, object, boolean]>([
    ['a reply of each kind', { ...LINE, message: inner }, true],
    ['a thought', block({ type: 'thinking' }), true],
    ['a call', block({ type: 'tool_use', id: 'c', name: 'f' }), true],
    ['nothing', { ...LINE, message: { ...inner, content: [] } }, true],
    ['a call without an id', block({ type: 'tool_use', name: 'f' }), false],
    ['a call without a name', block({ type: 'tool_use', id: 'c' }), false],
    ['a text without one', block({ type: 'text' }), false],
    ['a result', block({ type: 'tool_result', tool_use_id: 'c' }), false],
    ['a content that is a text', { ...LINE, message: { ...inner, content: 'x' } }, false],
    ['a word of the user', { ...LINE, message: { ...inner, role: 'user' } }, false],
    ['a line of the user', { ...LINE, type: 'user', message: inner }, false],
    ['a line without an id', { ...without('uuid'), message: inner }, false],
    ['a line without a message', without('message'), false],
    ['a line of Codex', { ...LINE, message: inner, payload: {} }, false],
    ['a line with a role', { ...LINE, message: inner, role: 'user' }, false],
  ])('that is %s is a reply without being read: %o', (_, line, is) => {
    const node = parse(json(line));
    const { message } = formatNamed('claude-code').ledger!.read(node);
    expect(message !== undefined).toBe(is);
    if (is) expect(formatNamed('claude-code').read(node)).toMatchObject(message!);
  });
});
