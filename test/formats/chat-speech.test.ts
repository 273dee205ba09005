/** What a model spoke, in `audio` of a chat message. */
import { expect, it } from 'vitest';
import { convert } from '../../src/index.js';
import { mapMessages } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

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

it('keeps its sound where its words change, and goes where they and the sound go', () => {
  const edited = (change: (part: Part) => Part[]) =>
    JSON.parse(
      mapText(text, (one) => mapMessages(one, (message) => ({ ...message, parts: message.parts.flatMap(change) }))),
    ).messages;
  const masked = edited((part) =>
    part.type === 'text' ? [{ ...part, text: textOf(part.text).toUpperCase() }] : [part],
  );
  expect(masked[1]).toEqual({
    role: 'assistant',
    content: null,
    audio: { ...spoken, transcript: 'IT RAINS IN PORTO.' },
  });
  expect(masked[3]).toEqual({ role: 'assistant', audio: { id: 'audio_2' } });
  expect(edited(() => [])[1]).toEqual({ role: 'assistant', content: null });
});

it('of a user is an `input_audio` where the API knows its kind, and else it is said that it is lost', () => {
  const sounds = ['audio/mp3', 'audio/ogg', 'audio/x-wav'].map((mimeType) => ({
    inlineData: { mimeType, data: 'QUJD' },
  }));
  const recording = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Listen.' }, ...sounds] }] });
  const [{ value, lost }] = convert(recording, 'openai-chat') as [ReturnType<typeof convert>[0] & object];
  const content = ['mp3', 'wav'].map((format) => ({ type: 'input_audio', input_audio: { data: 'QUJD', format } }));
  expect(value).toMatchObject([{ role: 'user', content: [{ type: 'text', text: 'Listen.' }, ...content] }]);
  expect(lost.filter(({ loss, what }) => loss && what.includes('audio'))).toHaveLength(1);
});
