/** pi sessions beyond the laws: recorded metadata, links and line indices, completed lines. */
import { expect, it } from 'vitest';
import target from '../../src/formats/pi/pi-new-session.js';
import pi from '../../src/formats/pi/pi-resume.js';
import { parse } from '../../src/json/node.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const v1 = fixture('pi-session/hand-v1.jsonl');
const v3 = fixture('pi-session/hand-v3.jsonl');
const real = fixture('pi-session/coding-agent.jsonl');

it('reads session, model, time, usage and cost', () => {
  const [transcript] = openText(v1).transcripts;
  expect(transcript).toMatchObject({ id: 'pi-1', model: 'claude-opus-4-5' });
  expect(transcript!.recorded!(transcript!.messages[2]!)).toEqual({
    model: 'claude-opus-4-5',
    requestId: '1769936402000 173',
    time: 1769936402000,
    usage: { ...NO_USAGE, input: 3, cacheRead: 100, cacheWrite5m: 50, output: 20 },
    cost: '0.0008775',
  });
});

it('reads the cost of a real session without rounding', () => {
  const [transcript] = openText(real).transcripts;
  expect(transcript).toMatchObject({ id: 'ffae836b-9420-4060-ac13-7745215f90ff', model: 'claude-opus-4-5' });
  const first = transcript!.messages
    .flatMap((message) => transcript!.recorded!(message) ?? [])
    .find(({ usage }) => usage !== undefined);
  expect(first).toEqual({
    model: 'claude-opus-4-5',
    requestId: '1765236088250 175004',
    time: 1765236088250,
    usage: { ...NO_USAGE, input: 1, cacheRead: 174218, cacheWrite5m: 519, output: 266 },
    cost: '0.09700774999999999',
  });
});

it('tells requests apart whose response ids repeat by chance, and knows a forked copy', () => {
  const line = (id: string, timestamp: number) =>
    JSON.stringify({
      type: 'message',
      id,
      timestamp: '2026-05-12T01:02:30.000Z',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'a' }],
        api: 'openai-completions',
        provider: 'ollama',
        model: 'qwen3-coder',
        usage: { input: 1, output: 1, totalTokens: 2 },
        stopReason: 'stop',
        timestamp,
        responseId: 'chatcmpl-137',
      },
    });
  const [one, other, copy] = recordedIn([line('a', 1), line('b', 2), line('a', 1)].join('\n'));
  expect(other!.requestId).not.toBe(one!.requestId);
  expect(copy).toEqual(one);
});

it('repairs the links of version 3', () => {
  const lines = linesOf(rewriteText(v3, 'strip', {}));
  expect(Object.fromEntries(lines.slice(1).map(({ id, parentId }) => [id, parentId]))).toEqual({
    a0000001: null,
    a0000002: 'a0000001',
    a0000006: 'a0000002',
    a0000007: 'a0000006',
    a0000008: 'a0000007',
    a0000009: 'a0000008',
    a000000a: 'a0000009',
  });
  expect(lines.filter(({ type }) => type === 'label')).toEqual([]);
});

it('moves the start of a compaction to the first kept line', () => {
  const begin = (id: string) => v3.replace('"firstKeptEntryId":"a0000008"', `"firstKeptEntryId":"${id}"`);
  const compaction = (text: string) => linesOf(text).find(({ type }) => type === 'compaction');
  expect(compaction(rewriteText(begin('a0000003'), 'strip', {})).firstKeptEntryId).toBe('a0000006');
  expect(compaction(rewriteText(begin('a0000002'), 'strip', {})).firstKeptEntryId).toBe('a0000002');
});

it('completes added lines', () => {
  const lines = linesOf(rewriteText(v3, 'patch', {}));
  const answer = lines.find(({ message }) => message?.toolCallId === 'toolu_3');
  expect(answer).toEqual({
    type: 'message',
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    parentId: 'a0000005',
    timestamp: '2026-01-05T10:00:04.000Z',
    message: {
      role: 'toolResult',
      toolCallId: 'toolu_3',
      toolName: 'bash',
      content: [{ type: 'text', text: expect.any(String) }],
      isError: true,
      timestamp: 1767607204000,
    },
  });
  expect(lines.find(({ id }) => id === 'a0000006').parentId).toBe(answer.id);
  const told = linesOf(rewriteText(v3, 'strip', { keepToolNames: true })).find(({ message }) =>
    message?.content?.[0]?.text?.startsWith('Tools used'),
  );
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  expect(told.message).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: expect.any(String) }],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: 'stop',
    timestamp: expect.any(Number),
  });
});

