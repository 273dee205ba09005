/** Gemini contents beyond the laws: a system instruction in each shape that the API and its SDKs take. */
import { expect, it } from 'vitest';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';
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
  expect(ruled.system_instruction).toEqual({ parts: [{ text: 'Be brief.\n\nBe kind.' }] });
});
