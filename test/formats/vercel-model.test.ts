/** Model messages beyond the laws: members beside them, approvals, and the spelling of version 4. */
import { describe, expect, it } from 'vitest';
import { approvalsIn } from '../../src/formats/shared/approvals.js';
import format from '../../src/formats/vercel/vercel-model.js';
import { parse } from '../../src/json/node.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';
import { saidIn } from '../shared/unread.js';

const parallel = fixture('vercel-model/hand-parallel.json');
const v4 = fixture('vercel-model/hand-v4.jsonl');

it('reads the members beside the messages', () => {
  const [{ model, reply, messages }] = openText(parallel).transcripts as [
    ReturnType<typeof openText>['transcripts'][number],
  ];
  expect(model).toBe('anthropic/claude-sonnet-4.5');
  const usage = { input: 300, cacheRead: 600, cacheWrite5m: 0, cacheWrite1h: 0, output: 40, reasoning: 12 };
  expect(reply).toEqual({
    usage,
    responseId: 'msg_1',
    model: 'claude-sonnet-4-5-20250929',
    time: Date.UTC(2025, 11, 1, 8),
  });
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'meta',
    'tool',
    'assistant',
  ]);
});

it('leaves calls that the provider ran, and their results', () => {
  const output = rewriteText(parallel, 'filter', { maxToolCalls: 0, everything: true });
  expect(output.match(/"srv_1"/g)).toHaveLength(2);
  expect(output).not.toContain('call_');
});

it('drops approval requests with their calls, and the responses with the requests', () => {
  const one = rewriteText(parallel, 'filter', { maxToolCalls: 1, everything: true });
  expect(one).not.toContain('ap_1');
  expect(one.match(/"ap_2"/g)).toHaveLength(2);
  expect(rewriteText(parallel, 'filter', { maxToolCalls: 0, everything: true })).not.toContain('ap_');
});

it('renames an approval request with its call', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 't', input: {} };
  const request = (approvalId: string) => ({ type: 'tool-approval-request', approvalId, toolCallId: 'a' });
  const patched = JSON.parse(
    rewriteText(
      JSON.stringify([{ role: 'assistant', content: [call, request('p'), call, request('q')] }]),
      'patch',
      {},
    ),
  ) as { content: { toolCallId: string }[] }[];
  expect(patched[0]!.content.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'a', 'a_2', 'a_2']);
});

it('takes no request for an approval that has no id', () => {
  const approvals = (more: object) => {
    const request = { type: 'tool-approval-request', toolCallId: 'a', ...more };
    const response = { type: 'tool-approval-response', approved: true, ...more };
    const raw = parse(JSON.stringify({ role: 'assistant', content: [request, response] }));
    return approvalsIn([{ role: 'assistant', parts: [], raw }]);
  };
  expect(approvals({ approvalId: 'p' })).toMatchObject([{ callId: 'a', response: expect.anything() }]);
  expect(approvals({})).toEqual([]);
});

describe('version 4', () => {
  it('gets placeholders in its own spelling', () => {
    const lines = rewriteText(v4, 'patch', {}).trim().split('\n');
    const results = lines.flatMap((line) =>
      (JSON.parse(line) as { messages: { role: string; content: object[] }[] }).messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content.at(-1)),
    );
    const result = expect.stringContaining('was cancelled') as string;
    expect(results).toEqual([
      { type: 'tool-result', toolCallId: 't3', toolName: 'ls', result, isError: true },
      { type: 'tool-result', toolCallId: 't1', toolName: 'ls', result, isError: true },
    ]);
  });

  it('cuts both copies of a result', () => {
    const [line] = rewriteText(v4, 'truncate', { maxLength: 60, noMinimum: true }).split('\n');
    const { messages } = JSON.parse(line!) as {
      messages: { content: { result: unknown[]; experimental_content: unknown[] }[] }[];
    };
    const { result, experimental_content: repeated } = messages[2]!.content[1]!;
    expect(repeated).toEqual(result);
    expect(JSON.stringify(repeated)).toContain('truncated');
  });
});

it('leaves chats without its own parts to OpenAI', () => {
  const told = (content: unknown) =>
    openText(
      JSON.stringify([
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
      ]),
    ).detection.format.id;
  expect(told('hello')).toBe('openai-chat');
  expect(told([{ type: 'text', text: 'hello' }])).toBe('openai-chat');
  expect(told([{ type: 'tool-call', toolCallId: '1', toolName: 't', input: {} }])).toBe('vercel-model');
});

it.each([
  ['Hm.', 0.9],
  [1, -1],
])('knows reasoning by its text: %j', (text, score) => {
  expect(format.score(parse(JSON.stringify({ role: 'assistant', content: [{ type: 'reasoning', text }] })))).toBe(
    score,
  );
});

it('reads the blocks of an MCP result that has metadata', () => {
  const value = { content: [{ type: 'text', text: 'hello' }], _meta: { took: 5 } };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'json', value } };
  const text = JSON.stringify([
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input: {} }] },
    { role: 'tool', content: [result] },
  ]);
  expect(saidIn(openText(text).transcripts[0]!).at(-1)).toBe('tool result a hello');
});
