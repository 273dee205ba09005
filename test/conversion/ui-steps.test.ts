/** UI messages of the AI SDK: their steps become messages as `convertToModelMessages` of `ai` makes them. */
import { readFileSync } from 'node:fs';
import { convertToModelMessages, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { formats } from '../../src/formats/index.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import { joinTexts } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { conversionText } from '../shared/conversion-text.js';
import { openText } from '../shared/opened.js';

type Part = { readonly type: string; readonly [key: string]: unknown };
interface ModelMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

const start: Part = { type: 'step-start' };
const text = (words: string): Part => ({ type: 'text', text: words });
const tool = (toolCallId: string, more: object = { state: 'output-available', output: `r ${toolCallId}` }): Part => ({
  type: 'tool-look',
  toolCallId,
  input: { at: toolCallId },
  ...more,
});
const ask = (id: string, approved?: boolean, reason?: string) => ({ approval: { id, approved, reason } });
const image = { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' };

/** The parts of one reply, between a question and a next one. */
const CASES: Readonly<Record<string, readonly Part[]>> = {
  'one text': [text('a')],
  'a step with a text': [start, text('a')],
  'two texts in a step': [start, text('a'), text('b')],
  'a call, then a text without a step': [tool('c1'), text('a')],
  'a call and a text in one step': [start, text('a'), tool('c1'), text('b')],
  'three steps': [start, tool('c1'), start, tool('c2'), start, text('a')],
  'parallel calls': [start, text('a'), tool('c1'), tool('c2'), start, text('b')],
  'an empty step': [start, start, text('a'), start],
  reasoning: [
    start,
    { type: 'reasoning', text: 'hm' },
    tool('c1'),
    start,
    { type: 'reasoning', text: 'so' },
    text('a'),
  ],
  'a result as JSON': [start, tool('c1', { state: 'output-available', output: { a: [1, 'x'] } }), start, text('a')],
  'a list as a result': [start, tool('c1', { state: 'output-available', output: [1, 2] }), start, text('a')],
  'an error': [start, tool('c1', { state: 'output-error', errorText: 'no such file' }), start, text('a')],
  'an error with what the model wrote': [
    start,
    tool('c1', { state: 'output-error', input: undefined, rawInput: { at: 1 }, errorText: 'bad' }),
    start,
    text('a'),
  ],
  'a preliminary result': [
    start,
    tool('c1', { state: 'output-available', output: 'half', preliminary: true }),
    text('a'),
  ],
  'a dynamic tool': [start, { ...tool('c1'), type: 'dynamic-tool', toolName: 'mcp_look' }, start, text('a')],
  'a tool that the provider ran': [
    start,
    { ...tool('c1'), providerExecuted: true },
    { ...tool('c2', { state: 'output-available', output: { a: 1 } }), providerExecuted: true },
    text('a'),
  ],
  'a call that waits for approval': [start, text('a'), tool('c1', { state: 'approval-requested', ...ask('p1') })],
  'an approval': [start, tool('c1', { state: 'approval-responded', ...ask('p1', true) })],
  'an approved call': [
    start,
    tool('c1', { state: 'output-available', output: 'r', ...ask('p1', true) }),
    start,
    text('a'),
  ],
  'a denied call': [start, tool('c1', { state: 'output-denied', ...ask('p1', false, 'too risky') }), start, text('a')],
  'a denied call beside another': [
    start,
    tool('c0'),
    tool('c1', { state: 'output-denied', ...ask('p1', false, 'no') }),
    tool('c2'),
    start,
    text('a'),
  ],
  'an unanswered call at the end': [start, text('a'), tool('c1', { state: 'input-available' })],
  'a picture of the model': [start, text('a'), image],
  'sources and data': [
    start,
    { type: 'source-url', sourceId: 's', url: 'https://example.com' },
    { type: 'data-weather', data: { a: 1 } },
    text('a'),
  ],
};

/** Where we differ, and why. */
const DIFFERENT: Readonly<Record<string, { readonly parts: readonly Part[]; readonly why: string }>> = {
  'a call that was still streaming': {
    parts: [start, text('a'), tool('c1', { state: 'input-streaming', input: { at: 'c' } })],
    why: 'the SDK leaves it out; we keep what the model wrote: it is a part of the recording',
  },
  'a denied call without a reason': {
    parts: [start, tool('c1', { state: 'output-denied', ...ask('p1', false) }), start, text('a')],
    why: 'the SDK makes up the words "Tool call execution denied."; we write none that nobody wrote',
  },
  'an unanswered call before the end': {
    parts: [start, tool('c1', { state: 'input-available' }), start, text('a')],
    why: 'the SDK leaves it without a result, which every provider rejects; we add a result that says so',
  },
};

const around = (parts: readonly Part[], isLast: boolean) => [
  { id: 's', role: 'system', parts: [text('Be brief.')] },
  { id: 'u', role: 'user', parts: [text('Look.'), image] },
  { id: 'a', role: 'assistant', parts },
  ...(isLast ? [] : [{ id: 'u2', role: 'user', parts: [text('Thanks.')] }]),
];
/** A question or a call that is still open is the last. */
const isOpenCase = (name: string) => /waits|an approval$|at the end|streaming/.test(name);

async function theirs(messages: readonly object[]): Promise<unknown> {
  return normalized((await convertToModelMessages(messages as unknown as UIMessage[])) as readonly ModelMessage[]);
}

function ours(messages: readonly object[]): unknown {
  return normalized(JSON.parse(converted(JSON.stringify(messages), 'vercel-model')) as readonly ModelMessage[]);
}

function converted(json: string, to: string): string {
  const { detection, transcripts } = openText(json);
  return conversionText(convert(transcripts[0]!, detection.format, targetNamed(to)), true);
}

/** Both spellings of one message: a text is a list of one, a picture is a file, a result that is JSON is its text. */
function normalized(messages: readonly ModelMessage[]): unknown {
  return messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(normalizedPart),
  }));
}

