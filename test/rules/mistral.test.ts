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

it('keeps one result of each call, among those of its message', () => {
  const found = look([user('x'), calling(A), tool(A), tool(A, 'again'), tool(B, 'whose?')]);
  expect(idsOf(found)).toEqual(['mistral/call-response-count', 'mistral/call-response-count']);
  expect(mended(found)).toEqual([user('x'), calling(A), tool(A)]);
});

it('drops results behind a message that calls nothing, and moves those of another call', () => {
  expect(mended(look([user('x'), tool(A), tool(B), user('y')]))).toEqual([user('x'), user('y')]);
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
    look([user('x'), calling('call_1', A, 'call_2'), tool('call_2', 'of 2'), tool(A), tool('call_1', 'of 1')]),
  ) as { tool_call_id?: string; tool_calls?: { id: string }[] }[];
  const [first, second, third] = messages[1]!.tool_calls!.map(({ id }) => id);
  expect(messages.slice(2).map((message) => message.tool_call_id)).toEqual([third, second, first]);
  expect(second).toBe(A);
  expect(new Set([first, second, third]).size).toBe(3);
  for (const id of [first, third]) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
});

it('does not mind an answer that is to be gone on with', () => {
  expect(idsOf(look([user('x'), { role: 'assistant', content: '{', prefix: true }], true))).toEqual([]);
});

it('takes a thought alone for nothing said', () => {
  expect(idsOf(look([user('x'), { role: 'assistant', content: '', reasoning_content: 'hm' }, user('y')]))).toEqual([
    'mistral/assistant-empty',
  ]);
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
});
