/** Requests behind a compaction send what it keeps, and what was said since. */
import { expect, it } from 'vitest';
import { stepsOf } from '../../../src/engine/steps.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { prepareReplay } from '../../../src/measure/simulation/simulate.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import type { Message, Recorded, Transcript } from '../../../src/transcript/types.js';
import { promptTokens } from '../../../src/transcript/usage.js';
import type { Step } from '../../../src/transforms/pipeline.js';

const prices = await loadPrices();
const said = (role: 'user' | 'assistant', length: number): Message => ({
  role,
  parts: [{ type: 'text', text: 'x'.repeat(length) }],
  raw: { length },
});
const compaction = (kept: readonly Message[]): Message => ({
  role: 'meta',
  parts: [],
  raw: {},
  keeps: (sent) => sent.filter((message) => kept.includes(message)),
});

/** The prompts in characters, each of which is a token here. */
function promptsOf(messages: readonly Message[], prompts: readonly number[] = []): readonly number[] {
  const { requests } = playOf(messages, stepsOf([{ transform: 'filter', maxToolCalls: 3 }]), prompts);
  return requests.map(({ without }) => promptTokens(without.usage));
}

function playOf(messages: readonly Message[], steps: readonly Step[], prompts: readonly number[] = []) {
  const replies = messages.filter(({ role }) => role === 'assistant');
  const none = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 };
  const recorded = (message: Message): Recorded | undefined => {
    const input = prompts[replies.indexOf(message)];
    return input === undefined ? undefined : { usage: { ...none, input } };
  };
  const transcript: Transcript = { format: 'test', traits: {}, model: 'claude-sonnet-4-5', messages, recorded };
  const counting = createCounting(transcript.model, () => (text) => text.length, 1);
  const options = { cache: 'off', idle: undefined, prices, at: undefined, model: undefined } as const;
  return prepareReplay(transcript, counting, options).play({ steps, scope: 'all', carries: false });
}

const [first, second] = [said('user', 1000), said('assistant', 100)];
const after = [said('user', 20), said('assistant', 3), said('user', 4), said('assistant', 5)];

it.each([
  ['nothing', []],
  ['the end', [second]],
  ['the beginning', [first]],
  ['all', [first, second]],
])('that keeps %s', (_, kept) => {
  const prompts = promptsOf([first, second, compaction(kept), ...after]);
  const [whole] = promptsOf([first, second]);
  expect(prompts).toEqual([whole, ...promptsOf([...kept, ...after]).slice(-2)]);
});

it.each([[[second]], [[first]]])('and so if the prompts are recorded', (kept) => {
  const prompts = [2000, 1500, 1600];
  expect(promptsOf([first, second, compaction(kept), ...after], prompts)).toEqual(prompts);
});

it('and steps see what it keeps', () => {
  const steps = stepsOf([{ transform: 'fit', maxTokens: 100, everything: true }]);
  const all = [first, second, compaction([first]), ...after];
  const left = playOf(all, steps).requests.map((request) => promptTokens(request.with.usage));
  const [, ...alone] = playOf([first, ...after], steps).requests.map((request) => promptTokens(request.with.usage));
  expect(left.slice(-1)).toEqual(alone);
  expect(left.at(-1)).toBeLessThan(100);
});

it('twice', () => {
  const again = [compaction([]), said('user', 7), said('assistant', 2)];
  const prompts = promptsOf([first, second, compaction([]), ...after, ...again]);
  expect(prompts[3]! - prompts[1]!).toBe(7 - 20);
});
