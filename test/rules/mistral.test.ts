/** Mistral's rules, beyond their examples. */
import { expect, it } from 'vitest';
import { type Examined, examine } from '../shared/examined.js';

const user = (content: string) => ({ role: 'user', content });
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } })),
});
const tool = (tool_call_id: string, content = 'a') => ({ role: 'tool', tool_call_id, content });
const [A, B] = ['aaaaaaaa1', 'aaaaaaaa2'] as const;

function look(messages: readonly unknown[], asRequest = false, from = 'openai-chat'): Examined {
  return examine(JSON.stringify({ messages }), 'mistral', { asRequest, from });
}
const idsOf = ({ ids }: Examined) => [...ids];
const mended = (examined: Examined): unknown[] => (JSON.parse(examined.mended()) as { messages: unknown[] }).messages;

it('leaves calls that a recording ends with to whoever goes on', () => {
  expect(idsOf(look([user('x'), calling(A, B)]))).toEqual([]);
  expect(idsOf(look([user('x'), calling(A, B)], true))).toEqual([
    'mistral/call-response-count',
    'mistral/call-response-count',
  ]);
  expect(mended(look([user('x'), calling(A, B)], true))).toHaveLength(4);
});

it('minds a call that is left when the other call of its message has a result, in pieces too', () => {
  const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'ls', arguments: '{}' });
  const left = (...results: object[]) => {
    const input = [user('x'), call(A), call(B), ...results];
    return examine(JSON.stringify({ input }), 'mistral', { from: 'openai-responses' }).findings;
  };
  expect(left()).toEqual([]);
  expect(left({ type: 'function_call_output', call_id: A, output: 'a' }).map(({ callId }) => callId)).toEqual([B]);
});

it('keeps one result of each call, among those of its message', () => {
  const found = look([user('x'), calling(A), tool(A), tool(A, 'again'), tool(B, 'whose?')]);
  expect(idsOf(found)).toEqual(['mistral/call-response-count', 'mistral/call-response-count']);
  expect(found.findings.map(({ callId }) => callId)).toEqual([A, B]);
  expect(mended(found)).toEqual([user('x'), calling(A), tool(A)]);
});

it('mends the middle of a recording and leaves the calls at its end as they are', () => {
  const ended = [tool(A, 'again'), { role: 'assistant', content: 'Next.' }, user('y'), calling(B)];
  const found = look([user('x'), calling(A), tool(A), ...ended]);
  expect(mended(found)).toEqual([user('x'), calling(A), tool(A), ...ended.slice(1)]);
  expect(mended(look([user('x'), calling(A), tool(A), ...ended], true))).toHaveLength(7);
});

it('drops results behind a message that calls nothing or none at all, and moves those of another call', () => {
  expect(mended(look([user('x'), tool(A), tool(B), user('y')]))).toEqual([user('x'), user('y')]);
  const [first] = look([tool(A), user('x')]).findings;
  expect(first).toMatchObject({ message: 0, text: expect.stringMatching(/ comes before the first message$/) });
  expect(mended(look([user('x'), calling(A), user('y'), tool(A)]))).toEqual([
    user('x'),
    calling(A),
    tool(A),
    { role: 'assistant', content: '.' },
    user('y'),
  ]);
});

it('renames ids on both sides, each to another, and none that fits', () => {
  const messages = mended(
    look([user('x'), calling('call_1', A, 'call_nine'), tool('call_nine', 'of 9'), tool(A), tool('call_1', 'of 1')]),
  ) as { tool_call_id?: string; tool_calls?: { id: string }[] }[];
  const [first, second, third] = messages[1]!.tool_calls!.map(({ id }) => id);
  expect(messages.slice(2).map((message) => message.tool_call_id)).toEqual([third, second, first]);
  expect(second).toBe(A);
  expect(new Set([first, second, third]).size).toBe(3);
  for (const id of [first, third]) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  const { findings } = look([user('x'), calling(''), tool('')]);
  expect(findings.find(({ rule }) => rule.id === 'mistral/tool-call-id-format')!.text).toMatch(/ is empty$/);
});

it('does not mind an answer that is to be gone on with', () => {
  expect(idsOf(look([user('x'), { role: 'assistant', content: '{', prefix: true }], true))).toEqual([]);
});

it('takes a thought alone for nothing said, but for a piece of a message in another format', () => {
  expect(idsOf(look([user('x'), { role: 'assistant', content: '', reasoning_content: 'hm' }, user('y')]))).toEqual([
    'mistral/assistant-empty',
  ]);
  const piece = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] };
  expect(idsOf(look([user('x'), piece, user('y')], false, 'anthropic-messages'))).toEqual([]);
});

it('parts what the user says from results in one message of another format', () => {
  const results = { type: 'tool_result', tool_use_id: A, content: 'a' };
  const said = { type: 'text', text: 'and then?' };
  const called = { role: 'assistant', content: [{ type: 'tool_use', id: A, name: 'ls', input: {} }] };
  const found = look([user('x'), called, { role: 'user', content: [results, said] }], false, 'anthropic-messages');
  expect(idsOf(found)).toEqual(['mistral/user-after-tool']);
  expect(mended(found)).toEqual([
    user('x'),
    called,
    { role: 'user', content: [results] },
    { role: 'assistant', content: '.' },
    user('and then?'),
  ]);
  const beside = (block: object) =>
    idsOf(look([user('x'), called, { role: 'user', content: [results, block] }], false, 'anthropic-messages'));
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  expect(beside({ type: 'image', source })).toEqual(['mistral/user-after-tool']);
  expect(beside({ type: 'text', text: '' })).toEqual([]);
});

it('sees the user behind results across a line that is no message', () => {
  const line = (type: string, message: object) => ({
    type,
    uuid: type,
    sessionId: 's',
    timestamp: '2026-01-01',
    message,
  });
  const log = [
    line('user', user('x')),
    line('assistant', { role: 'assistant', content: [{ type: 'tool_use', id: A, name: 'ls', input: {} }] }),
    line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: A, content: 'a' }] }),
    { type: 'summary', summary: 's', leafUuid: 'user' },
    line('user', user('y')),
  ];
  const text = log.map((one) => JSON.stringify(one)).join('\n');
  const { findings } = examine(text, 'mistral', {
    from: 'claude-code',
    only: ({ id }) => id === 'mistral/user-after-tool',
  });
  expect(findings.map(({ message }) => message)).toEqual([4]);
});

it.each([
  ['', false],
  [' \n', false],
  ['I look.', true],
  [[], false],
  [[{ type: 'text', text: 'I look.' }], true],
])('minds what Devstral says beside a call: %j %s', (content, does) => {
  const messages = [user('x'), { ...calling(A), content }, tool(A)];
  const { ids } = examine(JSON.stringify({ model: 'devstral-small-2507', messages }), 'mistral', {
    ...{ asRequest: true, from: 'openai-chat' },
    only: ({ id }) => id === 'mistral/content-and-calls',
  });
  expect(ids).toEqual(does ? ['mistral/content-and-calls'] : []);
});

it.each([
  ['data:application/pdf;base64,JVBERi0=', true],
  [null, false],
])('writes a file as a document only where its data is a text: %j', (file_data, isFixable) => {
  const content = [{ type: 'file', file: { filename: 'a.pdf', file_data } }];
  const { findings } = look([{ role: 'user', content }]);
  expect(findings.map(({ rule, isFixable: does }) => [rule.id, does])).toEqual([['mistral/schema', isFixable]]);
});
