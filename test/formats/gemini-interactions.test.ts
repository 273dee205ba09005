/** Gemini's Interactions API: what the laws do not say. */
import { expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { check } from '../../src/engine/check/findings.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { conversionText } from '../shared/conversion-text.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`gemini-interactions/${name}`);
const text = (value: unknown) => JSON.stringify(value);
const said = (value: unknown) =>
  openText(text(value)).transcripts[0]!.messages.map(({ role, parts }) => [
    role,
    ...parts.map((part) => (part.type === 'text' ? textOf(part.text) : part.type)),
  ]);
const formatOf = (value: unknown) => openText(text(value)).detection.format.id;
const output = (answer: string) => ({ type: 'model_output', content: [{ type: 'text', text: answer }] });

it('adds the thoughts to the output, and the prompts of tools to the input', () => {
  // 100 of the input and 10 of tools, 60 of them cached; 20 of an answer and 20 of thoughts
  const [first, second] = openText(read('hand-interactions.jsonl')).transcripts;
  expect(first!.reply).toMatchObject({
    responseId: 'v1_A',
    time: Date.parse('2026-06-10T12:00:00Z'),
    usage: { input: 50, cacheRead: 60, output: 40, reasoning: 20 },
  });
  expect(second!.reply).toMatchObject({ usage: { input: 160, output: 10 } });
});

it('is a whole history, a delta, a text or contents', () => {
  expect(check(read('hand-request.json'), { asRequest: true })).toEqual([]);
  const [joke, delta, picture] = linesOf(read('hand-log.jsonl')).map(said);
  expect(joke).toEqual([
    ['user', 'Tell me a joke.'],
    ['assistant', 'A byte walks into a bar.'],
  ]);
  expect(delta).toEqual([
    ['tool', 'result'],
    ['assistant', 'It has 11 °C.'],
  ]);
  expect(picture).toEqual([
    ['user', 'Describe the picture.'],
    ['user', 'media'],
    ['assistant', 'A tree.'],
  ]);
});

it('is told from OpenAI Responses by its model or its members', () => {
  const own = 'gemini-interactions';
  expect(formatOf({ model: 'gemini-3.5-flash', input: 'hi' })).toBe(own);
  expect(formatOf({ agent: 'deep-research-pro', input: 'hi', background: true })).toBe(own);
  expect(formatOf({ model: 'other', system_instruction: 'x', input: 'hi' })).toBe(own);
  expect(formatOf({ model: 'gpt-5', input: 'hi' })).toBe('openai-responses');
  expect(formatOf({ model: 'gemini-3.5-flash', input: 'hi', instructions: 'x' })).toBe('openai-responses');
  expect(formatOf({ id: 'v1_A', object: 'interaction', status: 'completed', steps: [output('a')] })).toBe(own);
});

it('refuses the first version of the API by name', () => {
  const first = { id: 'v1_A', object: 'interaction', role: 'model', outputs: [{ type: 'text', text: 'a' }] };
  expect(() => openText(text(first))).toThrow('this looks like an interaction of the first version of Gemini');
});

it('keeps a result that is an object, and one that is a list of contents', () => {
  const [, delta] = read('hand-log.jsonl').split('\n');
  expect(rewriteText(delta!, 'truncate', { maxLength: 4, noMinimum: true })).toContain('"result":[{"type":"text"');
  const stepsIn = (request: string) => (JSON.parse(request) as { input: Record<string, unknown>[] }).input;
  const request = read('hand-request.json');
  const cut = (part: Part): Part =>
    part.type === 'result' ? { ...part, content: [{ type: 'text', text: '…' }] } : part;
  const edited = mapText(request, (transcript) =>
    mapMessages(transcript, (message, index) => (index === 5 ? mapParts(message, cut) : message)),
  );
  const [before, after] = [stepsIn(request), stepsIn(edited)];
  expect(after[4]).toEqual({ ...before[4], result: '…' });
  expect(after.toSpliced(4, 1)).toEqual(before.toSpliced(4, 1));
});

it('takes over a request of another API, and gives one', () => {
  const chat = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"n": 12345678901234567890}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a cat' },
    ],
    temperature: 0.5,
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
  };
  const to = (value: unknown, target: string) => {
    const { transcripts, detection, pieces } = openText(typeof value === 'string' ? value : text(value));
    return conversionText(convert(transcripts[0]!, detection.format, targetNamed(target), pieces[0]!.record), true);
  };
  const written = to(chat, 'gemini-interactions');
  expect(written).toContain('12345678901234567890');
  expect(JSON.parse(written)).toMatchObject({
    system_instruction: 'Be brief.',
    generation_config: { temperature: 0.5 },
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
    input: [
      {
        type: 'user_input',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', mime_type: 'image/png', data: 'iVBORw0KGgo=' },
        ],
      },
      output('I look.'),
      { type: 'function_call', id: 'a', name: 'look' },
      { type: 'function_result', call_id: 'a', name: 'look', result: 'a cat' },
    ],
  });
  expect(JSON.parse(to(written, 'openai'))).toMatchObject({
    messages: [{}, {}, { content: 'I look.' }, { content: 'a cat' }],
  });
});
