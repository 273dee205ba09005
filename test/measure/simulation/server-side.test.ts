/** What providers do on their servers, as steps of `simulate`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stepsOf } from '../../../src/engine/steps.js';
import { simulate } from '../../../src/index.js';
import { serverSide } from '../../../src/measure/simulation/server-side.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import type { Message, Transcript } from '../../../src/transcript/types.js';
import { transforms } from '../../../src/transforms/index.js';
import { applySteps } from '../../../src/transforms/pipeline.js';

const counting = createCounting('claude-sonnet-4-5', () => (text) => text.length, 1);
const applied = (transcript: Transcript, step: string) =>
  applySteps(transcript, stepsOf([step], {}, serverSide), counting);

const round = (id: number): Message[] => [
  {
    role: 'assistant',
    parts: [
      { type: 'thinking', text: `thought ${id}` },
      { type: 'call', callId: `c${id}`, tool: id % 2 === 0 ? 'read' : 'search', input: '{"q":"long enough"}' },
    ],
    raw: { call: id },
  },
  {
    role: 'tool',
    parts: [{ type: 'result', callId: `c${id}`, content: [{ type: 'text', text: 'x'.repeat(500) }] }],
    raw: { result: id },
  },
];
const user = (id: number): Message => ({ role: 'user', parts: [{ type: 'text', text: 'go on' }], raw: { user: id } });
const session: Transcript = {
  format: 'test',
  traits: {},
  model: 'claude-sonnet-4-5',
  messages: [0, 1, 2].flatMap((turn) => [user(turn), ...round(turn * 2), ...round(turn * 2 + 1)]),
};
const lengths = ({ messages }: Transcript) =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'result' ? [JSON.stringify(part.content).length > 400] : [])),
  );
const thoughts = ({ messages }: Transcript) =>
  messages.map(({ parts }) => parts.filter(({ type }) => type === 'thinking').length).join('');

it('clear_tool_uses_20250919 keeps three results above 100,000 tokens, and less does not change', () => {
  expect(applied(session, 'clear_tool_uses_20250919')).toBe(session);
  const cleared = applied(session, 'clear_tool_uses_20250919:trigger=1000');
  expect(lengths(cleared)).toEqual([false, false, false, true, true, true]);
  const other = applied(session, 'clear_tool_uses_20250919:trigger=1000,keep=1,exclude-tools=read');
  expect(lengths(other)).toEqual([true, false, true, false, true, true]);
});

it('clear_thinking_20251015 keeps the thinking of the last turn, or of more', () => {
  expect(thoughts(session)).toBe('010100101001010');
  expect(thoughts(applied(session, 'clear_thinking_20251015'))).toBe('000000000001010');
  expect(thoughts(applied(session, 'clear_thinking_20251015:keep=2'))).toBe('000000101001010');
  expect(applied(session, 'clear_thinking_20251015:keep=3')).toBe(session);
});

it('truncation_auto drops the oldest rounds beyond the window', () => {
  expect(applied(session, 'truncation_auto')).toBe(session);
  const cut = applied(session, 'truncation_auto:window=1500');
  expect(cut.messages.length).toBeLessThan(session.messages.length);
  expect(cut.messages.at(-1)).toBe(session.messages.at(-1));
});

it('truncation_auto does not take a window that it does not know for one without an end', async () => {
  const unknown = { ...session, model: 'my-own-model' };
  expect(() => applied(unknown, 'truncation_auto')).toThrow('the context window of my-own-model is unknown');
  const cut = applied(unknown, 'truncation_auto:window=1500');
  expect(applied({ ...unknown, contextWindow: 1500 }, 'truncation_auto').messages).toEqual(cut.messages);
  const text = JSON.stringify({ model: 'my-own-model', input: [{ role: 'user', content: 'x' }] });
  await expect(simulate(text, ['truncation_auto'], { asModel: 'gpt-4o' })).resolves.toBeDefined();
  const bare = JSON.stringify([{ role: 'user', content: 'x' }]);
  await expect(simulate(bare, ['truncation_auto'], { model: 'gpt-4o' })).resolves.toBeDefined();
});

it('is a step of the library, sees the current run, and is no transform of files', async () => {
  const text = readFileSync('fixtures/formats/openai-chat/apollo-airline.json', 'utf8');
  const step = 'clear_tool_uses_20250919:trigger=1000,keep=2';
  const report = await simulate(text, [step], { model: 'gpt-4.1' });
  const plain = 'everything=true,min-size=0,text=[Old tool result content cleared]';
  const all = await simulate(text, [`clear:trigger=1000,keep=2,${plain}`], { model: 'gpt-4.1', scope: 'all' });
  expect(report.totals.with).toEqual(all.totals.with);
  expect(report.totals.rewrites).toBeGreaterThan(0);
  expect(transforms.some(({ id }) => id === 'clear_tool_uses_20250919')).toBe(false);
});
