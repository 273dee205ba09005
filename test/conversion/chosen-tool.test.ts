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
