/** What a finding says of this place and this history, where its rule alone would say something else. */
import { expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';
import { examine } from '../shared/examined.js';

const user = { role: 'user', content: 'x' };
const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] });
const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a' }] });
const body = (...messages: object[]) =>
  JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, system: 's', messages });
const UNANSWERED = 'anthropic/tool-use-unanswered';

it('names the index of the message at hand in the error', () => {
  const errors = check(body(user, use('t1'), user, use('t2'), user), { asRequest: true })
    .filter(({ rule }) => rule === UNANSWERED)
    .map(({ error }) => /^messages\.\d+/.exec(error!)?.[0]);
  expect(errors).toEqual(['messages.1', 'messages.3']);
});

it('moves a late result as a safe fix, and invents one only as a synthetic one', () => {
  const fixes = (text: string) =>
    check(text, { asRequest: true })
      .filter(({ rule }) => rule === UNANSWERED)
      .map(({ fix }) => fix);
  const late = body(user, use('t1'), { role: 'user', content: 'y' }, result('t1'), user);
  expect(fixes(late)).toEqual(['safe']);
  const mended = examine(late, 'anthropic', { asRequest: true }).mended(new Set(['safe']));
  expect(fixes(mended)).toEqual([]);
  expect(mended.match(/tool_result/g)).toHaveLength(1);
  expect(fixes(body(user, use('t1'), user))).toEqual(['synthetic']);
});
