/** UI messages beyond the laws: usage, repeated members, states, ids of added messages. */
import { describe, expect, it } from 'vitest';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const states = fixture('vercel-ui/hand-states.json');
const v4 = fixture('vercel-ui/hand-v4.json');

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly state?: string;
  readonly toolInvocation?: Invocation;
  readonly [key: string]: unknown;
}
interface Invocation {
  readonly toolCallId: string;
  readonly result?: unknown;
}
interface UiMessage {
  readonly id: string;
  readonly createdAt?: string;
  readonly content?: string;
  readonly parts: readonly Part[];
  readonly toolInvocations?: readonly Invocation[];
}

describe('what is recorded', () => {
  it('is in the metadata', () => {
    const [transcript] = openText(states).transcripts;
    expect(transcript!.id).toBe('chat_7');
    expect(transcript!.model).toBe('gpt-5-mini');
    const usage = { input: 200, cacheRead: 900, cacheWrite5m: 100, cacheWrite1h: 0, output: 80, reasoning: 30 };
    expect(transcript!.messages.map((message) => transcript!.recorded!(message))).toEqual([
      undefined,
      { model: 'gpt-5-mini', time: 1765900000000, usage, responseId: undefined },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [
      'version 5, OpenAI',
      { inputTokens: 100, outputTokens: 10, reasoningTokens: 4, cachedInputTokens: 64 },
      { input: 36, cacheRead: 64, output: 10, reasoning: 4 },
    ],
    [
      'version 5, Anthropic: not counted in',
      { inputTokens: 7, outputTokens: 10, cachedInputTokens: 2000 },
      { input: 7, cacheRead: 2000, output: 10, reasoning: 0 },
    ],
    [
      'version 4',
      { promptTokens: 100, completionTokens: 10, totalTokens: 110 },
      { input: 100, cacheRead: 0, output: 10, reasoning: 0 },
    ],
  ])('%s', (_, usage, expected) => {
    const [transcript] = openText(
      JSON.stringify([{ id: '1', role: 'assistant', metadata: { usage }, parts: [{ type: 'text', text: 'hi' }] }]),
    ).transcripts;
    expect(transcript!.recorded!(transcript!.messages[0]!)!.usage).toEqual({
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      ...expected,
    });
  });
});

describe('version 4 holds a result twice', () => {
  const second = (text: string) => (JSON.parse(text) as UiMessage[]).find(({ id }) => id === 'a2');

  it('cuts both', () => {
    const { parts, toolInvocations } = second(rewriteText(v4, 'truncate', { maxLength: 60, noMinimum: true }))!;
    expect(parts[2]!.toolInvocation!.result).toMatch(/truncated/);
    expect(toolInvocations!.map(({ result }) => result)).toEqual([parts[2]!.toolInvocation!.result]);
  });

  it('drops both', () => {
    const { parts, toolInvocations, content } = second(rewriteText(v4, 'filter', { maxToolCalls: 0 }))!;
    expect(parts.map(({ type }) => type)).toEqual(['step-start', 'text', 'step-start', 'reasoning', 'text']);
    expect(toolInvocations).toEqual([]);
    expect(content).toBe('Let me look.Twelve lines.');
  });
});

it('drops an emptied step', () => {
  const tool = { type: 'tool-t', toolCallId: '1', state: 'output-available', input: {}, output: 'x' };
  const start = { type: 'step-start' };
  const chat = (parts: readonly object[]) => JSON.stringify([{ id: '1', role: 'assistant', parts }]);
  const text = { type: 'text', text: 'done' };
  expect(
    rewriteText(chat([start, tool, start, { type: 'reasoning', text: 'so' }, tool, start, text, start]), 'filter', {
      maxToolCalls: 0,
    }),
  ).toBe(chat([start, { type: 'reasoning', text: 'so' }, start, text, start]));
});

it('answers open calls with what validateUIMessages accepts', () => {
  const { messages } = JSON.parse(rewriteText(states, 'patch', {})) as { messages: UiMessage[] };
  const [, book, , , seats] = messages[3]!.parts;
  const errorText = expect.stringContaining('was cancelled') as string;
  expect(book).toEqual({
    type: 'tool-book',
    toolCallId: 'call_4',
    state: 'output-error',
    input: { train: 'Nozomi 7' },
    errorText,
  });
  expect(seats).toEqual({ type: 'tool-seats', toolCallId: 'call_6', state: 'output-error', input: {}, errorText });
});

it('gives an added message its own id and the members of its neighbors', () => {
  const added = (JSON.parse(rewriteText(v4, 'strip', { retryPrompt: 'again' })) as UiMessage[]).at(-1)!;
  expect(added).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    createdAt: '2025-03-01T10:01:00.000Z',
    role: 'user',
    content: 'again',
    parts: [{ type: 'text', text: 'again' }],
  });
});

