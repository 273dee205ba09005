/** Event logs of Copilot CLI beyond the laws. */
import { expect, it } from 'vitest';
import format from '../../src/formats/copilot/copilot-cli.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
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
const TYPES = { user: 'user.message', system: 'system.message', assistant: 'assistant.message' } as const;
/** The data of an event with its parts changed. */
const written = (type: string, data: object, change: (part: Part) => readonly Part[]) => {
  const message = format.read(parse(JSON.stringify({ type, data, id: 'e', timestamp: 't' })), false);
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
