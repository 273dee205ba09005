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
