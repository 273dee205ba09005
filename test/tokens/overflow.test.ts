/** `check` finds what is beyond the window by an exact count, whatever the text: bytes tell only where to count. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { likelyTokens } from '../../src/engine/check/likely-tokens.js';
import { mostTokens } from '../../src/engine/check/token-bounds.js';
import { type CheckOptions, check, count } from '../../src/index.js';
import { openText } from '../shared/opened.js';

const WINDOW = 8192; // of gpt-4

/** The same bytes each time, without any order. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const KINDS = {
  English: 'The store keeps each session in one file, and every line of it is a record of what was said. ',
  code: 'export function most(text: Text): number {\n  return typeof text === "string" ? 3 * text.length : 0;\n}\n',
  Chinese: '研究人员发现,这种方法在许多情况下都能显著提高模型的准确率和稳定性。',
  Amharic: 'ተመራማሪዎቹ ይህ ዘዴ በብዙ ሁኔታዎች የሞዴሉን ትክክለኛነት በከፍተኛ ሁኔታ እንደሚያሻሽል ደርሰውበታል። ',
  Georgian: 'მკვლევარებმა აღმოაჩინეს, რომ ეს მეთოდი მნიშვნელოვნად აუმჯობესებს მოდელის სიზუსტეს. ',
  emoji: '😀👩‍👩‍👧🚀🔥🇩🇪✅❌⚠️🎉',
  base64: noise(24_000).toString('base64'),
  hex: noise(24_000).toString('hex'),
  digits: Array.from(noise(40_000), (byte) => byte % 10).join(''),
  DNA: Array.from(noise(40_000), (byte) => 'ACGT'[byte & 3]).join(''),
  table: Array.from(noise(12_000), (byte) => `${byte},${byte % 17}`).join('\n'),
  JSON: JSON.stringify(Array.from({ length: 1200 }, (_, id) => ({ id, v: [id % 7, id % 11], k: `x${id}` }))),
  signs: Array.from(noise(40_000), (byte) => "!@#$%^&*()[]{}<>?/|~`':;,.+-=_"[byte % 30]).join(''),
};

/** As much of a kind of text as has about so many tokens. */
function textOf(kind: string, tokens: number): string {
  const size = count(kind, { model: 'gpt-4' });
  const text = kind.repeat(Math.ceil(tokens / size));
  return text.slice(0, Math.floor((text.length * tokens) / count(text, { model: 'gpt-4' })));
}

const request = (content: string) => JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content }] });
const overflowsIn = (content: string) =>
  check(request(content)).flatMap(({ rule, message }) => (rule === 'core/context-overflow' ? [message] : []));

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  it.each([0.6, 0.97, 1.03, 1.5, 2.5])('of %d windows', (share) => {
    const content = textOf(kind, WINDOW * share);
    const tokens = count([{ role: 'user', content }], { model: 'gpt-4' });
    const text = `the history has ${tokens.toLocaleString('en-US')} tokens; the model takes 8,192`;
    expect(overflowsIn(content)).toEqual(tokens > WINDOW ? [text] : []);
  });
});

it('is guessed where it is far beyond the window, and says so', () => {
  const guess = 'the history has about 50,000 tokens (guessed from its length, 4 bytes each)';
  expect(overflowsIn('word '.repeat(40_000))).toEqual([`${guess}; the model takes 8,192; --as-request counts them`]);
});

it('is estimated for a model without a public tokenizer', () => {
  const messages = [{ role: 'user', content: KINDS.base64.repeat(10) }];
  const found = check(JSON.stringify({ model: 'claude-sonnet-4-5', messages }), { provider: 'openai-chat' });
  expect(found).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^the history has about 2\d\d,\d{3} tokens; the model/) }),
  ]);
});

it('most texts are seen to fit without counting', () => {
  const first = (content: string) => openText(`${request(content)}\n`).transcripts[0]!;
  const prose = first(textOf(KINDS.English, WINDOW / 2));
  expect(mostTokens(prose)).toBeGreaterThan(WINDOW);
  expect(likelyTokens(prose)).toBeLessThan(WINDOW);
  const code = first(textOf(KINDS.code, WINDOW / 2));
  expect(likelyTokens(code)).toBeLessThan(WINDOW);
});

describe('quotes the provider that gets the request, and no other', () => {
  const content = KINDS.base64.repeat(100);
  const openai = { messages: [{ role: 'user', content }] };
  const errorsOf = (body: object, options: CheckOptions) =>
    check(JSON.stringify(body), options).flatMap(({ rule, error }) =>
      rule === 'core/context-overflow' ? [error] : [],
    );

  it.each([
    ['openai-chat', 'gpt-4', "This model's maximum context length is 128000 tokens. However, your messages resulted"],
    ['anthropic', 'claude-sonnet-4-5', 'prompt is too long: '],
    ['xai', 'grok-3', "This model's maximum prompt length is "],
    ['mistral', 'mistral-small', undefined],
  ])('%s', (provider, model, error) => {
    const quoted = error === undefined ? error : expect.stringContaining(error);
    for (const asRequest of [false, true])
      expect(errorsOf({ model, ...openai }, { provider, asRequest })).toEqual([quoted]);
  });

  it('as its recording tells', () => {
    const gemini = { model: 'gemini-2.5-flash-image', contents: [{ role: 'user', parts: [{ text: content }] }] };
    expect(errorsOf(gemini, {})).toEqual([expect.stringMatching(/^The input token count/)]);
    expect(errorsOf({ model: 'gpt-4', ...openai }, {})).toEqual([expect.stringMatching(/^This model's maximum/)]);
  });
});
