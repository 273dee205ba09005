/** Documents on one line, as most are: what is done for each value of them does not look at all of them. */
import { afterEach, expect, it, vi } from 'vitest';
import { createSecretCheck } from '../../src/engine/check/secrets.js';
import { check, run } from '../../src/index.js';
import { JsonNode } from '../../src/json/node.js';

afterEach(() => vi.restoreAllMocks());

/** How many bytes were searched for line breaks, or decoded, since it was called. */
function bytesSeen(): () => number {
  let seen = 0;
  for (const name of ['indexOf', 'includes'] as const) {
    const plain = Buffer.prototype[name] as (...words: unknown[]) => number | boolean;
    const counting = function (this: Buffer, what: unknown, from: unknown = 0, ...more: unknown[]) {
      const found = plain.call(this, what, from, ...more);
      const to = typeof found === 'number' && found >= 0 ? found + 1 : this.length;
      if (what === 0x0a) seen += to - Number(from);
      return found;
    };
    vi.spyOn(Buffer.prototype, name).mockImplementation(counting as never);
  }
  const slice = Buffer.prototype.utf8Slice;
  const decoding = function (this: Buffer, start = 0, end = this.length) {
    seen += end - start;
    return slice.call(this, start, end);
  };
  vi.spyOn(Buffer.prototype, 'utf8Slice').mockImplementation(decoding as never);
  return () => seen;
}

it('tokens of calls are counted without a search to the end of the file', () => {
  const COUNT = 300;
  const messages = Array.from({ length: COUNT }, (_, at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'a', input: { path: `f${at}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: 'x' }] },
  ]).flat();
  const text = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
  const seen = bytesSeen();
  const after = run(text, [{ transform: 'fit', maxTokens: 1000, unit: 'round' }], {
    countTokens: ({ length }) => length,
  });
  expect(after.length).toBeLessThan(text.length);
  expect(seen()).toBeLessThan(20 * text.length);
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

it('places of findings are counted once for all transcripts of a record', () => {
  const COUNT = 300;
  const runs = Array.from({ length: COUNT }, () => ({
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ],
  }));
  const text = JSON.stringify({ runs });
  const seen = bytesSeen();
  const found = check(text, { provider: 'openai-chat', asRequest: true });
  const orphans = found.filter(({ rule }) => rule === 'chat/tool-result-orphan');
  expect(orphans).toHaveLength(COUNT);
  const places = [...text.matchAll(/\{"role":"tool"/g)].map(({ index }) => ({ line: 1, column: index + 1 }));
  expect(orphans.map(({ line, column }) => ({ line, column }))).toEqual(places);
  expect(seen()).toBeLessThan(40 * text.length);
});

it('places of secrets on one line are counted once, in UTF-16 units', () => {
  const COUNT = 300;
  const letters = (at: number) => String(at).replace(/\d/g, (digit) => 'QWERTYUIOP'[Number(digit)]!);
  const key = (at: number) => `AKIA${letters(at).padStart(16, 'S7ZX5RAVTB3K6HMN')}`;
  const text = `ä\n${Array.from({ length: COUNT }, (_, at) => `😀 "${key(at)}"`).join(', ')}\n"${key(COUNT)}"`;
  const bytes = Buffer.from(text);
  const seen = bytesSeen();
  let from = 0;
  const problems = createSecretCheck([]).problemsAround((buffer, at, length) => {
    const count = bytes.copy(buffer, at, from, from + length);
    from += count;
    return count;
  });
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) =>
    [...line.matchAll(/AKIA/g)].map((match) => ({ line: index + 1, column: match.index + 1 })),
  );
  expect(problems.map(({ line, column }) => ({ line, column }))).toEqual(places);
  expect(seen()).toBeLessThan(40 * bytes.length);
});
