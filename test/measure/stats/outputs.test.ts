/** Recorded outputs in place of estimates. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCounting } from '../../../src/measure/stats/counting.js';
import { countedAsRecorded, countedOf } from '../../../src/measure/stats/facts.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { openText } from '../../shared/opened.js';

const SESSION = 'fixtures/formats/pi-session/coding-agent.jsonl';
const byLetters = (model: string) => createCounting(model, () => (text) => Math.ceil(text.length / 4));

it('count a reply of an estimated model, where the format records them in the end', () => {
  const [transcript] = openText(readFileSync(SESSION)).transcripts as [Transcript];
  const { tokens, written } = countedAsRecorded(transcript, byLetters('claude-opus-4-5'));
  let replies = 0;
  transcript.messages.forEach((message, index) => {
    const usage = transcript.recorded?.(message)?.usage;
    const own = byLetters('claude-opus-4-5').message(message);
    if (message.role !== 'assistant' || usage === undefined) return;
    const isFarOff = usage.output * 2 < own || usage.output > own * 2;
    if (!isFarOff) replies++;
    expect(tokens[index]).toBe(isFarOff ? own : usage.output - usage.reasoning);
    expect(written[index]).toBe(tokens[index]);
  });
  expect(replies).toBeGreaterThan(5);
});

it('count nothing once a step may have changed the reply', () => {
  const [transcript] = openText(readFileSync(SESSION)).transcripts as [Transcript];
  const counting = byLetters('claude-opus-4-5');
  const plain = transcript.messages.map((message) => counting.message(message));
  expect(countedOf(transcript, counting).tokens).toEqual(plain);
});

it('count nothing where the model has a tokenizer, or outputs may be those of a stream', () => {
  const [transcript] = openText(readFileSync(SESSION)).transcripts as [Transcript];
  const plain = (model: string) => transcript.messages.map((message) => byLetters(model).message(message));
  expect(countedAsRecorded(transcript, byLetters('gpt-4o')).tokens).toEqual(plain('gpt-4o'));
  const stream = { ...transcript, traits: {} };
  expect(countedAsRecorded(stream, byLetters('claude-opus-4-5')).tokens).toEqual(plain('claude-opus-4-5'));
});
