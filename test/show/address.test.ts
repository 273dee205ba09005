/** Addresses as other commands print them. */
import { describe, expect, it } from 'vitest';
import { type Place, placesIn } from '../../src/engine/show/address.js';

const FILES = new Set(['a.jsonl', 'b.jsonl', '22', 'odd#7', 'odd:3', 'dir/a b.json', 'C:\\a.json']);
const read = (...words: string[]): readonly Place[] => placesIn(words, (file) => FILES.has(file));
const toEnd = Number.POSITIVE_INFINITY;

describe('an address', () => {
  it.each([
    ['a.jsonl', { file: 'a.jsonl', addresses: [] }],
    ['a.jsonl#7', { file: 'a.jsonl', addresses: [{ messages: { first: 7, last: 7 } }] }],
    ['a.jsonl:3', { file: 'a.jsonl', addresses: [{ line: 3 }] }],
    ['a.jsonl:3#7', { file: 'a.jsonl', addresses: [{ line: 3, messages: { first: 7, last: 7 } }] }],
    ['a.jsonl:4:271', { file: 'a.jsonl', addresses: [{ line: 4, column: 271 }] }],
    [
      'a.jsonl:1/side-1#7',
      { file: 'a.jsonl', addresses: [{ line: 1, agent: 'side-1', messages: { first: 7, last: 7 } }] },
    ],
    ['a.jsonl:1 turn 3', { file: 'a.jsonl', addresses: [{ line: 1, turn: 3 }] }],
    ['a.jsonl#20..30', { file: 'a.jsonl', addresses: [{ messages: { first: 20, last: 30 } }] }],
    ['a.jsonl#20..', { file: 'a.jsonl', addresses: [{ messages: { first: 20, last: toEnd } }] }],
    ['dir/a b.json:2', { file: 'dir/a b.json', addresses: [{ line: 2 }] }],
    ['C:\\a.json:2#1', { file: 'C:\\a.json', addresses: [{ line: 2, messages: { first: 1, last: 1 } }] }],
    ['@last#7', { file: '@last', addresses: [{ messages: { first: 7, last: 7 } }] }],
    ['@codex:last', { file: '@codex:last', addresses: [] }],
    ['@codex:last:1#2', { file: '@codex:last', addresses: [{ line: 1, messages: { first: 2, last: 2 } }] }],
  ])('behind a file: %s', (word, place) => {
    expect(read(word)).toEqual([place]);
  });

  it.each([
    ['7', { messages: { first: 7, last: 7 } }],
    ['#7', { messages: { first: 7, last: 7 } }],
    ['20..30', { messages: { first: 20, last: 30 } }],
    ['#20..', { messages: { first: 20, last: toEnd } }],
    ['3#7', { line: 3, messages: { first: 7, last: 7 } }],
    [':3#7', { line: 3, messages: { first: 7, last: 7 } }],
    [':3', { line: 3 }],
    ['4:271', { line: 4, column: 271 }],
    [':4:271', { line: 4, column: 271 }],
    ['1/side-1', { line: 1, agent: 'side-1' }],
    ['turn 3', { turn: 3 }],
  ])('by itself: %s', (word, address) => {
    expect(read('a.jsonl', word)).toEqual([{ file: 'a.jsonl', addresses: [address] }]);
    expect(read(word)).toEqual([{ file: undefined, addresses: [address] }]);
  });

  it('may be several words, and belongs to the file before it', () => {
    expect(read('a.jsonl', '1', 'b.jsonl', '2..3', 'turn', '4', 'a.jsonl')).toEqual([
      { file: 'a.jsonl', addresses: [{ messages: { first: 1, last: 1 } }] },
      { file: 'b.jsonl', addresses: [{ messages: { first: 2, last: 3 } }, { turn: 4 }] },
      { file: 'a.jsonl', addresses: [] },
    ]);
  });

  it('is none where a file has that name, or where no file has the name before it', () => {
    expect(read('22', 'odd#7', 'odd:3#1')).toEqual([
      { file: '22', addresses: [] },
      { file: 'odd#7', addresses: [] },
      { file: 'odd:3', addresses: [{ messages: { first: 1, last: 1 } }] },
    ]);
    expect(read('gone.jsonl#7', 'gone.jsonl:3', '-')).toEqual(
      ['gone.jsonl#7', 'gone.jsonl:3', '-'].map((file) => ({ file, addresses: [] })),
    );
  });

  it.each(['a.jsonl#0-2', 'a.jsonl#5,7', 'a.jsonl#t1', 'a.jsonl#-1'])('%s is told to be no address', (word) => {
    expect(() => read(word)).toThrow(/^`#\S+` is no address of messages; write #2, #2\.\.4, 3#22 or turn 3$/);
  });

  it.each(['3..1', 'a.jsonl#7..2'])('%s ends before it begins', (word) => {
    expect(() => read(word)).toThrow(/^the range \d\.\.\d ends before it begins$/);
  });
});
