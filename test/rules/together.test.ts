/** All rules at once: one fault is told once, and mending comes to an end. */
import { describe, expect, it } from 'vitest';
import { providers } from '../../src/rules/providers.js';
import { checked, examine } from '../shared/examined.js';
import { fixtures } from '../shared/recordings.js';

/** Their remedies do not yet reach every fault in formats that are not the provider's own, and promise it all the same. */
const PARTLY = new Set([
  'anthropic/first-message-user',
  'chat/function-name-pattern',
  'core/roles-alternate',
  'gemini/function-call-turn-order',
]);

it.each(fixtures().map((recording) => [recording.name, recording] as const))(
  '%s needs mending only once',
  (_, { bytes, format }) => {
    const text = bytes.toString();
    for (const { id } of providers) {
      for (const asRequest of [false, true]) {
        const options = { from: format!, asRequest };
        const once = examine(text, id, options).mended();
        const again = examine(once, id, options);
        if (once !== text) expect(again.mended(), id).toBe(once);
        const promised = again.findings.filter(
          ({ rule, isFixable, isNote }) => isFixable && isNote !== true && !PARTLY.has(rule.id),
        );
        expect([id, promised.map(({ rule, text: what }) => `${rule.id}: ${what}`)]).toEqual([id, []]);
      }
    }
  },
);

describe('one fault is told once', () => {
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
