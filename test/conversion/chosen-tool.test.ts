/** A tool that the request makes the model call keeps its name with the tool. */
import { expect, it } from 'vitest';
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
