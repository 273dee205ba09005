/** Audio in prompts has its own price in a simulation, too, as long as the policy sends it. */
import { expect, it } from 'vitest';
import { stepsOf } from '../../../src/engine/steps.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { prepareReplay } from '../../../src/measure/simulation/simulate.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import type { Message, Part, Transcript, Usage } from '../../../src/transcript/types.js';
import { NO_USAGE, promptTokens } from '../../../src/transcript/usage.js';
import type { Step } from '../../../src/transforms/pipeline.js';

const prices = await loadPrices();
const text = (length: number): Part => ({ type: 'text', text: 'x'.repeat(length) });
const said = (role: 'user' | 'assistant', parts: readonly Part[], id: number): Message => ({
  role,
  parts,
  raw: { id },
});
const AUDIO: Part = { type: 'media', kind: 'audio', raw: {} };

/** Two turns; the user speaks in the first. */
const messages = [
  said('user', [text(100), AUDIO], 0),
  said('assistant', [text(100)], 1),
  said('user', [text(100)], 2),
  said('assistant', [text(100)], 3),
];

function simulate(usages: readonly Partial<Usage>[], steps: readonly Step[] = []) {
  const replies = messages.filter(({ role }) => role === 'assistant');
  const recorded = (message: Message) => {
    const usage = usages[replies.indexOf(message)];
    return usage && { usage: { ...NO_USAGE, ...usage } };
  };
  const transcript: Transcript = { format: 'test', traits: {}, model: 'gpt-4o-audio-preview', messages, recorded };
  const counting = createCounting(transcript.model, () => (counted) => counted.length, 1);
  const options = { cache: 'auto', idle: undefined, prices, at: undefined, model: undefined } as const;
  const { requests, prediction } = prepareReplay(transcript, counting, options).play({
    ...{ steps, scope: 'all', carries: false },
  });
  const sent = requests.map(({ with: { usage } }) => usage);
  return { media: sent.map((usage) => usage.media), prompts: sent.map(promptTokens), prediction };
}

const FIRST = { input: 1250, media: { inputAudio: 1000 } };
const SECOND = { input: 250, cacheRead: 1152, media: { cacheReadAudio: 1000 } };
const media = (inputAudio: number, cacheReadAudio = 0) => expect.objectContaining({ inputAudio, cacheReadAudio });

it('is what the recording states without a policy, at its price', () => {
  const found = simulate([FIRST, SECOND]);
  expect(found.media).toEqual([media(1000), media(0, 1000)]);
  expect(found.prediction!.predictedCost).toBe(found.prediction!.recordedCost);
});

it('is cached up to where the cache is read', () => {
  const [, now] = simulate([FIRST, { ...SECOND, input: 1402, cacheRead: 0, media: { inputAudio: 1000 } }]).media;
  expect(now).toEqual(media(1000));
});

it('is sent no more where the policy drops the message', () => {
  const steps = stepsOf([{ transform: 'fit', maxTokens: 250, everything: true }]);
  const { media: found, prompts } = simulate([FIRST, SECOND], steps);
  const [first, second] = found;
  expect(first).toEqual(media(1000));
  expect(second).not.toHaveProperty('inputAudio');
  expect(second).not.toHaveProperty('cacheReadAudio');
  expect(prompts[1]!).toBeLessThan(500); // nor do its tokens stay
});

it('goes by the prompt as a whole where no message holds it', () => {
  const silent = messages.map((message) => ({ ...message, parts: message.parts.filter((part) => part !== AUDIO) }));
  messages.splice(0, messages.length, ...silent);
  expect(simulate([FIRST, SECOND]).media).toEqual([media(1000), media(0, 1000)]);
});
