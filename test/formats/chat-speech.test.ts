/** What a model spoke, in `audio` of a chat message. */
import { expect, it } from 'vitest';
import { convert } from '../../src/index.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const spoken = { id: 'audio_1', data: 'QUJD', transcript: 'It rains in Porto.', expires_at: 1 };
const text = JSON.stringify({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, audio: spoken },
    { role: 'user', content: 'More' },
    { role: 'assistant', audio: { id: 'audio_2' } },
    { role: 'user', content: 'Thanks' },
  ],
});

it('is read: the words and the sound', () => {
  const { messages } = openText(text).transcripts[0]!;
  expect(messages[1]!.parts).toMatchObject([{ type: 'text' }, { type: 'media', kind: 'audio' }]);
  expect(messages[3]!.parts).toMatchObject([{ type: 'media', kind: 'audio' }]);
});

it('stays when empty messages go', () => {
  expect(rewriteText(text, 'prune', { empty: true })).toBe(text);
});

it.each(['openai-chat', 'anthropic-messages', 'gemini-contents', 'openai-responses'])(
  'is a text in %s, and that its sound is lost is said',
  (to) => {
    const [{ value, lost }] = convert(text, to) as [ReturnType<typeof convert>[0] & object];
    expect(JSON.stringify(value)).toContain(spoken.transcript);
    expect(JSON.stringify(value)).not.toContain(spoken.data);
    expect(lost.filter(({ loss, what }) => loss && what.includes('audio')).flatMap((one) => one.messages)).toEqual([
      1, 3,
    ]);
  },
);
