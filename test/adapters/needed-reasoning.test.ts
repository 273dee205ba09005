/** `prune:reasoning` in a request leaves the reasoning that the API refuses to miss. */
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import * as aiSdk from '../../src/adapters/ai-sdk.js';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as langchain from '../../src/adapters/langchain.js';
import * as mastra from '../../src/adapters/mastra.js';
import * as opencode from '../../src/adapters/opencode.js';
import * as pi from '../../src/adapters/pi.js';
import { check, run } from '../../src/index.js';

const STEPS = ['prune:reasoning', 'filter:max-tool-calls=2,every=1', 'truncate:max-length=20,no-minimum'];

describe('Anthropic Messages', () => {
  const round = (id: string, ...more: object[]) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: `of ${id}`, signature: id },
        ...more,
        { type: 'tool_use', id, name: 'read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'word '.repeat(20) }] },
  ];
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const messages = [
    { role: 'user', content: 'Go.' },
    ...round('a'),
    { role: 'user', content: 'Go on.' },
    ...round('b'),
    ...round('c', { type: 'text', text: 'Well.' }),
    ...round('c'), // an id may be used again
  ];
  const body = { model: 'claude-sonnet-4-5', max_tokens: 4000, thinking, tools: [], messages };

  it('keeps that of the current run', async () => {
    const { request } = anthropic.trim(STEPS);
    const sent = await request(body);
    const thoughts = sent.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((block) => ('signature' in block ? [block] : [])),
    );
    expect(thoughts).toEqual(['c', 'c'].map((id) => ({ type: 'thinking', thinking: `of ${id}`, signature: id })));
    expect(await request(sent)).toEqual(sent);
    const { request: pruned } = anthropic.trim(['prune:reasoning']);
    const whole = await pruned(body);
    expect(whole.messages.slice(3)).toEqual(messages.slice(3));
    expect(whole.messages[1]).toEqual({ role: 'assistant', content: [messages[1]!.content[1]] });
    const found = check(JSON.stringify(whole), { asRequest: true }).map(({ rule }) => rule);
    expect(found).not.toContain('anthropic/thinking-must-lead');
  });
});

describe('prompts of the AI SDK', () => {
  const round = (id: string, itemId?: string) => [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: id, providerOptions: itemId === undefined ? {} : { openai: { itemId } } },
        { type: 'tool-call', toolCallId: id, toolName: 'read', input: {} },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', output: OUTPUT }] },
  ];
  const OUTPUT = { type: 'text', value: 'read' };
  const user = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
  const prompt = [user, ...round('a', 'rs_1'), ...round('b'), user, ...round('c')];
  const expected = prompt.map((message, at) => (at === 3 ? { ...message, content: [prompt[3]!.content[1]] } : message));

  it('keep that of the current run, and what OpenAI has an id for', async () => {
    const { middleware } = aiSdk.trim(['prune:reasoning']);
    const model = { modelId: 'gpt-5', provider: 'openai.responses' };
    const given = { type: 'generate', params: { prompt }, model } as never;
    expect((await middleware.transformParams!(given)).prompt).toEqual(expected);
    expect((await mastra.trim(['prune:reasoning']).processLLMRequest({ prompt }))!.prompt).toEqual(expected);
  });
});

