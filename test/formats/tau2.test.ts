/** The requests of a tau2 simulation: those of the agent, and those of the model that simulates the user. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const usage = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 1 });
const written = (role: string, prompt: number, model: string, rest: object = {}) => ({
  role,
  content: 'text',
  tool_calls: null,
  turn_idx: prompt,
  timestamp: '2026-02-02T09:00:00',
  cost: prompt / 1000,
  usage: usage(prompt),
  raw_data: { id: `chatcmpl-${prompt}`, created: prompt, model, usage: usage(prompt) },
  ...rest,
});
const greeting = {
  role: 'assistant',
  content: 'Hi!',
  tool_calls: null,
  turn_idx: 0,
  cost: 0,
  usage: null,
  raw_data: null,
};

function requestsIn(messages: readonly object[], totals: object = {}) {
  const record = {
    info: { agent_info: { llm: 'gpt-5' }, user_info: { llm: 'gpt-4o' } },
    tasks: [],
    simulations: [{ id: 's', messages, ...totals }],
  };
  return openText(JSON.stringify(record)).transcripts.map(({ messages: own, recorded, others, agent }) => ({
    agent,
    own: own.flatMap((message) => recorded?.(message)?.usage?.input ?? []),
    others: others?.map((other) => [other.agent, other.model, other.usage?.input, other.runningCost]),
  }));
}

describe('a simulation', () => {
  it('has the requests of the agent and, beside them, those of the simulated user', () => {
    expect(requestsIn([greeting, written('user', 1, 'gpt-4o-x'), written('assistant', 2, 'gpt-5-x')])).toEqual([
      { agent: undefined, own: [2], others: [['user', 'gpt-4o-x', 1, undefined]] },
    ]);
  });

  it('has the requests of a user with tools in two places, each once', () => {
    const call = { tool_calls: [{ id: 'c', name: 'reboot', arguments: {}, requestor: 'user' }] };
    const result = { id: 'c', role: 'tool', content: 'done', requestor: 'user', error: false, turn_idx: 3 };
    expect(
      requestsIn([written('user', 1, 'm'), written('assistant', 2, 'm'), written('user', 3, 'm', call), result]),
    ).toEqual([
      { agent: undefined, own: [2], others: [['user', 'm', 1, undefined]] },
      { agent: 'user', own: [3], others: undefined },
    ]);
  });

  it('states its cost', () => {
    const [main] = requestsIn([written('assistant', 2, 'm')], { agent_cost: 0.1, user_cost: 0.2 });
    expect(main!.others).toEqual([[undefined, undefined, undefined, '300000000000e-12']]);
  });
});

it('a real simulation has as many requests as messages with usage', () => {
  const text = fixture('tau2/retail.json');
  const { simulations } = JSON.parse(text) as { simulations: { messages: { usage: unknown }[] }[] };
  const stated = simulations.flatMap(({ messages }) => messages).filter((message) => message.usage);
  const found = openText(text).transcripts.flatMap(({ messages, recorded, others }) => [
    ...messages.map((message) => recorded?.(message)),
    ...(others ?? []),
  ]);
  expect(stated.length).toBeGreaterThan(0);
  expect(found.filter((each) => each?.usage !== undefined || each?.cost !== undefined)).toHaveLength(stated.length);
});

it('reads the reasoning of a recorded response, and removes its copies with it', () => {
  const text = fixture('tau2/hand-reasoning.json');
  const thoughts = openText(text).transcripts[0]!.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'thinking' ? [textOf(part.text)] : [])),
  );
  expect(thoughts).toEqual([
    'The user wants to cancel. First look at the order.',
    'Delivered orders can only be returned.',
  ]);
  const pruned = rewriteText(text, 'prune', { reasoning: true });
  for (const thought of thoughts) expect(pruned).not.toContain(thought);
  expect(pruned).toContain('"total_tokens": 960');
});

describe('the response that a message keeps', () => {
  const called = (id: string, order: string) => ({ id, name: 'look_up', arguments: { order }, requestor: 'assistant' });
  const own = (id: string, order: string) => {
    return { id, type: 'function', function: { name: 'look_up', arguments: `{"order" : "${order}"}` } };
  };
  const response = { role: 'assistant', content: 'I look.', tool_calls: [own('a', 'W-first'), own('b', 'W-second')] };
  const answer = (id: string) => ({ id, role: 'tool', content: 'delivered', requestor: 'assistant', error: false });
  const record = {
    messages: [
      { role: 'user', content: 'Where are they?', turn_idx: 0 },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [called('a', 'W-first'), called('b', 'W-second')],
        turn_idx: 1,
        raw_data: { model: 'm', choices: [{ index: 0, message: response }] },
      },
      answer('a'),
      answer('b'),
    ],
  };
  const text = JSON.stringify(record);
  const filtered = (maxToolCalls: number) =>
    (JSON.parse(rewriteText(text, 'filter', { maxToolCalls })) as typeof record).messages[1]!;
  const kept = (message: object) =>
    (message as { raw_data: { choices: { message: typeof response }[] } }).raw_data.choices[0]!.message;

  it('loses the calls that the message loses', () => {
    expect(kept(filtered(1))).toEqual({ ...response, tool_calls: [own('b', 'W-second')] });
    expect(kept(filtered(0))).toEqual({ ...response, tool_calls: null });
    expect(rewriteText(text, 'filter', { maxToolCalls: 0 })).not.toContain('W-first');
  });

  it('has the text and arguments of the message', () => {
    const change = (part: Part): Part => {
      if (part.type === 'text') return { ...part, text: 'I see.' };
      return part.type === 'call' && part.callId === 'b' ? { ...part, input: '{"order":"gone"}' } : part;
    };
    const written = mapText(text, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) => ({ ...message, parts: message.parts.map(change) })),
    }));
    expect(kept((JSON.parse(written) as typeof record).messages[1]!)).toEqual({
      ...response,
      content: 'I see.',
      tool_calls: [
        own('a', 'W-first'),
        { ...own('b', ''), function: { name: 'look_up', arguments: '{"order":"gone"}' } },
      ],
    });
  });

  it('stays where it says something else', () => {
    const other = text.replace('"tool_calls":[{"id":"a","type"', '"tool_calls":[{"id":"z","type"');
    expect(other).not.toBe(text);
    const { messages } = JSON.parse(rewriteText(other, 'filter', { maxToolCalls: 0 })) as typeof record;
    expect(kept(messages[1]!)).toEqual({ ...response, tool_calls: [own('z', 'W-first')] });
  });
});
