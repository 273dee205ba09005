/** Event logs of Copilot CLI beyond the laws. */
import { expect, it } from 'vitest';
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
