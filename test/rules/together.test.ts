/** All rules at once: each fault is reported once, and one pass of fixes makes every fix that `check` offers. */
import { describe, expect, it } from 'vitest';
import { providers } from '../../src/rules/providers.js';
import { ALL } from '../shared/effort.js';
import { checked, examine } from '../shared/examined.js';
import { fixtures, sampled } from '../shared/recordings.js';

it.each(sampled(fixtures(), 'together').map((recording, index) => [recording.name, recording, index] as const))(
  '%s needs fixing only once',
  (_, { bytes, format }, index) => {
    const text = bytes.toString();
    for (const { id } of providers.filter((_one, at) => ALL || at % 3 === index % 3)) {
      for (const asRequest of [false, true]) {
        const options = { from: format!, asRequest };
        const first = examine(text, id, options);
        const once = first.mended();
        const again = once === text ? first : examine(once, id, options);
        if (once !== text) expect(again.mended(), id).toBe(once);
        const promised = again.findings.filter(({ isFixable, isNote }) => isFixable && isNote !== true);
        expect([id, promised.map(({ rule, text: what }) => `${rule.id}: ${what}`)]).toEqual([id, []]);
      }
    }
  },
);

describe('one fault is reported once', () => {
  const user = (content: unknown) => ({ role: 'user', content });
  const call = (id: string) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
  });
  const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'a' });
  const idsOf = (history: unknown, provider: string, options = {}) =>
    examine(JSON.stringify(history), provider, options).ids;

  it('where a result has an id that no call has', () => {
    expect(idsOf([user('x'), call('c1'), result('c1'), result('c9')], 'minimax')).toEqual([
      'minimax/tool-result-id-not-found',
    ]);
    expect(idsOf([user('x'), call('c1'), result('c1'), result('c1')], 'minimax')).toEqual(['chat/tool-result-orphan']);
  });

  it('where a message without content stands in a row', () => {
    expect(
      idsOf([user('x'), { role: 'assistant', content: null }, { role: 'assistant', content: 'y' }, user('z')], 'xai'),
    ).toEqual(['chat/content-null']);
    const contents = [
      { role: 'user', content: [{ text: 'x' }] },
      { role: 'user', content: [] },
    ];
    expect(idsOf({ messages: contents }, 'bedrock')).toEqual(['bedrock/empty-content']);
  });

  it('where the input of a call is null', () => {
    const tools = [{ name: 'ls', input_schema: { type: 'object' } }];
    const messages = [
      user('x'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ls', input: null }] },
      user([{ type: 'tool_result', tool_use_id: 't1', content: 'a' }]),
    ];
    expect(idsOf({ tools, messages }, 'anthropic')).toEqual(['anthropic/tool-input-not-object']);
  });

  it('but not where another fault stands in the same message', () => {
    expect(idsOf([user('x'), call('c 1'), user('y')], 'mistral')).toEqual([
      'mistral/call-response-count',
      'mistral/tool-call-id-format',
    ]);
  });
});

describe('the fields that an agent adds', () => {
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [{ type: 'text', text: 'y', mine: 1 }] },
  ];

  it('are a fault in requests only', () => {
    expect(checked({ messages }, 'anthropic', 'anthropic/extra-fields').findings).toHaveLength(1);
    const text = messages
      .map((message, index) => JSON.stringify({ type: message.role, uuid: String(index), sessionId: 's', message }))
      .join('\n');
    const only = ({ id }: { id: string }) => id === 'anthropic/extra-fields';
    expect(examine(text, 'anthropic', { from: 'claude-code', only }).ids).toEqual([]);
    expect(examine(text, 'anthropic', { from: 'claude-code', only, asRequest: true }).ids).toEqual([
      'anthropic/extra-fields',
    ]);
  });
});

it('offers no fix that a recording of single parts cannot hold', () => {
  const part = { id: 'p1', sessionID: 's', messageID: 'm', type: 'tool', callID: 'c1', tool: 'ls' };
  const state = { status: 'completed', input: {}, output: 'a', time: { start: 1, end: 2 } };
  const log = `${JSON.stringify({ ...part, state })}\n`;
  const { findings, mended } = examine(log, 'anthropic', { from: 'opencode' });
  expect(findings.map(({ rule, isFixable }) => [rule.id, isFixable])).toEqual([
    ['anthropic/first-message-user', false],
  ]);
  expect(mended()).toBe(log);
});
