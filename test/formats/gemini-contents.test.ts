/** Gemini contents beyond the laws: a system instruction in each shape that the API and its SDKs take. */
import { describe, expect, it } from 'vitest';
import { withMessages } from '../../src/transcript/edit.js';
import type { Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { saidIn } from '../shared/unread.js';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

// https://googleapis.github.io/python-genai/genai.html#genai.types.GenerateContentConfig.system_instruction (2026-11)
it.each<[unknown, unknown]>([
  ['Be brief.', 'Be brief.\n\nBe kind.'],
  [
    ['Use few words.', 'Be brief.'],
    ['Use few words.', 'Be brief.\n\nBe kind.'],
  ],
  [
    ['Use few words.', { text: 'Be brief.' }],
    ['Use few words.', { text: 'Be brief.\n\nBe kind.' }],
  ],
  [{ text: 'Be brief.' }, { text: 'Be brief.\n\nBe kind.' }],
  [{ parts: [{ text: 'Be brief.' }] }, { parts: [{ text: 'Be brief.\n\nBe kind.' }] }],
  [
    { role: 'system', parts: [{ text: 'Be brief.' }] },
    { role: 'system', parts: [{ text: 'Be brief.\n\nBe kind.' }] },
  ],
])('adds a rule to the system instruction %j', (before, after) => {
  for (const key of ['systemInstruction', 'system_instruction']) {
    const text = JSON.stringify({ [key]: before, contents });
    expect(JSON.parse(rewriteText(text, 'inject', { system: 'Be kind.' }))).toEqual({ [key]: after, contents });
    expect(saidIn(openText(text).transcripts[0]!).join('\n')).toContain('system text Be brief.');
  }
});

it('adds a rule to a system instruction whose only part is no list, as the documentation writes it', () => {
  const text = JSON.stringify({ system_instruction: { parts: { text: 'Be brief.' } }, contents });
  const ruled = JSON.parse(rewriteText(text, 'inject', { system: 'Be kind.' }));
  expect(ruled.system_instruction).toEqual({ parts: { text: 'Be brief.\n\nBe kind.' } });
});

// https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini (2026-11): its example input
describe('a part that stands alone', () => {
  const example = {
    contents: [{ role: 'user', parts: { text: 'Give me a recipe for banana bread.' } }],
    system_instruction: { parts: [{ text: 'You are a chef.' }] },
  };

  const text = JSON.stringify(example);

  it('is read, and no doubt about the format is left', () => {
    const { detection, transcripts } = openText(text);
    expect([detection.format.id, detection.isFound]).toEqual(['gemini-contents', undefined]);
    expect(saidIn(transcripts[0]!)).toEqual([
      'system text You are a chef.',
      'user text Give me a recipe for banana bread.',
    ]);
  });

  it.each<[string, (part: Part) => Part[], unknown]>([
    ['stays alone where it changes', (part) => [{ ...part, text: 'Hi.' } as Part], { text: 'Hi.' }],
    [
      'becomes a list where a part is added',
      (part) => [part, { type: 'text', text: 'Be quick.' }],
      [example.contents[0]!.parts, { text: 'Be quick.' }],
    ],
  ])('%s', (_, change, parts) => {
    const edited = mapText(text, (transcript) =>
      withMessages(
        transcript,
        transcript.messages.map((message) =>
          message.role === 'user' ? { ...message, parts: message.parts.flatMap(change) } : message,
        ),
      ),
    );
    expect(JSON.parse(edited)).toEqual({ ...example, contents: [{ role: 'user', parts }] });
  });
});
