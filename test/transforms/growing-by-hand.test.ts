/** When a cut of a transcript that grows can be told from what came before, and when each length is cut anew. */
import { expect, it } from 'vitest';
import { growFitted } from '../../src/transforms/fit-growing.js';
import type { Counts } from '../../src/transforms/transform.js';
import { openText } from '../shared/opened.js';

/** Definitions of tools take less beside a system prompt, as in the models of OpenAI. */
const COUNTS: Counts = {
  perRequest: 3,
  message: () => 10,
  definitions: ({ messages }) => (messages.some(({ role }) => role === 'system') ? 20 : 22),
} as Partial<Counts> as Counts;
const OPTIONS = { maxTokens: 60, strategy: 'last', everything: true, unit: 'exchange', lowWater: undefined } as const;

const user = { role: 'user', content: 'Go on.' };
const system = { role: 'system', content: 'Be brief.' };
const answer = { role: 'assistant', content: 'Done.' };
const rounds = [user, answer, user, answer, user, answer];
const growing = (
  messages: readonly object[],
  options: Partial<Parameters<typeof growFitted>[1]> = {},
  carries = false,
) => growFitted(openText(JSON.stringify({ messages })).transcripts[0]!, { ...OPTIONS, ...options }, COUNTS, carries);

it.each([
  ['a chat', rounds],
  ['a system prompt at the head', [system, ...rounds]],
])('%s is cut from what was cut before', (_, messages) => {
  const grow = growing(messages)!;
  const sent: unknown[] = [];
  for (let end = 1; end <= messages.length; end++) {
    const { same, added } = grow(end);
    sent.splice(same, sent.length, ...added.map(({ role }) => role));
  }
  expect(sent).toEqual([...(messages[0] === system ? ['system'] : []), 'user', 'assistant']);
});

it.each([
  ['a system prompt that comes later: with it, the definitions take another number of tokens', [user, system, answer]],
  ['nothing but a system prompt', [system]],
])('%s is cut anew each time', (_, messages) => {
  expect(growing(messages)).toBeUndefined();
});

it('so is what keeps the first exchanges, what has no budget, and what stays beside the cut', () => {
  expect(growing(rounds, { strategy: 'first' })).toBeUndefined();
  expect(growing(rounds, { maxTokens: undefined })).toBeUndefined();
  expect(growing(rounds, { everything: false }, true)).toBeUndefined();
  expect(growing(rounds, {}, true)).toBeDefined();
});
