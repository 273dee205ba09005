/**
 * What we wrote is the same format, at the same place, as what we read: a second run of the same command finds nothing
 * to do.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { open, run, type StepName } from '../../src/index.js';
import type { OpenOptions } from '../../src/source/open.js';
import { isReadable, meaningOf, openText } from '../shared/opened.js';
import { fixtures, sampled } from '../shared/recordings.js';
import { forEveryTransform } from '../shared/trials.js';

const STEPS = forEveryTransform([
  ['patch', { pending: 'drop', orphan: 'text' }],
  ['filter', { maxToolCalls: 0, dropUser: true }],
  ['fit', { maxTokens: 1 }],
  ['prune', { reasoning: true, images: true, empty: true, records: true }],
  ['strip', { keepText: true, keepToolNames: true, retryPrompt: true, lang: 'ja' }],
  ['inject', { system: 'Be brief.', user: 'Go on.', toolDescription: [] }],
]);

/** What stands in a file's other lines, or further on in it, is of the same shapes. */
const LONGEST = 5_000;

const short = fixtures().filter(({ bytes }) => bytes.length <= LONGEST);

describe.each(sampled(short, 'twice'))('$name', ({ bytes }) => {
  const text = bytes.toString();
  const before = placeOf(text);

  it.each(STEPS)('%s %j', (id, options) => expectSame(text, before, id, options));
});

function changed(text: string, id: string, options: Readonly<Record<string, unknown>>): string {
  return run(text, [{ transform: id, ...options } as StepName], { countTokens: (counted) => counted.length });
}

function expectSame(text: string, before: Found, id: string, options: Readonly<Record<string, unknown>>): void {
  let output: string;
  try {
    output = changed(text, id, options);
  } catch (error) {
    if (isTranscriptError(error)) return; // refused, and nothing is written
    throw error;
  }
  if (output === text) return;
  if (hasMessages(output)) expectPlace(output, before);
  // a log of which no line is left is empty
  if (output.trim() !== '') expect(changed(output, id, options)).toBe(output);
}

/**
 * Where nothing but plain texts is left, nothing tells whose they are: then it is told as another format that reads the
 * very same.
 */
function expectPlace(text: string, before: Found): void {
  const now = placeOf(text);
  expect(now.place).toBe(before.place);
  if (now.format !== before.format) expect(meaningsOf(text, {})).toEqual(meaningsOf(text, { from: before.format }));
}

function meaningsOf(text: string, options: OpenOptions): unknown {
  return openText(text, options).transcripts.map(({ messages }) => messages.map(meaningOf));
}

interface Found {
  readonly format: string;
  readonly place: string;
}

function placeOf(text: string): Found {
  const { format, container } = openText(text).detection;
  return { format: format.id, place: typeof container === 'string' ? container : container.label };
}

function hasMessages(text: string): boolean {
  return (
    isReadable(text) && openText(text).transcripts.some(({ messages }) => messages.some(({ role }) => role !== 'meta'))
  );
}

const found = (id: string, args?: string) => [
  { type: 'ai', content: '', tool_calls: [{ name: 'find', ...(args === undefined ? {} : { id, args }) }] },
  { type: 'tool', content: 'one' },
];
const reading = (tool_call_id: string, call: object) => ({
  input: {
    success: true,
    data: [
      { type: 'ai', content: '', tool_calls: [{ name: 'find', ...call }] },
      { type: 'tool', content: 'one', tool_call_id },
    ],
  },
  output: { success: true },
});
const spanCall = {
  'message.role': 'assistant',
  'message.tool_calls': [
    { 'tool_call.id': 'c1', 'tool_call.function.name': 'find', 'tool_call.function.arguments': '{}' },
  ],
};
const spanResult = { 'message.role': 'tool', 'message.content': 'one', 'message.tool_call_id': 'c1' };
const span = (id: string) => ({
  'context.trace_id': 't',
  'context.span_id': id,
  'attributes.openinference.span.kind': 'LLM',
  'attributes.llm.input_messages': [spanCall, spanResult, spanCall, spanResult],
  'attributes.llm.output_messages': [],
});
const lines = (...values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n');

/** Without its calls, rows that are not read leave the format of this file unsure. */
const agentItems = readFileSync('fixtures/formats/openai-agents/hand-items.jsonl', 'utf8').replace(
  /\{"type":"function_call",.*\n/,
  (call) => `{"type":[${call.trim()}]}\n`,
);

const HOSTILE: readonly (readonly [
  what: string,
  text: string,
  id: string,
  options: Readonly<Record<string, unknown>>,
])[] = [
  [
    'a log that holds no message',
    lines(
      { type: 'file-history-snapshot', messageId: 'm1', snapshot: {}, isSnapshotUpdate: false },
      { type: 'file-history-snapshot', messageId: 'm2', input: false },
    ),
    'strip',
    { keepText: true, keepToolNames: true, retryPrompt: true, lang: 'ja' },
  ],
  [
    'two lists of messages, both found by searching',
    JSON.stringify({ one: { input: { data: found('c0') } }, two: { input: { data: found('c1', '{}') } } }),
    'filter',
    { maxToolCalls: 0 },
  ],
  [
    'a trace with two conversations of the same length',
    JSON.stringify({ s1: reading('c1', {}), s2: reading('c2', { arguments: '{"q":1}' }) }),
    'filter',
    { maxToolCalls: 0 },
  ],
  ['spans that say the same twice', lines(span('1'), span('2')), 'filter', { maxToolCalls: 1 }],
  [
    'many rows of which few are left',
    agentItems,
    'strip',
    { keepText: true, keepToolNames: true, retryPrompt: true, lang: 'ja' },
  ],
];

it.each(HOSTILE)('%s', (_, text, id, options) => expectSame(text, placeOf(text), id, options));

it('says where a list is that would be empty, and takes it by its name', () => {
  const text = HOSTILE[1]![1];
  const steps: readonly StepName[] = [{ transform: 'filter', maxToolCalls: 0 }];
  expect(() => run(text, steps)).toThrow(/`one\.input\.data`.*--messages one\.input\.data/);
  const named = run(text, steps, { messages: 'one.input.data' });
  expect(named).toContain('"two":{"input":{"data":[{"type"');
  expect(run(named, steps, { messages: 'one.input.data' })).toBe(named);
});

describe('a file that is one message', () => {
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
  };

  it.each([
    ['without a newline', JSON.stringify(message)],
    ['on several lines', `${JSON.stringify(message, null, 2)}\n`],
  ])('%s gets no second value', (_, text) => {
    const prompts = { transform: 'inject', system: 'Be brief.', user: 'Go on.' } as const;
    for (const step of ['patch', 'strip:retry-prompt', prompts])
      expect(() => JSON.parse(run(text, [step]) || 'null')).not.toThrow();
  });

  it('is a line of a log where it ends like one', () => {
    const log = `${JSON.stringify(message)}\n`;
    const output = run(log, ['patch']);
    expect(open(output).transcripts[0]!.messages).toHaveLength(2);
    expect(run(output, ['patch'])).toBe(output);
  });
});
