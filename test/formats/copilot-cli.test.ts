/** Event logs of Copilot CLI beyond the laws. */
import { expect, it } from 'vitest';
import format from '../../src/formats/copilot/copilot-cli.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { runProgram } from '../shared/program.js';
import { rewriteText } from '../shared/rewrite-text.js';

const log = fixture('copilot-cli/hand-events.jsonl');
const loose = (text: string) => {
  const lines = linesOf(text);
  return lines.filter(({ parentId }, index) => parentId !== (index === 0 ? null : lines[index - 1].id));
};

it('reads the session, the model of each message, and usage with cache reads apart', () => {
  const [transcript] = openText(log).transcripts;
  expect(transcript).toMatchObject({ id: 'c0ffee00-0000-4000-8000-000000000001', model: 'claude-sonnet-4.5' });
  expect(transcript!.messages.flatMap(({ role, model }) => (role === 'assistant' ? [model] : []))).toEqual([
    'claude-sonnet-4.5',
    'gpt-5.1-codex',
    'gpt-5.1-codex',
    'gpt-5.1-codex',
  ]);
  const recorded = transcript!.messages.flatMap((message) => transcript!.recorded!(message) ?? []);
  expect(recorded.find(({ usage }) => usage !== undefined)).toMatchObject({
    responseId: 'msg_1',
    usage: { input: 3576, cacheRead: 21263, cacheWrite5m: 100, output: 1430, reasoning: 154 },
  });
  expect(recorded.find(({ running }) => running !== undefined)?.running).toMatchObject({
    input: 23670,
    cacheRead: 29056,
    output: 1469,
    reasoning: 1033,
  });
});

it('excludes messages of sub-agents and tools run by the user', () => {
  const { messages } = openText(log).transcripts[0]!;
  const calls = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' || part.type === 'result' ? [`${part.type} ${part.callId}`] : [])),
  );
  expect(calls).toEqual([
    'call t1',
    'call t2',
    'call t3',
    'result t1',
    'result t3',
    'result t2',
    'call t4',
    'call t5',
    'result t4',
    'result t5',
    'call t6',
    'call t7',
    'result t6',
    'result x1',
  ]);
});

it('removes all events of a removed call and repairs the links', () => {
  const filtered = rewriteText(log, 'filter', { maxToolCalls: 1 });
  for (const id of ['"t1"', '"t2"', '"t3"', '"t4"', '"s1"', '"p-1"', '"x1"']) expect(filtered).not.toContain(id);
  expect(filtered).toContain('"u1"');
  expect(
    linesOf(filtered).find(({ type }) => type === 'session.compaction_complete').data.preCompactionMessagesLength,
  ).toBe(3);
  for (const text of [
    log,
    filtered,
    rewriteText(log, 'patch', {}),
    rewriteText(log, 'strip', { keepToolNames: true, retryPrompt: true }),
  ])
    expect(loose(text)).toEqual([]);
  expect(rewriteText(log, 'strip', {})).not.toContain('Both at once.');
});

it('cuts all copies of a result', () => {
  const cut = rewriteText(log, 'truncate', { maxLength: 80, noMinimum: true });
  expect(cut).not.toMatch(/module-059|file-9/);
  expect(cut).not.toContain('partialOutput');
  expect(
    linesOf(cut).find(({ type, data }) => type === 'tool.execution_complete' && data.toolCallId === 't3').data.result
      .contents,
  ).toEqual([{ type: 'image', data: 'aGk=', mimeType: 'image/png' }]);
});

it('completes an added result event', () => {
  const added = linesOf(rewriteText(log, 'patch', {})).find(
    ({ data }) => data.toolCallId === 't7' && data.success === false,
  );
  expect(added).toMatchObject({
    type: 'tool.execution_complete',
    data: { interactionId: 'int-2', turnId: '1', error: { message: expect.stringContaining('t7') } },
    timestamp: '2026-05-26T10:00:38.123Z',
  });
});

it('cuts the message of a failed tool where it stands', () => {
  const data = (text: string) =>
    linesOf(text).find((line) => line.type === 'tool.execution_complete' && line.data.toolCallId === 't5').data;
  const before = data(log);
  const after = data(rewriteText(log, 'truncate', { maxLength: 80, noMinimum: true }));
  expect(after).toEqual({ ...before, error: { ...before.error, message: expect.any(String) } });
  expect(after.error.message.length).toBeLessThan(before.error.message.length);
});

const IMAGE = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };
const TYPES = { user: 'user.message', system: 'system.message', assistant: 'assistant.message' } as const;
const read = (type: string, data: object) =>
  format.read(parse(JSON.stringify({ type, data, id: 'e', timestamp: 't' })), false);
