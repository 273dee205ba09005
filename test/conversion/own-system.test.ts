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

it('loses no part of another shape unsaid', () => {
  const system = [{ text: 'One' }, { guardContent: { text: { text: 'Never say so.' } } }];
  for (const to of ['openai-chat', 'anthropic-messages', 'gemini-contents'])
    expect(convert(JSON.stringify({ system, messages: [user] }), to)[0]!.lost).toContainEqual(
      expect.objectContaining({ loss: true, what: 'a part of type `guardContent`' }),
    );
});