describe('approvals', () => {
  const chat = (state: string, ...more: object[]) =>
    JSON.stringify([
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Book it.' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [{ type: 'tool-book', toolCallId: 'call_1', state, input: {}, approval: { id: 'a1', approved: true } }],
      },
      ...more,
    ]);
  const next = { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Never mind.' }] };

  it.each(['approval-requested', 'approval-responded'])('leaves the last call open: %s', (state) => {
    expect(rewriteText(chat(state), 'patch', {})).toBe(chat(state));
    expect(rewriteText(chat(state, next), 'patch', {})).toContain('"output-');
    expect(rewriteText(chat(state), 'patch', { pending: 'drop' })).not.toContain('call_1');
  });

  it('answers other calls', () => expect(rewriteText(chat('input-available'), 'patch', {})).toContain('"output-'));
});

describe('detection', () => {
  const told = (messages: unknown) => openText(JSON.stringify(messages)).detection.format.id;

  it('detects chats of version 4 without parts by one invocation', () => {
    const said = Array.from({ length: 10 }, (_, id) => ({
      id: `${id}`,
      role: id % 2 === 0 ? 'user' : 'assistant',
      content: 'x',
    }));
    expect(told(said)).toBe('openai-chat');
    expect(told([...said, { id: 'z', role: 'assistant', content: '', toolInvocations: [] }])).toBe('vercel-ui');
  });

  it('ignores other kinds of parts', () => {
    expect(told([{ role: 'user', parts: [{ text: 'hi' }] }])).toBe('gemini-contents');
    expect(told([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }])).not.toBe('vercel-ui');
  });
});

it('leaves a part without a type as it is where another one is cut', () => {
  const untyped = { text: 'said', state: 'done' };
  const tool = { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: {}, output: 'x'.repeat(200) };
  const said = (id: string) => ({ id, role: 'user', parts: [{ type: 'text', text: 'go on' }] });
  const reply = { id: 'b', role: 'assistant', parts: [{ type: 'step-start' }, tool, untyped] };
  const text = JSON.stringify([said('a'), reply, said('c')]);
  const cut = JSON.parse(rewriteText(text, 'truncate', { maxLength: 40, noMinimum: true }));
  expect(cut[1].parts[1].output.length).toBeLessThan(200);
  expect(cut[1].parts[2]).toEqual(untyped);
});

it.each([
  ['version 4', { toolInvocation: { state: '', toolName: 'read', toolCallId: 'c', args: {}, result: 'I SAW IT' } }],
  ['version 5', { type: 'tool-read', state: 'output-new', toolCallId: 'c', input: {}, output: 'I SAW IT' }],
])('reads a result of %s in a state that it does not know', (_, tool) => {
  const said = (id: string) => ({ id, role: 'user', parts: [{ type: 'text', text: 'go on' }] });
  const part = { type: 'tool-invocation', ...tool };
  const reply = { id: 'b', role: 'assistant', parts: [{ type: 'step-start' }, part, { type: 'text', text: 'so' }] };
  const text = JSON.stringify([said('a'), reply, said('c')]);
  expect(
    openText(text)
      .transcripts[0]!.messages.flatMap(({ parts }) => parts)
      .map(({ type }) => type),
  ).toEqual(['text', 'call', 'result', 'text', 'text']);
  expect(rewriteText(text, 'patch', {})).toBe(text);
});

it('a part that lost its result or its call is in a state that the SDK takes, and one that was added, too', () => {
  const call = { toolCallId: 'c', state: 'output-available', input: { a: 1 }, output: { ok: 1 }, preliminary: false };
  const old = { toolCallId: 'd', toolName: 'f', state: 'result', step: 0, args: { a: 1 }, result: { ok: 1 } };
  const text = JSON.stringify([
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { id: 'a', role: 'assistant', parts: [{ type: 'tool-f', ...call }] },
    { id: 'b', role: 'assistant', content: '', toolInvocations: [old] },
  ]);
  const without = (type: string) => {
    const written = mapText(text, (one) => ({
      ...one,
      messages: one.messages.map((message) => ({
        ...message,
        parts: message.parts.filter((part) => part.type !== type),
      })),
    }));
    const [, { parts }, { toolInvocations }] = JSON.parse(written);
    return [...parts, ...toolInvocations];
  };
  expect(without('result')).toEqual([
    { type: 'tool-f', toolCallId: 'c', state: 'input-available', input: { a: 1 } },
    { toolCallId: 'd', toolName: 'f', state: 'call', step: 0, args: { a: 1 } },
  ]);
  expect(without('call')).toEqual([
    { type: 'dynamic-tool', toolCallId: 'c', state: 'output-available', output: { ok: 1 }, preliminary: false },
    { toolCallId: 'd', state: 'result', step: 0, result: { ok: 1 } },
  ]);
});
