/** What changed between two versions of messages, as copies of them are looked for. */
import { describe, expect, it } from 'vitest';
import { contentEdits, contentKey, isUnchanged, mergeEdits, partKey } from '../../src/formats/shared/content-edits.js';
import type { CallPart, Message, Part, ResultPart } from '../../src/transcript/types.js';

const text = (value: string): Part => ({ type: 'text', text: value });
const call = (input: string, callId = 'c'): CallPart => ({ type: 'call', callId, tool: 'f', input });
const result = (value: string, callId: string | undefined = 'c'): ResultPart => ({
  ...{ type: 'result', callId, content: [{ type: 'text', text: value }] },
});
const said = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts });
const answered = (...parts: readonly Part[]): Message => ({ role: 'tool', parts });
const editsOf = (before: Message, after: Message | undefined, added: readonly Message[] = []) =>
  contentEdits([before], [after], added);
const LONG = 'a text of more than twenty signs';

describe('the key of a part', () => {
  it.each<[string, Part, Part, boolean]>([
    ['calls with other spaces', call('{"a": 1}'), call('{"a":1}'), true],
    ['calls in another order', call('{"a":1,"b":2}'), call('{"b":2,"a":1}'), true],
    ['calls with other values', call('{"a":1}'), call('{"a":2}'), false],
    ['calls with another id', call('{}'), call('{}', 'd'), false],
    ['results with other spaces', result(' [1, 2]'), result('[1,2]'), true],
    ['results that are numbers', result('1.0'), result('1'), false],
    ['results that are texts within quotes', result('"\\u0061"'), result('"a"'), false],
    ['results with spaces around a word', result(' true'), result('true'), false],
    ['results that are broken', result('{"a": 1'), result('{"a":1'), false],
    ['a text and a thought', text('x'), { type: 'thinking', text: 'x' }, false],
  ])('of %s', (_, one, other, isSame) => {
    expect(partKey(one) === partKey(other)).toBe(isSame);
    const edits = editsOf(answered(one), answered(other));
    expect(isUnchanged(edits)).toBe(isSame);
  });

  it('of a message leaves empty texts out', () => {
    expect(contentKey(said(text(''), text('x'), text('')))).toBe(contentKey(said(text('x'))));
    expect(contentKey(said(text('')))).toBe('');
    expect(contentKey(said(text('x'), text('y')))).not.toBe(contentKey(said(text('xy'))));
  });
});

describe('the edits', () => {
  it.each<[string, Message, Message | undefined, Record<string, string>, Record<string, string>]>([
    ['a text that changes', said(text('a')), said(text('b')), { a: 'b' }, {}],
    ['a text that goes', said(text('a')), undefined, { a: '' }, {}],
    [
      'one of two texts that goes, and of the one that a copy makes of them',
      said(text('a'), text('b')),
      said(text('b')),
      { a: '', ab: 'b' },
      {},
    ],
    ['a text that stays within the new one', said(text('a')), said(text('[a]')), {}, {}],
    ['an empty call that goes', said(call('{}')), undefined, {}, {}],
    ['arguments', said(call('{"a": 1}')), said(call('{"a":2}')), { '{"a": 1}': '{"a":2}' }, { '{"a":1}': '{"a":2}' }],
    ['a number', answered(result('5')), answered(result('cut')), { 5: 'cut' }, {}],
    [
      'a long text within a result, and no short one',
      answered(result(`{"a":"${LONG}","b":["short"]}`)),
      answered(result('cut')),
      { [`{"a":"${LONG}","b":["short"]}`]: 'cut', [LONG]: 'cut' },
      { [`{"a":"${LONG}","b":["short"]}`]: 'cut' },
    ],
    ['a text within arguments', said(call(`["${LONG}"]`)), undefined, { [`["${LONG}"]`]: '' }, { [`["${LONG}"]`]: '' }],
  ])('of %s', (_, before, after, texts, values) => {
    const edits = editsOf(before, after);
    expect(Object.fromEntries(edits.texts)).toEqual(texts);
    expect(Object.fromEntries(edits.values)).toEqual(values);
    expect(edits.longest).toBe(Math.max(0, ...Object.keys(values).map((value) => value.length)));
  });

  it('name a part that goes, and one that changes', () => {
    const [one, other] = [text('a'), text('b')];
    expect([...editsOf(said(one), said(other)).parts]).toEqual([[partKey(one), other]]);
    expect([...editsOf(said(one), undefined).parts]).toEqual([[partKey(one), null]]);
    expect([...editsOf(said(call('{}', 'c'), call('{}', 'd')), said(call('{}', 'd'))).parts]).toEqual([
      [partKey(call('{}', 'c')), null],
    ]);
  });

  it('spare what another message still says, or an added one', () => {
    const edits = contentEdits([said(text(LONG)), answered(result(`["${LONG}"]`))], [undefined, undefined], []);
    expect([...edits.texts.keys()]).toEqual([LONG, `["${LONG}"]`]);
    const kept = answered(result(`["${LONG}"]`));
    expect(isUnchanged(contentEdits([said(text(LONG)), kept], [said(text(LONG)), kept], []))).toBe(true);
    expect([...contentEdits([said(text(LONG)), kept], [undefined, kept], []).texts]).toEqual([]);
    expect(isUnchanged(editsOf(said(text('a')), undefined, [said(text('a'))]))).toBe(true);
  });

  it('find a result by the id of its call, where it has none of its own', () => {
    const open: ResultPart = { ...result('x'), callId: undefined };
    const edits = contentEdits([said(call('{}')), answered(open)], [said(call('{}')), undefined], []);
    expect([...edits.parts.keys()]).toEqual([partKey(open), partKey(result('x'))]);
  });

  it('of several conversations are one', () => {
    const [one, other] = [editsOf(said(text('a')), said(text('b'))), editsOf(said(call('{"a":1}')), undefined)];
    expect(mergeEdits([one])).toBe(one);
    expect(mergeEdits([one, other])).toEqual({
      parts: new Map([...one.parts, ...other.parts]),
      texts: new Map([
        ['a', 'b'],
        ['{"a":1}', ''],
      ]),
      values: new Map([['{"a":1}', '']]),
      longest: 7,
    });
    expect(mergeEdits([]).longest).toBe(0);
  });
});
