/** Prompts with several answers, of which each is read and written, and the usage of all counts once. */
import { expect, it } from 'vitest';
import { unreadIn } from '../../src/source/unread/unread.js';
import { textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const recording = (name: string) => fixture(`prompt-answers/${name}`);
const rolesIn = ({ id, messages }: Transcript) => [id, messages.map(({ role }) => role[0]).join('')];

it.each([
  [
    'hand-preference.jsonl',
    [
      ['chosen', 'sua'],
      ['rejected', 'a'],
      ['chosen', 'ua'],
      ['rejected', 'ua'],
      ['chosen', 'ua'],
      ['rejected', 'a'],
    ],
  ],
  [
    'hand-openai-preference.jsonl',
    [
      ['preferred_output', 'ua'],
      ['non_preferred_output', 'a'],
    ],
  ],
  [
    'hand-completion.jsonl',
    [
      ['completion', 'ua'],
      ['completion', 'ua'],
    ],
  ],
  [
    'hand-choices.jsonl',
    [
      ['choice 0', 'ua'],
      ['choice 1', 'a'],
    ],
  ],
])('%s: every answer, the first after the prompt', (name, transcripts) => {
  const opened = openText(recording(name));
  expect(opened.detection.format.id).toBe('prompt-answers');
  expect(opened.transcripts.map(rolesIn)).toEqual(transcripts);
});

it('counts the usage of a response once, and knows the tools of a request', () => {
  const { transcripts } = openText(recording('hand-choices.jsonl'));
  const requests = transcripts.map(({ messages, recorded }) => recorded!(messages.at(-1)!));
  expect(requests).toMatchObject([
    { model: 'gpt-3.5-turbo-instruct', usage: { input: 6, output: 17 } },
    { usage: { input: 0, output: 0 }, cost: '0', billing: { requests: 0 } },
  ]);
  expect(openText(recording('hand-openai-preference.jsonl')).transcripts[0]!.tools!.text).toContain('get_weather');
});

const shout = (transcript: Transcript) => ({
  ...transcript,
  messages: transcript.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'text' ? { ...part, text: textOf(part.text).toUpperCase() } : part,
    ),
  })),
});

it.each(['hand-preference.jsonl', 'hand-completion.jsonl', 'hand-choices.jsonl'])(
  '%s: an edit reaches the prompt and each answer, and nothing else',
  (name) => {
    const text = recording(name);
    const after = mapText(Buffer.from(text), shout);
    expect(after.toLowerCase()).toBe(text.toLowerCase());
    const said = openText(after).transcripts.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? textOf(part.text!) : ''))),
    );
    expect(said).toEqual(said.map((one) => one.toUpperCase()));
  },
);

it('takes the prompt from members of other names, and counts what stands beside it as unread', () => {
  const answers = { chosen: 'The Douro flows there.', rejected: 'I do not know it.' };
  const read = (row: object) => {
    const { detection, pieces, transcripts } = openText(JSON.stringify({ ...row, ...answers }));
    return [transcripts.map(rolesIn), unreadIn(pieces[0]!, detection.format)?.texts];
  };
  const asked = [
    ['chosen', 'ua'],
    ['rejected', 'a'],
  ];
  const question = 'Name a river in Porto.';
  expect(read({ question })).toEqual([asked, undefined]);
  expect(read({ system: 'You know all rivers.', question })).toEqual([asked, 1]);
  expect(read({ instruction: 'Answer the question.', input: question })).toEqual([asked, 1]);
  expect(read({ system: '', instruction: question, input: '' })).toEqual([asked, undefined]);
  expect(read({ prompt: question, instruction: question })).toEqual([asked, undefined]);
});

const HH =
  String.raw`{"chosen":"\n\nHuman: \u0048i \\n\nHuman: x\/y\n\nAssistant: Hello é.\n\nHuman: And?\u000a\nAssistant:",` +
  String.raw`"rejected": "\n\nHuman: Hi\n\nAssistant: Go."}`;

it('reads a dialog in one text as its turns', () => {
  const { detection, pieces, transcripts } = openText(HH);
  expect(transcripts.map(rolesIn)).toEqual([
    ['chosen', 'uaua'],
    ['rejected', 'ua'],
  ]);
  expect(
    transcripts[0]!.messages.map(({ parts }) => parts.map((part) => textOf((part as { text: string }).text))),
  ).toEqual([['Hi \\n\nHuman: x/y'], ['Hello é.'], ['And?'], ['']]);
  expect(unreadIn(pieces[0]!, detection.format)).toBe(undefined);
});

it('reads turns without a word between two marks', () => {
  const text =
    String.raw`{"chosen":"\n\nHuman:\n\nAssistant:\n\nHuman: \n\nAssistant: Yes?",` +
    String.raw`"rejected":"\n\nHuman:\n\nAssistant:"}`;
  const { transcripts } = openText(text);
  expect(transcripts.map(rolesIn)).toEqual([
    ['chosen', 'uaua'],
    ['rejected', 'ua'],
  ]);
  expect(mapText(Buffer.from(text), (transcript) => transcript)).toBe(text);
  expect(mapText(Buffer.from(text), shout)).toBe(text.replace('Yes?', 'YES?'));
});

it('leaves a text with marks in it that does not begin with one, and an answer beside a prompt', () => {
  const read = (row: object) => openText(JSON.stringify(row)).transcripts.map(rolesIn);
  const [chosen, rejected] = ['So said\n\nHuman: Hi\n\nAssistant: Hello.', 'No.'];
  const alone = [
    ['chosen', 'a'],
    ['rejected', 'a'],
  ];
  expect(read({ chosen, rejected })).toEqual(alone);
  expect(read({ prompt: '\n\nHuman: Hi\n\nAssistant:', chosen: ' Hello.', rejected })).toEqual([
    ['chosen', 'ua'],
    ['rejected', 'a'],
  ]);
});

it('writes turns back in their text, with their marks and as they were spelled', () => {
  const drop = (count: number) => (transcript: Transcript) =>
    transcript.id === 'chosen' ? { ...transcript, messages: transcript.messages.slice(0, -count) } : transcript;
  expect(mapText(Buffer.from(HH), (transcript) => transcript)).toBe(HH);
  expect(mapText(Buffer.from(HH), drop(2))).toBe(HH.replace(String.raw`\n\nHuman: And?\u000a\nAssistant:`, ''));
  expect(mapText(Buffer.from(HH), drop(4))).toBe(HH.replace(/"\\n\\nHuman: \\u.*?Assistant:"/, '""'));
  const shouted = mapText(Buffer.from(HH), shout);
  expect(shouted).toContain(
    String.raw`"\n\nHuman: HI \\N\nHUMAN: X/Y\n\nAssistant: HELLO É.\n\nHuman: AND?\u000a\nAssistant:"`,
  );
  expect(shouted).toContain(String.raw`"rejected": "\n\nHuman: HI\n\nAssistant: GO."`);
});
