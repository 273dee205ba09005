/** `prune:reasoning` in a request leaves the reasoning that the API refuses to miss. */
import { describe, expect, it } from 'vitest';
import * as aiSdk from '../../src/adapters/ai-sdk.js';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as mastra from '../../src/adapters/mastra.js';
import { check } from '../../src/index.js';

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
