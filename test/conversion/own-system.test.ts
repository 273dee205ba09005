/** The system prompt of a request that is converted to its own format. */
import { expect, it } from 'vitest';
import { convert } from '../../src/index.js';

const user = { role: 'user', content: [{ text: 'Hi' }] };

it.each([
  ['bedrock-converse', 'system', [{ text: 'One' }, { cachePoint: { type: 'default' } }, { text: 'Two' }]],
  ['bedrock-converse', 'system', [{ text: 'One' }, { guardContent: { text: { text: 'Never say so.' } } }]],
  ['gemini-contents', 'systemInstruction', { parts: [{ text: 'One' }, { text: 'Two' }] }],
])('of %s stays as it is: %s %j', (id, key, system) => {
  const request = {
    'bedrock-converse': { system, messages: [user] },
    'gemini-contents': { systemInstruction: system, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }[id]!;
  const [written] = convert(JSON.stringify(request), id);
  expect(written!.value).toMatchObject({ [key]: system });
  expect(written!.lost).toEqual([]);
});

it('says the words of a part of another shape, and what they lose', () => {
  const system = [{ text: 'One' }, { guardContent: { text: { text: 'Never say so.' } } }];
  const cited = { content: [{ text: 'It is ' }, { text: 'five degrees.' }], citations: [{ title: 'Oslo' }] };
  const messages = [user, { role: 'assistant', content: [{ citationsContent: cited }] }, user];
  for (const to of ['openai-chat', 'anthropic-messages', 'gemini-contents']) {
    const [{ value, lost }] = convert(JSON.stringify({ system, messages }), to) as [ReturnType<typeof convert>[0]];
    expect(JSON.stringify(value)).toMatch(/Never say so\..*It is five degrees\./);
    expect(lost.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['that a guardrail judges a text', 'the citations of a text']),
    );
  }
});

it('loses no part of another shape unsaid', () => {
  const png = { format: 'png', source: { bytes: 'iVBORw0KGgo=' } };
  const system = [{ text: 'One' }, { guardContent: { image: png } }];
  for (const to of ['openai-chat', 'anthropic-messages', 'gemini-contents'])
    expect(convert(JSON.stringify({ system, messages: [user] }), to)[0]!.lost).toContainEqual(
      expect.objectContaining({ loss: true, what: 'a part of type `guardContent`' }),
    );
});

it('says which members of its blocks another format does not have', () => {
  const system = [
    { type: 'text', text: 'One', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Two' },
  ];
  const request = JSON.stringify({
    model: 'claude-sonnet-4-5',
    system,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const fields = { 'system[].cache_control': 1 };
  for (const to of ['openai-chat', 'gemini-contents', 'langchain'])
    expect(convert(request, to)[0]!.lost).toContainEqual(
      expect.objectContaining({ loss: false, messages: [0], fields }),
    );
  const [own] = convert(request, 'anthropic-messages');
  expect(own).toMatchObject({ value: { system }, lost: [] });
});
