/** What is recorded of a request, where no fixture has it: beside a message, around it, or only partly. */
import { expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { parse } from '../../src/json/node.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';

it('mini-swe-agent puts the response, its time and its cost into `extra`', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const extra = { cost: 0.5, timestamp: 1_758_000_000.5, response: { id: 'r1', model: 'gpt-4o', usage } };
  const message = parse(JSON.stringify({ role: 'assistant', content: 'x', extra }));
  expect(formatNamed('openai-chat').recorded!(message)).toMatchObject({
    ...{ responseId: 'r1', model: 'gpt-4o', time: 1_758_000_000_500, cost: '0.5' },
    usage: { input: 3, output: 2 },
  });
});

it.each([
  ['openai:gpt-5-mini', 'gpt-5-mini'],
  ['openai:chat:gpt-5-mini', 'gpt-5-mini'],
  ['azure:responses:my:own', 'my:own'],
  ['openai:', undefined],
  ['openai', undefined],
  ['exec:', undefined],
])('promptfoo: the provider %s has the model %j', (provider, model) => {
  const text = fixture('promptfoo/hand-results.jsonl').replaceAll('openai:gpt-5-mini', provider);
  const [first] = openText(text, { from: 'promptfoo' }).transcripts;
  const last = first!.messages.at(-1)!;
  expect(first!.recorded!(last)?.model ?? first!.reply?.model).toBe(model);
});

it('a row of many plain messages and one that only another format has is of that format', () => {
  const plain = Array.from({ length: 12 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: 'x' }));
  const own = { role: 'assistant', tool_plan: 'I look', tool_calls: [] };
  const { detection } = openText(JSON.stringify({ messages: [...plain, own, { role: 'user', content: 'x' }] }));
  expect(detection.format.id).toBe('cohere-chat');
});

it('a request of Responses whose input is a text is one message of the user', () => {
  const { detection, transcripts } = openText('{"model":"gpt-5","instructions":"Be brief.","input":"hi"}');
  expect([detection.format.id, transcripts[0]!.model]).toEqual(['openai-responses', 'gpt-5']);
  expect(transcripts[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
});