/** The data of an event with its parts changed. */
const written = (type: string, data: object, change: (part: Part) => readonly Part[]) => {
  const message = read(type, data);
  return JSON.parse(printed(format.write({ ...message, parts: message.parts.flatMap(change) }))).data;
};
const cut = (part: Part): readonly Part[] => {
  if (part.type === 'result')
    return [
      { ...part, content: [{ type: 'text', text: 'cut' }, ...part.content.filter(({ type }) => type !== 'text')] },
    ];
  return [part.type === 'text' || part.type === 'thinking' ? { ...part, text: 'cut' } : part];
};
const gone =
  (...types: readonly Part['type'][]) =>
  (part: Part) =>
    types.includes(part.type) ? [] : [part];

it.each<[string, string, object, (part: Part) => readonly Part[], object]>([
  ['the words as typed', TYPES.user, { content: 'a' }, cut, { content: 'cut' }],
  [
    'the words as typed and as sent',
    TYPES.user,
    { content: 'a', transformedContent: 'b' },
    cut,
    { content: 'cut', transformedContent: 'cut' },
  ],
  [
    'no words',
    TYPES.user,
    { content: 'a', transformedContent: 'b' },
    gone('text'),
    { content: '', transformedContent: '' },
  ],
  [
    'no attachment',
    TYPES.user,
    { content: 'a', attachments: [IMAGE] },
    gone('media'),
    { content: 'a', attachments: [] },
  ],
  [
    'no attachment beside what was sent',
    TYPES.user,
    { content: 'a', transformedContent: 'b', attachments: [IMAGE] },
    gone('media'),
    { content: 'a', transformedContent: 'b', attachments: [] },
  ],
  ['no words beside an attachment', TYPES.user, { attachments: [IMAGE] }, gone('text'), { attachments: [IMAGE] }],
  ['the prompt', TYPES.system, { role: 'system', content: 'a' }, cut, { role: 'system', content: 'cut' }],
  [
    'the thinking',
    TYPES.assistant,
    { content: 'a', reasoningText: 'b', reasoningOpaque: 'x', toolRequests: [] },
    cut,
    { content: 'cut', reasoningText: 'cut', reasoningOpaque: 'x', toolRequests: [] },
  ],
  [
    'no thinking',
    TYPES.assistant,
    { content: 'a', reasoningText: 'b', reasoningOpaque: 'x', encryptedContent: 'y' },
    gone('thinking'),
    { content: 'a' },
  ],
  ...[
    [{ result: 'a' }, { result: 'cut' }],
    [{ result: { content: 'a' } }, { result: { content: 'cut' } }],
    [{ result: { content: 'a', detailedContent: 'ab' } }, { result: { content: 'cut', detailedContent: 'ab' } }],
    [
      { result: { content: 'a', detailedContent: 'abcd', contents: [{ type: 'text', text: 'a' }, IMAGE] } },
      { result: { content: 'cut', detailedContent: 'cut', contents: [IMAGE] } },
    ],
    [{ error: { message: 'a', code: 'x' } }, { error: { message: 'cut', code: 'x' } }],
    [
      { result: {}, error: { message: 'a' } },
      { result: {}, error: { message: 'cut' } },
    ],
    [
      { result: { content: 'a' }, error: { message: 'b' } },
      { result: { content: 'cut' }, error: { message: 'b' } },
    ],
    [
      { result: 'a', error: { message: 'b' } },
      { result: 'cut', error: { message: 'b' } },
    ],
    [{ result: { contents: [AUDIO] } }, { result: { content: 'cut', contents: [AUDIO] } }],
    [{}, { result: { content: 'cut' } }],
  ].map(([before, after]): [string, string, object, (part: Part) => readonly Part[], object] => [
    `a result of ${JSON.stringify(before)}`,
    'tool.execution_complete',
    { toolCallId: 'c', success: true, ...before },
    cut,
    { toolCallId: 'c', success: true, ...after },
  ]),
])('writes %s', (_, type, data, change, expected) => {
  expect(written(type, data, change)).toEqual(expected);
  expect(written(type, data, (part) => [part])).toEqual(data);
});

const withInput = (part: Part): readonly Part[] => [part.type === 'call' ? { ...part, input: '{"b":2}' } : part];
const CALL = { toolCallId: 'c', name: 'f', type: 'function' };

it.each<[string, object, (part: Part) => readonly Part[], object]>([
  ['a value', { arguments: { a: 1 }, intentionSummary: 'x' }, withInput, { arguments: { b: 2 } }],
  ['a text', { arguments: '{"a":1}' }, withInput, { arguments: '{"b":2}' }],
  ['none', { intentionSummary: 'x' }, withInput, { arguments: { b: 2 } }],
  [
    'a new id',
    { arguments: {}, intentionSummary: 'x' },
    (part) => [part.type === 'call' ? { ...part, callId: 'd' } : part],
    { toolCallId: 'd', arguments: {}, intentionSummary: 'x' },
  ],
])('writes the arguments of a call that had %s', (_, before, change, after) => {
  const data = (own: object) => ({
    content: '',
    toolRequests: [
      { ...CALL, ...own },
      { ...CALL, toolCallId: 'e' },
    ],
  });
  const only = (part: Part) => (part.type === 'call' && part.callId === 'e' ? [part] : change(part));
  expect(written(TYPES.assistant, data(before), only)).toEqual(data(after));
  expect(written(TYPES.assistant, data(before), (part) => [part])).toEqual(data(before));
  expect(written(TYPES.assistant, data(before), gone('call'))).toEqual({ content: '', toolRequests: [] });
});

