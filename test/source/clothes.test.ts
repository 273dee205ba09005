/**
 * The same recordings in other clothes: JSON says the same with other white space, line ends and escapes (RFC 8259), so
 * the same is read. And where an error is, in lines and columns that were counted by hand.
 */
import { describe, expect, it } from 'vitest';
import type { TranscriptError } from '../../src/errors.js';
import { JsonNode, parse } from '../../src/json/node.js';
import { createScan, Tape } from '../../src/json/scan.js';
import { parseMessagePath, sitesAt } from '../../src/source/message-paths.js';
import { positionOf, positionsIn } from '../../src/source/position.js';
import { factsOf, plain } from '../shared/facts.js';
import { openText } from '../shared/opened.js';
import { fixtures } from '../shared/recordings.js';

const LARGEST = 3000;
const MARK = '\ufeff';
const small = fixtures().filter(({ bytes }) => bytes.length <= LARGEST && !bytes.toString().startsWith(MARK));

const factsIn = (text: string) => {
  try {
    const { detection, transcripts } = openText(text);
    const facts = JSON.stringify([detection.format.id, transcripts.map(factsOf)], plain);
    return JSON.parse(facts, (_, value) => (typeof value === 'string' ? compact(value) : value)) as unknown;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Arguments and tools are copied with their white space. */
function compact(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Each key and string of letters with its first letter as `\u0061`, outside of what holds JSON itself. */
const escaped = (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replace(/^"([a-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  );
const spaced = (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|[,:{}[\]]/g, (token) => (token.length > 1 ? token : `\t${token} `));

const CLOTHES: Readonly<Record<string, (text: string) => string>> = {
  'a byte order mark': (text) => `${MARK}${text}`,
  'white space between all tokens': spaced,
  'line ends of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'lines without anything': (text) => `\n \n${text.replaceAll('\n', '\n\n')}`,
};

const ids = [...new Set(small.map(({ format }) => format))];

it.each(ids)('%s reads the same in all clothes', (id) => {
  for (const { name, bytes } of small.filter(({ format }) => format === id)) {
    const text = bytes.toString();
    const before = factsIn(text);
    for (const [what, put] of Object.entries(CLOTHES))
      expect(factsIn(put(text)), `${name} with ${what}`).toEqual(before);
  }
});

it('escapes in keys and texts change nothing but the bytes of what is quoted', () => {
  const said = (text: string) =>
    openText(text).transcripts.map(({ format, model, messages }) => ({
      ...{ format, model },
      messages: messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)]),
    }));
  for (const { name, bytes } of small) expect(said(escaped(bytes.toString())), name).toEqual(said(bytes.toString()));
});

describe('places', () => {
  it('count lines from 1, and columns in UTF-16 units from 1', () => {
    const root = parse('{"é😀": [1,\r\n  {"a": true}],\n\n"b":"x"}');
    const place = (node = root) => positionOf(node, { line: 3, columnsBefore: 10 });
    expect(place()).toEqual({ line: 3, column: 11 });
    expect(place(root.get('é😀'))).toEqual({ line: 3, column: 19 });
    expect(place(root.get('é😀')!.items()[1])).toEqual({ line: 4, column: 3 });
    expect(place(root.get('é😀')!.items()[1]!.get('a'))).toEqual({ line: 4, column: 9 });
    expect(place(root.get('b'))).toEqual({ line: 6, column: 5 });
  });

  it('are found in any order, and only of what was read', () => {
    const [one, other] = [parse('[1,\n2,\n3]'), parse('  {"a":\n[4]}')];
    const find = positionsIn([
      { root: one, line: 1, columnsBefore: 0 },
      { root: other, line: 7, columnsBefore: 5 },
    ]);
    const [first, second, third] = one.items();
    expect([third, first, second, third].map((node) => find(node!))).toEqual([
      { line: 3, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
    ]);
    expect(find(other)).toEqual({ line: 7, column: 8 });
    expect(find(other.get('a')!)).toEqual({ line: 8, column: 1 });
    expect(find(parse('[1]'))).toBeUndefined();
  });

  it.each(['', '\n'])('are the same in a long text in any order, with %j between its values', (gap) => {
    const items = Array.from(
      { length: 9000 },
      (_, at) => ['"é😀"', '1', '"a\\n𝄞"', '{"b":[]}', '"日本"'][(at * at) % 5],
    );
    const root = parse(`[${items.join(`,${gap}`)}]`);
    const find = positionsIn([{ root, line: 2, columnsBefore: 4 }]);
    const nodes = root.items();
    for (let at = 0, times = 0; times < 400; times++, at = (at + 3571) % nodes.length)
      expect(find(nodes[at]!), `${at}`).toEqual(positionOf(nodes[at]!, { line: 2, columnsBefore: 4 }));
  });

  it('are the same for records of one line, in any order of records', () => {
    const items = Array.from(
      { length: 3000 },
      (_, at) => `{"é":[${at},"${'𝄞'.repeat(at % 7)}"${at % 40 ? '' : ',\n3'}]}`,
    );
    const [roots, scan]: [JsonNode[], ReturnType<typeof createScan>] = [[], createScan()];
    const bytes = Buffer.from(`${items.join(' ')}\0`);
    for (let at = 0; roots.length < items.length; ) {
      const tape = new Tape();
      const end = scan(bytes, at, bytes.length - 1, true, tape);
      roots.push(new JsonNode({ bytes, tape: tape.keep() }, 0));
      at = end + 1;
    }
    const places = roots.map((root, at) => ({ root, line: 10 + at, columnsBefore: at % 3 }));
    const find = positionsIn([...places].reverse());
    for (let at = 0, times = 0; times < 500; times++, at = (at + 1787) % places.length) {
      const node = roots[at]!.get('é')!.items().at(-1)!;
      expect(find(node), `${at}`).toEqual(positionOf(node, places[at]!));
    }
  });

  it('are found far from each other by turns without counting all between them', () => {
    const root = parse(`[${'"a",'.repeat(400_000)}1]`);
    const nodes = root.items();
    const find = positionsIn([{ root, line: 1, columnsBefore: 0 }]);
    let sliced = 0;
    root.source.bytes.utf8Slice = function (this: Buffer, start?: number, end?: number) {
      sliced += end! - start!;
      return Buffer.prototype.utf8Slice.call(this, start, end);
    };
    find(nodes.at(-1)!);
    for (let at = 0; at < 1000; at++) find(nodes[at % 2 === 0 ? at : nodes.length - at]!);
    expect(sliced).toBeLessThan(12 * root.source.bytes.length); // half of them all, for each: 500
  });

  const CHAT = '{"role":"user","content":"Hi"}';
  const bad = (content: string) => `{"role":"user","content":${content}}`;
  it.each<[text: string, path: string | undefined, line: number, column: number]>([
    [`[${CHAT},\n ${bad('7')}]`, '[1].content', 2, 27],
    [`{"messages":[${CHAT},${bad('{}')}]}`, 'messages[1].content', 1, 70],
    [`${'{"messages":[X]}'.replace('X', CHAT)}\n\n  {"messages":[${bad('true')}]}`, 'messages[0].content', 3, 41],
    [`[${CHAT},null]`, '[1]', 1, 33],
    [`\ufeff{"messages":\r\n[\r\n${CHAT},\r\n"x"]}`, 'messages[1]', 4, 1],
    [`{"messages":[${CHAT}]}\n{"messages":[${CHAT}}`, undefined, 2, 44],
    [`{"messages":[${CHAT}]} x`, undefined, 1, 47],
  ])('of errors: %s', (text, path, line, column) => {
    let thrown: unknown;
    try {
      openText(text, { from: 'openai-chat' });
    } catch (error) {
      thrown = error;
    }
    const { place, message } = thrown as TranscriptError;
    expect({ ...place, message }).toMatchObject({ line, column, ...(path !== undefined && { path }) });
  });
});

describe('paths to messages', () => {
  const record = parse(
    JSON.stringify({
      system: 'S',
      none: null,
      data: { messages: [{ m: 1 }, { m: 2 }] },
      runs: [{ messages: [1] }, { other: 1 }, { messages: [2, 3] }],
      choices: [{ message: { m: 3 } }, { message: { m: 4 } }],
      nested: [[{ m: 5 }], [{ m: 6 }]],
      encoded: '[{"m":7}]',
      word: 'hi',
      empty: [],
      stopped: [{ finish_reason: 'stop' }],
      streamed: [{ delta: {}, finish_reason: 'stop' }],
    }),
  );
  const at = (path: string) =>
    sitesAt(record, parseMessagePath(path))?.map((sites) =>
      sites.map(({ list, take, member }) => [list.json, take, member].filter((one) => one !== undefined).join(' ')),
    );
  const MESSAGES = '[{"m":1},{"m":2}]';
  const CHOICES = '[{"message":{"m":3}},{"message":{"m":4}}]';

  it.each<[path: string, expected: readonly (readonly string[])[] | undefined]>([
    ['data.messages', [[`${MESSAGES} all`]]],
    ['data.nothing', undefined],
    ['data', undefined],
    ['word', undefined],
    ['empty', [['[] all']]],
    ['encoded', [['[{"m":7}] all']]],
    ['runs[].messages', [['[1] all'], ['[2,3] all']]],
    ['data[].messages', undefined],
    ['empty[].messages', []],
    ['nested[][]', undefined],
    ['nested[]', [['[{"m":5}] all'], ['[{"m":6}] all']]],
    ['nested[0]', [['[{"m":5}] all']]],
    ['choices[0].message', [[`${CHOICES} first message`]]],
    ['choices[].message', [[`${CHOICES} all message`]]],
    ['empty[0].message', [['[] first message']]],
    ['stopped[0].message', [['[{"finish_reason":"stop"}] first message']]],
    ['streamed[0].message', undefined],
    ['=system', [['"S" whole']]],
    ['=none', [[]]],
    ['~word', [['"hi" text']]],
    ['~encoded', undefined],
    ['~data', undefined],
    ['=system? + data.messages', [['"S" whole', `${MESSAGES} all`]]],
    ['=missing? + data.messages', [[`${MESSAGES} all`]]],
    ['=missing + data.messages', undefined],
    ['data.messages > choices[0].message', [[`${MESSAGES} all`, `${CHOICES} first message`]]],
    ['data.messages > =word', undefined],
    ['data.messages > =none', [[`${MESSAGES} all`]]],
    ['data.messages > =data', [[`${MESSAGES} all`, '{"messages":[{"m":1},{"m":2}]} whole']]],
  ])('%s', (path, expected) => {
    expect(at(path)).toEqual(expected);
  });

  it.each(['messages?', 'a..b', 'a[1]', '[]', 'a[', 'a]b', 'a?+b?'])('`%s` is none', (path) => {
    expect(() => parseMessagePath(path)).toThrow('is not a path to messages');
  });
});
