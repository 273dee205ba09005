/** A tool that the request makes the model call keeps its name with the tool. */
import { describe, expect, it } from 'vitest';
import { convert } from '../../src/engine/convert/convert.js';

const LONG = `srv.${'x'.repeat(80)}`;
const request = (name: string) =>
  JSON.stringify({
    model: 'gemini-2.5-pro',
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    tools: [{ functionDeclarations: [{ name }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } },
  });

it.each(['openai-chat', 'openai-responses', 'anthropic', 'bedrock', 'mistral', 'deepseek'])('in %s', (to) => {
  const [{ value }] = convert(request('srv.run'), to) as unknown as [{ value: object }];
  const text = JSON.stringify(value);
  expect(text.match(/"srv_run"/g)).toHaveLength(2);
  expect(text).not.toContain('srv.run');
});

it('in a history that is repaired', () => {
  const [{ value }] = convert(request(LONG), 'bedrock') as unknown as [{ value: object }];
  const names = JSON.stringify(value).match(/srv_x+[^"]*/g)!;
  expect(new Set(names).size).toBe(1);
});

const allowed = ['a', 'b'].map((name) => ({ type: 'function', function: { name } }));
const chat = (tool_choice: object, others: readonly object[] = []) =>
  JSON.stringify({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'x' }],
    tools: [...['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name } })), ...others],
    tool_choice,
  });
const choiceIn = (text: string, to: string): unknown => {
  const [{ value }] = convert(text, to) as unknown as [{ value: Record<string, Record<string, unknown>> }];
  return value['tool_choice'] ?? value['toolConfig']?.['toolChoice'] ?? value['toolConfig']?.['functionCallingConfig'];
};

it.each([
  [
    'openai-responses',
    {
      type: 'allowed_tools',
      mode: 'required',
      tools: allowed.map(({ function: { name } }) => ({ type: 'function', name })),
    },
  ],
  ['gemini', { mode: 'ANY', allowedFunctionNames: ['a', 'b'] }],
  ['openai-chat', { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: allowed } }],
  // they have no such list
  ['anthropic', undefined],
  ['bedrock', undefined],
  ['mistral', undefined],
  ['deepseek', undefined],
])('allowed tools in %s', (to, choice) => {
  expect(choiceIn(chat({ type: 'allowed_tools', allowed_tools: { mode: 'required', tools: allowed } }), to)).toEqual(
    choice,
  );
});

it.each(['openai-chat', 'openai-responses', 'gemini', 'bedrock'])(
  'a choice of a tool that is not written in %s',
  (to) => {
    const text = JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'x' }],
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'a', input_schema: { type: 'object' } },
      ],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    expect(choiceIn(text, to)).toBeUndefined();
  },
);

const SERIAL_CHOICE = { type: 'auto', disable_parallel_tool_use: true };
const anthropic = (tool_choice: object | undefined, names: readonly string[] = ['a']) =>
  JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'x' }],
    tools: names.map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice,
  });
const converted = (text: string, to: string) => {
  const [{ value, lost }] = convert(text, to) as unknown as [
    { value: Record<string, unknown>; lost: readonly object[] },
  ];
  return { value, told: JSON.stringify(lost) };
};

describe('one call at a time', () => {
  it.each(['openai-chat', 'openai-responses', 'groq'])('of Anthropic in %s, and back', (to) => {
    const { value, told } = converted(anthropic(SERIAL_CHOICE), to);
    expect([value['parallel_tool_calls'], value['tool_choice']]).toEqual([false, 'auto']);
    expect(told).not.toContain('parallel');
    expect(converted(JSON.stringify(value), 'anthropic').value['tool_choice']).toEqual(SERIAL_CHOICE);
  });

  it.each([
    ['without a choice', {}, SERIAL_CHOICE],
    ['with a tool', { tool_choice: allowed[0]! }, { type: 'tool', name: 'a', disable_parallel_tool_use: true }],
    ['with none', { tool_choice: 'none' }, { type: 'none' }],
    [
      'with a list, which Anthropic does not have',
      {
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: allowed } },
      },
      SERIAL_CHOICE,
    ],
  ])('of OpenAI %s', (_, beside, choice) => {
    const request = { ...JSON.parse(chat({})), tool_choice: undefined, ...beside, parallel_tool_calls: false };
    expect(converted(JSON.stringify(request), 'anthropic').value['tool_choice']).toEqual(choice);
  });

  it.each(['gemini', 'bedrock', 'cohere', 'deepseek'])('is named where %s does not have it', (to) => {
    const { told } = converted(anthropic(SERIAL_CHOICE), to);
    expect(told).toContain('tool_choice.disable_parallel_tool_use');
  });

  it('is not needed where there is no tool, or where calls may be parallel anyway', () => {
    const { value } = converted(anthropic(SERIAL_CHOICE, []), 'openai-chat');
    expect(Object.keys(value)).not.toContain('parallel_tool_calls');
    const parallel = converted(anthropic({ type: 'auto', disable_parallel_tool_use: false }), 'openai-chat');
    expect(Object.keys(parallel.value)).not.toContain('parallel_tool_calls');
    expect(parallel.told).not.toContain('parallel');
  });
});
