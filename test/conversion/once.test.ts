/** What `convert` does only once, or piece by piece: counted, because time cannot be tested. */
import { expect, it, onTestFinished } from 'vitest';
import { convert, printConversion, targetNamed } from '../../src/conversion/convert.js';
import { formatNamed } from '../../src/formats/index.js';
import { print } from '../../src/json/print.js';
import { styleOf } from '../../src/json/style.js';
import { addRules } from '../../src/rules/index.js';
import type { Rule } from '../../src/rules/rule.js';
import { openText } from '../shared/opened.js';

const ask = { role: 'user', content: 'Read a.' };
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
const calling = { role: 'assistant', content: 'I do.', tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'It is b.' };

function conversionOf(messages: readonly object[]) {
  const { pieces, detection } = openText(JSON.stringify({ model: 'gpt-4o', messages }));
  return convert(pieces[0]!.transcripts[0]!, formatNamed(detection.format.id), targetNamed('anthropic'));
}

/** How often each transcript that is judged is shown to a rule that finds nothing. */
function countedRule(): { asked: number } {
  const count = { asked: 0 };
  const rule: Rule = {
    id: 'acme/counted',
    summary: 'nothing',
    severity: 'error',
    providers: ['any'],
    error: 'none',
    cause: 'none',
    reported: [],
    check: () => {
      count.asked++;
      return [];
    },
  };
  onTestFinished(addRules([rule]));
  return count;
}

it('asks each rule once where none finds anything', () => {
  const count = countedRule();
  const { repairs, faults } = conversionOf([ask, calling, result]);
  expect({ repairs, faults, ...count }).toEqual({ repairs: [], faults: [], asked: 1 });
});

it('asks again after a repair', () => {
  const count = countedRule();
  const { repairs } = conversionOf([ask, calling, ask]);
  expect(repairs.map(({ rule }) => rule)).toEqual(['anthropic/tool-use-unanswered']);
  expect(count.asked).toBeGreaterThan(1);
});

it('makes no text of a whole list', () => {
  const lengths: number[] = [];
  const sink = { slice: () => {}, text: (text: string) => lengths.push(text.length) };
  const list = Array.from({ length: 4000 }, () => ({
    role: 'user',
    content: [{ type: 'text', text: 'a'.repeat(500) }],
  }));
  print(sink, { messages: list }, () => styleOf(undefined));
  expect(lengths.reduce((sum, length) => sum + length)).toBe(JSON.stringify({ messages: list }).length);
  expect(Math.max(...lengths)).toBeLessThan(1 << 19);

  const pieces: string[] = [];
  const indented = { slice: () => {}, text: (text: string) => pieces.push(text) };
  const conversion = conversionOf(Array.from({ length: 1000 }, () => [ask, { ...calling, tool_calls: [] }]).flat());
  printConversion(indented, conversion, false);
  expect(pieces.join('')).toBe(`${JSON.stringify(JSON.parse(conversion.json.json), null, 2)}\n`);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1 << 17);
});
