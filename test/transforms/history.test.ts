/** `--scope history`: the current run, all after the last user message, stays as it is. */
import { expect, it } from 'vitest';
import { rewriteText } from '../shared/rewrite-text.js';

const call = (id: string, name = 'f') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: id });
const user = (content: string) => ({ role: 'user', content });
const filtered = (messages: readonly unknown[], options: object) =>
  JSON.parse(rewriteText(JSON.stringify(messages), 'filter', { maxToolCalls: 0, ...options }));

const OLD = [user('1'), call('a'), result('a')];
const CURRENT = [user('2'), call('b'), result('b'), result('orphan')];

it('keeps the calls and the results of the current run, those without a call too', () => {
  expect(filtered([...OLD, ...CURRENT], { scope: 'history' })).toEqual([user('1'), ...CURRENT]);
  expect(filtered([...OLD, ...CURRENT], {})).toEqual([user('1'), user('2')]);
});

it('drops a result without a call up to the last message of the history', () => {
  expect(filtered([...OLD, result('orphan'), ...CURRENT], { scope: 'history' })).toEqual([user('1'), ...CURRENT]);
});

it('keeps an open call of the current run', () => {
  const current = [user('2'), call('b')];
  expect(filtered([...OLD, ...current], { scope: 'history', pending: 'drop' })).toEqual([user('1'), ...current]);
  expect(filtered([...OLD, ...current], { pending: 'drop' })).toEqual([user('1'), user('2')]);
});

it('keeps a call whose result came in the current run', () => {
  const straddling = [user('1'), call('a'), call('b'), result('a'), user('2'), result('b')];
  expect(filtered(straddling, { scope: 'history' })).toEqual([user('1'), call('b'), user('2'), result('b')]);
});

it('is all of a history without a user message', () => {
  const alone = [call('a'), result('a'), call('b'), result('b')];
  expect(filtered(alone, { scope: 'history' })).toEqual(alone);
});

it('a request to Claude that then ends with its words goes on with the user, where the API takes no such end', () => {
  const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const said = [{ type: 'text', text: 'y' }];
  const thought = [{ type: 'thinking', thinking: 't', signature: 's' }, ...said];
  const result = [{ type: 'tool_result', tool_use_id: 'a', content: 'z' }];
  const last = (model: string, content: readonly object[]) => {
    const messages = [user('x'), { role: 'assistant', content: [...content, use] }, { role: 'user', content: result }];
    return JSON.parse(rewriteText(JSON.stringify({ model, messages }), 'filter', { maxToolCalls: 0 })).messages.at(-1);
  };
  expect(last('claude-opus-4-6', said)).toMatchObject({ role: 'user' });
  expect(last('claude-sonnet-4-5', thought)).toMatchObject({ role: 'user' });
  expect(last('claude-sonnet-4-5', said)).toEqual({ role: 'assistant', content: said });
});