function normalizedPart(part: Part): object {
  if (part.type === 'image' || part.type === 'file')
    return { type: 'file', mediaType: part['mediaType'], data: part['image'] ?? part['data'] };
  const output = part['output'] as { readonly type: string; readonly value: unknown } | undefined;
  const words = typeof output?.value === 'string' ? output.value : JSON.stringify(output?.value);
  const kept = Object.entries(part).filter(
    ([key, value]) => value !== undefined && !['output', 'providerOptions'].includes(key),
  );
  const error = output?.type.startsWith('error');
  return { ...Object.fromEntries(kept), ...(output === undefined ? {} : { output: { words, error } }) };
}

describe('as the SDK converts', () => {
  it.each(Object.entries(CASES))('%s', async (name, parts) => {
    const messages = around(parts, isOpenCase(name));
    expect(ours(messages)).toEqual(await theirs(messages));
  });

  it.each(Object.entries(DIFFERENT))('%s: not the same, by intent', async (name, { parts, why }) => {
    const messages = around(parts, isOpenCase(name));
    expect([why, ours(messages)]).not.toEqual([why, await theirs(messages)]);
  });

  it('the states of a recording: the same roles and results, but for calls that nothing answers', async () => {
    const { messages } = JSON.parse(readFileSync('fixtures/formats/vercel-ui/hand-states.json', 'utf8')) as {
      messages: object[];
    };
    const answered = (list: unknown) =>
      (list as { role: string; content: Part[] }[]).map(({ role, content }) => ({
        role,
        content: content
          .filter(({ toolCallId }) => !['call_4', 'call_6', 'call_3'].includes(String(toolCallId)))
          .map((part) => part),
      }));
    expect(answered(ours(messages))).toEqual(answered(await theirs(messages)));
  });
});

const STEPS = JSON.stringify([
  { id: 'u', role: 'user', parts: [text('weather?')] },
  {
    id: 'a',
    role: 'assistant',
    parts: [
      start,
      { ...tool('c1', { state: 'output-available', output: 'A' }), input: { q: 1 } },
      start,
      { ...tool('c2', { state: 'output-available', output: 'B' }), input: { q: 'uses A' } },
      start,
      text('It is sunny.'),
    ],
  },
  { id: 'u2', role: 'user', parts: [text('thanks')] },
]);

it.each(formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id))(
  'rounds stay rounds in %s: call, result, call, result, text',
  (to) => {
    const { transcripts } = openText(converted(STEPS, to), { from: to });
    expect(storyOf(transcripts[0]!)).toEqual([
      'weather?',
      'look {"q":1}',
      'A',
      'look {"q":"uses A"}',
      'B',
      'It is sunny.',
      'thanks',
    ]);
    const { calls, results } = pair(transcripts[0]!.messages);
    expect([calls.some(isOpen), results.every(({ standing }) => standing === 'in place')]).toEqual([false, true]);
  },
);

/** Everything that is said, called and answered, in order. */
function storyOf({ messages }: Transcript): string[] {
  return messages.flatMap(({ parts }) =>
    parts
      .flatMap((part) => {
        if (part.type === 'call')
          return [`${part.tool} ${JSON.stringify(JSON.parse(joinTexts([{ type: 'text', text: part.input }])))}`];
        return part.type === 'result' ? [joinTexts(part.content)] : part.type === 'text' ? [joinTexts([part])] : [];
      })
      .filter((words) => words !== ''),
  );
}
