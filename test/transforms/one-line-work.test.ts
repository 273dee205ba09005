/** Documents on one line, as most are: what is done for each value of them does not look at all of them. */
import { afterEach, expect, it, vi } from 'vitest';
import { run } from '../../src/index.js';
import { JsonNode } from '../../src/json/node.js';

afterEach(() => vi.restoreAllMocks());

it('tokens of calls are counted without a search to the end of the file', () => {
  const COUNT = 300;
  const messages = Array.from({ length: COUNT }, (_, at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'a', input: { path: `f${at}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' }] },
  ]).flat();
  const text = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
  let searched = 0;
  for (const name of ['indexOf', 'includes'] as const) {
    const plain = Buffer.prototype[name] as (...words: unknown[]) => number | boolean;
    const counting = function (this: Buffer, what: unknown, from: unknown = 0, ...more: unknown[]) {
      if (what === 0x0a) searched += this.length - Number(from);
      return plain.call(this, what, from, ...more);
    };
    vi.spyOn(Buffer.prototype, name).mockImplementation(counting as never);
  }
  const after = run(text, [{ transform: 'fit', maxTokens: 1000, unit: 'round' }], {
    countTokens: ({ length }) => length,
  });
  expect(after.length).toBeLessThan(text.length);
  expect(searched).toBeLessThan(20 * text.length);
});

it('transcripts of one record are saved without a comparison of each change with every other', () => {
  const COUNT = 300;
  const runs = Array.from({ length: COUNT }, () => ({
    messages: [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ],
  }));
  const compared = vi.spyOn(JsonNode.prototype, 'is');
  const text = run(JSON.stringify({ runs }), [{ transform: 'strip' }]);
  expect(text).not.toContain('tool_calls');
  expect(compared.mock.calls.length).toBeLessThan(20 * COUNT);
});