describe('LangChain', () => {
  const thought = (id: string) => ({ type: 'thinking', thinking: `of ${id}`, signature: id });
  const round = (id: string, reasoning: object = thought(id)) => {
    const content = [reasoning, { type: 'tool_use', id, name: 'read', input: {} }];
    const calls = [{ id, name: 'read', args: {}, type: 'tool_call' as const }];
    return [
      new AIMessage({ content: content as never, tool_calls: calls }),
      new ToolMessage({ content: 'word '.repeat(20), tool_call_id: id }),
    ];
  };
  const item = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
  const messages = [
    new HumanMessage('Go.'),
    ...round('a'),
    ...round('i', item),
    new HumanMessage('Go on.'),
    ...round('b'),
    ...round('c'),
  ];
  const sentBy = (steps: readonly string[], before: object[] = messages) =>
    langchain.trim(steps as never).wrapModelCall({ messages: before }, (request) => request.messages as BaseMessage[]);

  it('keeps that of the current run, and what OpenAI has an id for', async () => {
    const sent = await sentBy(['prune:reasoning']);
    expect(sent.slice(2)).toEqual(messages.slice(2));
    expect(sent.slice(2).every((message, at) => message === messages[at + 2])).toBe(true);
    expect(sent[1]!.content).toEqual([(messages[1]!.content as object[])[1]]);
    const fewer = await sentBy(STEPS);
    const thinkers = fewer.filter(({ content }) => JSON.stringify(content).includes('"signature"'));
    expect(thinkers.every((message) => AIMessage.isInstance(message))).toBe(true);
    expect(thinkers.map(({ content }) => (content as object[])[0])).toEqual([thought('b'), thought('c')]);
    expect(await sentBy(STEPS, fewer)).toEqual(fewer);
  });
});

describe('pi and opencode', () => {
  it('keep that of the current run, and what OpenAI has an id for', async () => {
    const item = JSON.stringify({ type: 'reasoning', id: 'rs_1', summary: [] });
    const round = (id: string, thinkingSignature = id) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', thinkingSignature },
          { type: 'toolCall', id, name: 'read', arguments: {} },
        ],
      },
      { role: 'toolResult', toolCallId: id, toolName: 'read', content: [{ type: 'text', text: 'read' }] },
    ];
    const user = { role: 'user', content: 'Go.' };
    const messages: { role: string; content: unknown }[] = [
      user,
      ...round('a'),
      ...round('i', item),
      user,
      ...round('b'),
      ...round('c'),
    ];
    const { messages: sent } = await pi.trim(['prune:reasoning']).context({ messages });
    expect(sent).toEqual(messages.with(1, { ...messages[1]!, content: [(messages[1]!.content as object[])[1]] }));
  });

  it('keep it in each step of a message', async () => {
    const step = (id: string, metadata: object = {}) => [
      { id: `${id}1`, type: 'step-start' },
      { id: `${id}2`, type: 'reasoning', text: 'Hm.', metadata },
      { id: `${id}3`, type: 'text', text: 'Well.' },
      { id: `${id}4`, type: 'tool', callID: id, tool: 'read', state: { status: 'completed', input: {}, output: '' } },
    ];
    const user = { info: { id: 'm', role: 'user' }, parts: [{ id: 'p', type: 'text', text: 'Go.' }] };
    const reply = (...parts: object[]) => ({ info: { id: 'r', role: 'assistant' }, parts });
    const known = reply(...step('i', { openai: { itemId: 'rs_1' } }));
    const messages = [user, reply(...step('a')), known, user, reply(...step('b'), ...step('c'))];
    const sent = [...messages];
    await opencode.trim(['prune:reasoning'])['experimental.chat.messages.transform']({}, { messages: sent });
    expect(sent).toEqual(messages.with(1, reply(...step('a').toSpliced(1, 1))));
  });
});

describe('recorded requests', () => {
  const claude = (thinking: object) => {
    const call = { type: 'tool_use', id: 'a', name: 'read', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'read' };
    const said = [{ type: 'thinking', thinking: 'Hm.', signature: 's' }, call];
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: said },
      { role: 'user', content: [result] },
    ];
    return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 4000, thinking, tools: [], messages });
  };
  const converse = (fields: object) =>
    JSON.stringify({
      modelId: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
      messages: [
        { role: 'user', content: [{ text: 'Go.' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } },
            { toolUse: { toolUseId: 'a', name: 'read', input: {} } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'read' }] } }] },
      ],
      additionalModelRequestFields: fields,
    });

  it('keep it where they enable thinking', () => {
    const pruned = (text: string) => run(text, ['prune:reasoning']);
    const on = { type: 'enabled', budget_tokens: 1024 };
    for (const text of [claude(on), converse({ thinking: on })]) expect(pruned(text)).toBe(text);
    for (const text of [claude({ type: 'disabled' }), converse({})]) expect(pruned(text)).not.toContain('Hm.');
  });
});