it('writes a result whose arguments become none, or whose image goes', () => {
  const empty = (part: Part): readonly Part[] => [part.type === 'call' ? { ...part, input: '{}' } : part];
  const request = { ...CALL, arguments: { a: 1 } };
  expect(written(TYPES.assistant, { content: 'a', toolRequests: [request] }, empty)).toEqual({
    ...{ content: 'a', toolRequests: [{ ...CALL, arguments: {} }] },
  });
  const result = (...contents: readonly object[]) => ({ toolCallId: 'c', result: { content: 'a', contents } });
  const only = (type: string) => (part: Part) => [
    part.type === 'result' ? { ...part, content: part.content.filter((one) => one.type === type) } : part,
  ];
  expect(written('tool.execution_complete', result(IMAGE), only('text'))).toEqual(result());
  const twice = (part: Part): readonly Part[] =>
    part.type === 'result' ? [{ ...part, content: [...part.content, { type: 'text', text: 'b' }] }] : [part];
  expect(written('tool.execution_complete', { result: { content: 'a' } }, twice)).toEqual({
    result: { content: 'ab' },
  });
});

it('refuses a result that is no text', () => {
  expect(() => read('tool.execution_complete', { toolCallId: 'c', result: { content: 5 } })).toThrow(
    '`data.result.content` is a number',
  );
});

/** What is new of an event of a message that was added; the rest is as in the one beside it. */
it('writes messages anew, each in an event of its kind', () => {
  const fresh = (message: Message) => JSON.parse(printed(format.write(message)));
  const image = { type: 'media' as const, kind: 'image' as const, raw: parse(JSON.stringify(IMAGE)) };
  const text = { type: 'text' as const, text: 'a' };
  const result = { type: 'result' as const, callId: 'c', tool: 'f', content: [text] };
  const done = { toolCallId: 'c', toolName: 'f' };
  const each: readonly [Message, object][] = [
    [
      { role: 'system', parts: [text] },
      { type: TYPES.system, data: { role: 'system', content: 'a' } },
    ],
    [
      { role: 'user', parts: [text, image] },
      { type: TYPES.user, data: { content: 'a', attachments: [IMAGE] } },
    ],
    [
      { role: 'assistant', model: 'm', parts: [{ type: 'thinking', text: 'b' }, text] },
      { type: TYPES.assistant, data: { content: 'a', toolRequests: [], reasoningText: 'b', model: 'm' } },
    ],
    [
      { role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 'f', input: '{"a":1}' }] },
      { type: TYPES.assistant, data: { content: '', toolRequests: [{ ...CALL, arguments: { a: 1 } }] } },
    ],
    ...(
      [
        [result, { ...done, success: true, result: { content: 'a' } }],
        [
          { ...result, content: [text, image] },
          { ...done, success: true, result: { content: 'a', contents: [IMAGE] } },
        ],
        [
          { ...result, isError: true },
          { ...done, success: false, error: { message: 'a' } },
        ],
        [
          { ...result, isError: true, content: [text, image] },
          { ...done, success: false, result: { content: 'a', contents: [IMAGE] } },
        ],
      ] as const
    ).map(([part, data]): [Message, object] => [
      { role: 'tool', parts: [part] },
      { type: 'tool.execution_complete', data },
    ]),
  ];
  for (const [message, event] of each) expect(fresh(message)).toEqual(event);
});

/** What Copilot CLI 1.0.102 said at the end: "Tokens ↑ 6.7k (3.6k cached) • ↓ 300 (120 reasoning)". */
it.each(['as it ended', 'without its end'])('counts what each request used, of a session %s', (how) => {
  const events = fixture('copilot-cli/hand-usage-records.jsonl').split('\n');
  const input = events.filter((line) => how === 'as it ended' || !line.includes('session.shutdown')).join('\n');
  const { totals } = JSON.parse(runProgram(['stats', '--recorded', '--format', 'json', '-'], { input }).stdout);
  const paid = { requests: 6, input: 6690 - 3600, cache_read: 3600, output: 300, reasoning: 120, unexplained: null };
  expect(totals).toMatchObject(paid);
  expect(openText(input).transcripts[0]!.titleIn!()).toBe('TOOLPLEASE run it');
});
