/** Which histories are whole, call by call. */
import { expect, it } from 'vitest';
import { rewriteText } from '../shared/rewrite-text.js';

const user = { role: 'user', content: 'u' };
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
const patched = (...messages: readonly unknown[]) => JSON.parse(rewriteText(JSON.stringify(messages), 'patch', {}));

it('an id may come again in a later message, not in the same one', () => {
  const later = [user, calls('a'), result('a'), calls('a'), result('a')];
  expect(patched(...later)).toEqual(later);
  expect(patched(user, calls('a', 'a'), result('a'), result('a'))).toEqual([
    user,
    calls('a', 'a_2'),
    result('a'),
    result('a_2'),
  ]);
  expect(patched(user, calls('a', 'b', 'a'), result('a'), result('b'), result('a'))).toEqual([
    user,
    calls('a', 'b', 'a_2'),
    result('a'),
    result('b'),
    result('a_2'),
  ]);
});

it('ids that are empty get one, on both sides', () => {
  expect(patched(user, calls(''), result(''))).toEqual([user, calls('call_1'), result('call_1')]);
  expect(patched(user, calls('call_1', ''), result('call_1'), result(''))).toEqual([
    user,
    calls('call_1', 'call_2'),
    result('call_1'),
    result('call_2'),
  ]);
});

it('calls in two lines of one message are its calls, at the end and before it', () => {
  const line = (uuid: string, parentUuid: string | null, type: string, message: object) =>
    JSON.stringify({ type, uuid, parentUuid, sessionId: 's', timestamp: '2026-01-01T00:00:00Z', message });
  const called = (id: string) => ({
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'f', input: {} }],
  });
  const lines = [line('1', null, 'user', user), line('2', '1', 'assistant', called('a'))];
  const end = [...lines, line('3', '2', 'assistant', called('b'))];
  const text = (all: readonly string[]) => `${all.join('\n')}\n`;
  expect(rewriteText(text(end), 'patch', { pending: 'keep' })).toBe(text(end));
  const passed = [...end, line('4', '3', 'user', user)];
  expect(rewriteText(text(passed), 'patch', { pending: 'keep' }).trimEnd().split('\n')).toHaveLength(6);
  const causes = rewriteText(text(end), 'patch', { placeholder: 'auto' }).trimEnd().split('\n').slice(3);
  const [first, second] = causes.map((one) => JSON.parse(one).message.content[0].content as string);
  expect(first!.replaceAll(/\ba\b/g, 'b')).toBe(second);
});

it('an open call of an earlier message is answered, also where messages have no ids', () => {
  const open = [user, calls('a'), user, calls('b')];
  expect(JSON.parse(rewriteText(JSON.stringify(open), 'patch', { pending: 'keep' }))).toHaveLength(5);
});

it('words beside results that leave stand after the results of the calls before them', () => {
  const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
  const words = { type: 'text', text: 'y' };
  const messages = [
    { role: 'user', content: 'x' },
    use('a'),
    { role: 'user', content: [result('none'), words] },
    { role: 'user', content: [result('a')] },
  ];
  const patched = JSON.parse(rewriteText(JSON.stringify({ model: 'claude-sonnet-4-5', messages }), 'patch', {}));
  expect(patched.messages.slice(2)).toEqual([
    { role: 'user', content: [result('a')] },
    { role: 'user', content: [words] },
  ]);
});

it('what was left over and becomes a text counts as a message behind a call only where it stands behind it', () => {
  const asText = (...messages: readonly unknown[]) =>
    (
      JSON.parse(rewriteText(JSON.stringify(messages), 'patch', { orphan: 'text', pending: 'keep' })) as {
        role: string;
      }[]
    ).map(({ role }) => role);
  expect(asText(user, result('x'), user, calls('a'))).toEqual(['user', 'user', 'user', 'assistant']);
  expect(asText(user, calls('a'), result('x'))).toEqual(['user', 'assistant', 'tool', 'user']);
});