it('updates line indices of version 1, and adds no ids', () => {
  const compaction = (text: string) => linesOf(text).find(({ type }) => type === 'compaction').firstKeptEntryIndex;
  expect(compaction(rewriteText(v1, 'filter', { maxToolCalls: 0 }))).toBe(3);
  const patched = linesOf(rewriteText(v1, 'patch', {}));
  expect(patched).toHaveLength(10);
  expect(patched.slice(1).filter(({ id, parentId }) => id !== undefined || parentId !== undefined)).toEqual([]);
  expect(compaction(rewriteText(v1, 'patch', {}))).toBe(5);
});

it('reads the messages of the context event as pi sends them', () => {
  const { messages } = openText(fixture('pi-session/hand-context.json')).transcripts[0]!;
  expect(messages.map(({ role, parts }) => `${role} ${parts.map(({ type }) => type).join(' ')}`)).toEqual([
    'user text',
    'user text',
    'user text',
    'assistant thinking text call call',
    'tool result',
    'tool result',
    'user text text',
    'meta ', // its output is for the user alone
    'user text',
    'assistant call',
    'tool result',
    'meta ', // aborted: a result of its call would answer no call
    'user text',
    'assistant call',
  ]);
  expect(messages.map(({ parts: [first] }) => first?.type === 'text' && textOf(first.text)).slice(0, 2)).toEqual([
    'The user wants tests for src. Three files were read.',
    'Another branch tried vitest.',
  ]);
});

it('reads the lines that pi sends beside its messages, and writes them', () => {
  const extension = fixture('pi-session/hand-extension.jsonl');
  const said = openText(extension).transcripts[0]!.messages.flatMap(({ role, parts: [first] }) =>
    role === 'user' && first?.type === 'text' ? textOf(first.text) : [],
  );
  expect(said).toEqual([
    'Which plan do we follow?',
    'The plan is in PLAN.md: first the tests, then the code.',
    'The user asked for the plan, which is in PLAN.md.',
    'The screen as it is now:',
    'Run the tests.',
    'The plan is in PLAN.md. All 12 tests pass.',
    'Go on.',
  ]);
  const renamed = mapText(extension, (transcript) =>
    mapMessages(transcript, (message) =>
      mapParts(message, (part) =>
        part.type === 'text' ? { ...part, text: textOf(part.text).replaceAll('PLAN', 'TODO') } : part,
      ),
    ),
  );
  expect(renamed).toBe(extension.toString().replaceAll('PLAN', 'TODO'));
});

it('converts the last summary and what it kept, without earlier summaries', () => {
  const { messages } = openText(fixture('pi-session/hand-extension.jsonl')).transcripts[0]!;
  const texts = target
    .sent(messages)
    .flatMap(({ parts }) => parts.flatMap((p) => (p.type === 'text' ? textOf(p.text) : [])));
  expect(texts).toEqual([
    '[Summary of what was said before]\nThe plan is in PLAN.md. All 12 tests pass.',
    'We follow PLAN.md.',
    'The screen as it is now:',
    'Run the tests.',
    'All tests pass.',
    'Go on.',
  ]);
});

it.each([
  ['/s/2026_0199c3a6-1111-7222-8333-444455556666.jsonl', /^0199c3a6-1111-7222-8333-444455556666$/],
  ['/s/notes.jsonl', /./],
])('%s: a file without its header gets one with an id', (name, id) => {
  const bytes = Buffer.from('{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi"}}');
  const [fault] = pi.load([{ at: 1, bytes, lineBreak: '\n', node: parse(bytes) }], name).faults;
  const [header] = [...fault!.mend!.values()][0]!;
  expect(JSON.parse(header!.bytes.toString())).toMatchObject({ type: 'session', id: expect.stringMatching(id) });
});
