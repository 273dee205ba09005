/** `strip-noise`, judged by what prints numbers and by what Node takes for escape sequences. */
import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutBase64, withoutEscapes, withoutGutters, withoutProgress } from '../../src/transforms/noise.js';
import { runs } from '../shared/random-runs.js';
import { rewriteText } from '../shared/rewrite-text.js';

const word = fc.constantFrom('a', 'line 7', '', '\t', '12', '3→', '{"output":"x"}', 'é', '[0m', '%');
const sequence = fc.constantFrom(
  '\x1b[0m',
  '\x1b[1;31m',
  '\x1b[2K',
  '\x1b]8;;http://a\x07',
  '\x1b]0;t\x1b\\',
  '\x1b[?25l',
);

it('takes what Node takes for an escape sequence, and nothing else', () => {
  const text = fc
    .array(fc.oneof(word, sequence, fc.constantFrom('\n', ' ')), { maxLength: 12 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, (one) => {
      expect(withoutEscapes(one)).toBe(stripVTControlCharacters(one));
    }),
    runs(1 / 10),
  );
});

it.each([
  ['cat', '-n'],
  ['nl', '-ba'],
])('gives back what %s %s numbered', (program, flag) => {
  const lines = Array.from({ length: 120 }, (_, at) => ['x', '\tx', '', '7\tx'][at % 4]);
  const text = `${lines.join('\n')}\n`;
  const { stdout } = spawnSync(program, [flag], { input: text, encoding: 'utf8' });
  expect(stdout).toContain('     1\tx\n');
  expect(withoutGutters(stdout, false)).toBe(text);
});

it('shows of a progress bar what a terminal shows at last', () => {
  expect(withoutProgress('a\r\n 1%\r 50%\r100%\nb\r')).toBe('a\r\n100%\nb\r');
});

it('tells base64 from long words and numbers', () => {
  const data = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37) % 256)).toString('base64');
  expect(withoutBase64(`(${data})`)).toBe(`([base64: ${data.length} characters])`);
  for (const text of ['a'.repeat(400), '0'.repeat(400), 'ab1'.repeat(99), data.slice(0, 150)])
    expect(withoutBase64(text)).toBe(text);
});

it('makes nothing longer, and takes nothing more the second time', () => {
  const numbered = fc.nat(2).map((mark) => [1, 2, 3].map((at) => `${at}${['→', '\t', ': '][mark]}`).join('x\n'));
  const piece = fc.oneof(
    word,
    sequence,
    numbered,
    fc.constantFrom('\n', '\r', '\x1b', '     1\tx\n     2\ty\n     3\t', 'aB3'.repeat(80)),
  );
  const text = fc.array(piece, { maxLength: 9 }).map((all) => all.join(''));
  const wrapped = fc
    .tuple(text, fc.nat(3))
    .map(([one, depth]) =>
      Array.from({ length: depth }).reduce<string>(
        (inner) => JSON.stringify({ output: inner, metadata: { exit_code: 0 } }),
        one,
      ),
    );
  const chat = (content: string) =>
    JSON.stringify([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [callOf('Read')] },
      { role: 'tool', tool_call_id: '1', content },
    ]);
  const resultOf = (all: string) => (JSON.parse(all) as { content: string }[])[2]!.content;
  fc.assert(
    fc.property(wrapped, (one) => {
      const once = resultOf(rewriteText(chat(one), 'strip-noise', {}));
      expect(once.length).toBeLessThanOrEqual(one.length);
      expect(resultOf(rewriteText(chat(once), 'strip-noise', {}))).toBe(once);
    }),
    runs(1 / 10),
  );
});

function callOf(name: string) {
  return { id: '1', type: 'function', function: { name, arguments: '{}' } };
}
