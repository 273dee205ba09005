/** Chunks of UI message streams one by one: by what each is known, and what is written of it. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/vercel/vercel-uistream.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const json = (value: unknown) => JSON.stringify(value);
const score = (chunk: object) => format.score(parse(json(chunk)));
const text = (value: string): Part => ({ type: 'text', text: value });

/** The chunks of https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol (2026-11), the members of each, and its score. */
const CHUNKS: readonly (readonly [types: readonly string[], members: readonly string[], score: number])[] = [
  [
    [
      ...['tool-input-start', 'tool-input-delta', 'tool-input-available', 'tool-input-error'],
      ...['tool-output-available', 'tool-output-error', 'tool-output-denied'],
    ],
    ['toolCallId'],
    1,
  ],
  [['tool-approval-request'], ['toolCallId', 'approvalId'], 1],
  [['text-delta', 'reasoning-delta'], ['id', 'delta'], 0.9],
  [['text-start', 'text-end', 'reasoning-start', 'reasoning-end'], ['id'], 0.9],
  [['start-step', 'finish-step'], [], 0.9],
  [['message-metadata'], ['messageMetadata'], 0.9],
  [['source-url', 'source-document'], ['sourceId'], 0.7],
  [['file'], ['url', 'mediaType'], 0.6],
  [['data-x', 'data-'], ['data'], 0.4],
  [['error'], ['errorText'], 0.4],
  [['start', 'finish', 'abort'], [], 0.4],
];

describe('a chunk', () => {
  it.each(CHUNKS.flatMap(([types, members, known]) => types.map((type) => [type, members, known] as const)))(
    '%s is known by its type and %j',
    (type, members, known) => {
      const chunk = { type, ...Object.fromEntries(members.map((key) => [key, 'x'])) };
      expect(score(chunk)).toBe(known);
      for (const key of members) expect(score({ ...chunk, [key]: undefined })).toBe(0);
      expect(score({ ...chunk, role: 'assistant' })).toBe(0);
      for (const other of [`x${type}`, ...(type.startsWith('data-') ? [] : [`${type}x`])])
        expect(score({ ...chunk, type: other })).toBe(0);
    },
  );

  it('is none of another stream of the SDK', () => {
    for (const type of ['tool-call', 'tool-result']) {
      expect(score({ type })).toBe(-1);
      for (const key of ['input', 'output']) expect(score({ type, toolCallId: 'c', [key]: 'x' })).toBe(-1);
      expect(score({ type, toolCallId: 'c' })).toBe(0);
    }
    for (const type of ['stream-start', 'response-metadata', 'raw']) expect(score({ type })).toBe(0);
    expect(score({ type: 5 })).toBe(0);
    expect(score({ toolCallId: 'c' })).toBe(0);
  });
});

describe('a chunk that is read', () => {
  const read = (chunk: object) => format.read(parse(json(chunk)));

  it.each<[object, object]>([
    [
      { type: 'text-delta', id: '0', delta: 'x' },
      { role: 'assistant', parts: [{ type: 'text' }] },
    ],
    [
      { type: 'reasoning-delta', id: '0', delta: 'x' },
      { role: 'assistant', parts: [{ type: 'thinking' }] },
    ],
    [
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
      { role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 'f', input: '' }] },
    ],
    [{ type: 'tool-input-error', input: {} }, { parts: [{ type: 'call', callId: '', tool: '' }] }],
    [
      { type: 'tool-output-available', toolCallId: 'c', output: null },
      { role: 'tool', parts: [{ type: 'result', callId: 'c', content: [], isError: false }] },
    ],
    [
      { type: 'tool-output-available', toolCallId: 'c', output: { content: [], isError: true } },
      { parts: [{ type: 'result', isError: true }] },
    ],
    [
      { type: 'tool-output-error', errorText: 'x' },
      { role: 'tool', parts: [{ isError: true, content: [{}] }] },
    ],
    [{ type: 'tool-output-denied' }, { role: 'tool', parts: [{ isError: true, content: [] }] }],
    [
      { type: 'file', url: 'data:,x', mediaType: 'image/png' },
      { role: 'assistant', parts: [{ type: 'media', kind: 'image' }] },
    ],
    [{ type: 'file', url: 'data:,x', mediaType: 'text/x' }, { parts: [{ type: 'media', kind: 'file' }] }],
    [{ type: 'start-step' }, { role: 'meta', parts: [] }],
    [
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'f', providerExecuted: true },
      { role: 'meta', parts: [] },
    ],
  ])('%j', (chunk, message) => {
    expect(read(chunk)).toMatchObject(message);
  });

  it('is refused without a text', () => {
    expect(() => read({ type: 'text-delta', id: '0', delta: 5 })).toThrow('`delta` is a number');
    expect(() => read({ type: 'tool-output-error', errorText: 5 })).toThrow('`errorText` is a number');
  });
});

describe('a chunk that changed', () => {
  const written = (chunk: object, ...parts: readonly Part[]) => {
    const message = format.read(parse(json(chunk)));
    const was = message.parts[0];
    const now = parts.map((part) => ({ ...(was?.type === part.type ? was : {}), ...part }) as Part);
    return JSON.parse(printed(format.write({ ...message, parts: now }, undefined as never)));
  };
  const call = (callId: string, input: string): Part => ({ type: 'call', callId, tool: 'f', input });
  const result = (...content: readonly Part[]): Part => ({ type: 'result', callId: 'c', content }) as Part;
  const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' };
  const whole = { type: 'tool-input-available', toolCallId: 'c', toolName: 'f' };
  const delta = { type: 'text-delta', id: '0', delta: 'x' };
  const denied = { type: 'tool-output-denied', toolCallId: 'c' };
  const failed = { type: 'tool-output-error', toolCallId: 'c' };
  const file = { type: 'file', url: 'data:,x', mediaType: 'image/png' };

  it.each<[string, object, readonly Part[], object]>([
    ['a text', delta, [text('y')], { ...delta, delta: 'y' }],
    ['texts and thoughts', delta, [text('y'), { type: 'thinking', text: 'z' }], { ...delta, delta: 'yz' }],
    ['a text twice', delta, [text('x'), text('')], delta],
    ['a start without arguments', start, [call('c', '')], start],
    ['a start that is renamed', start, [call('n', '')], { ...whole, toolCallId: 'n', input: '' }],
    ['a start with arguments', start, [call('c', '{"a":1}')], { ...whole, input: { a: 1 } }],
    ['a call', { ...whole, input: { b: 1 } }, [call('n', '{"a":1}')], { ...whole, toolCallId: 'n', input: { a: 1 } }],
    ['a call without arguments', whole, [call('c', '')], whole],
    ['a call that gets arguments', whole, [call('c', '{"a":1}')], { ...whole, input: { a: 1 } }],
    ['a call that loses arguments', { ...whole, input: { b: 1 } }, [call('c', '')], { ...whole, input: '' }],
    [
      'a result',
      { type: 'tool-output-available', toolCallId: 'c', output: { a: 1 } },
      [result(text('x'))],
      { type: 'tool-output-available', toolCallId: 'c', output: 'x' },
    ],
    ['an error', { ...failed, errorText: 'x' }, [result(text('y'))], { ...failed, errorText: 'y' }],
    [
      'an error in pieces',
      { ...failed, errorText: 'x' },
      [result(text('y'), text('z'))],
      { ...failed, errorText: 'yz' },
    ],
    ['an error that is gone', { ...failed, errorText: 'x' }, [result()], { ...failed, errorText: '' }],
    ['a refusal', denied, [result()], denied],
    ['a refusal with a reason', denied, [result(text('x'))], { ...failed, errorText: 'x' }],
    ['a file', file, [{ type: 'media', kind: 'image' } as Part], file],
  ])('holds %s', (_, chunk, parts, after) => {
    expect(written(chunk, ...parts)).toEqual(after);
  });

  it('is made anew from other parts', () => {
    const thought = { type: 'thinking', text: 'z' } as const;
    expect(written(start, text('x'))).toEqual({ type: 'text-delta', id: '', delta: 'x' });
    expect(written(start, thought)).toEqual({ type: 'reasoning-delta', id: '', delta: 'z' });
  });
});

describe('a chunk that was added', () => {
  const fresh = (...parts: readonly Part[]) =>
    JSON.parse(printed(format.write({ role: 'assistant', parts, raw: undefined }, undefined as never)));
  const result = (isError: boolean, ...content: readonly Part[]): Part =>
    ({ type: 'result', content, isError }) as Part;
  const error = { type: 'tool-output-error', toolCallId: '' };
  const output = { type: 'tool-output-available', toolCallId: '' };
  const picture = { type: 'media', kind: 'image', raw: parse('{"type":"image","data":"x"}') } as Part;

  it.each<[string, readonly Part[], object]>([
    [
      'a call without an id',
      [{ type: 'call', tool: 'f', input: '{"a":1}' } as Part],
      { type: 'tool-input-available', toolCallId: '', toolName: 'f', input: { a: 1 } },
    ],
    ['an error without an id', [result(true, text('x'))], { ...error, errorText: 'x' }],
    ['an error without a text', [result(true)], { ...error, errorText: '' }],
    ['a result without an id', [result(false, text('x'))], { ...output, output: 'x' }],
    ['a result without a text', [result(false)], { ...output, output: '' }],
    [
      'an error with a picture',
      [result(true, text('x'), picture)],
      {
        ...output,
        output: {
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', data: 'x' },
          ],
          isError: true,
        },
      },
    ],
    [
      'an error that is a picture',
      [result(true, picture)],
      { ...output, output: { content: [{ type: 'image', data: 'x' }], isError: true } },
    ],
    ['texts', [text('x'), text('y')], { type: 'text-delta', id: '', delta: 'xy' }],
    ['thoughts', [{ type: 'thinking', text: 'x' }], { type: 'reasoning-delta', id: '', delta: 'x' }],
    ['what was read elsewhere', [picture], { type: 'image', data: 'x' }],
    ['nothing', [], { type: 'text-delta', id: '', delta: '' }],
    ['what is not known', [{ type: 'media', kind: 'image' } as Part], { type: 'text-delta', id: '', delta: '' }],
  ])('holds %s', (_, parts, chunk) => {
    expect(fresh(...parts)).toEqual(chunk);
  });

  it('has an id that may be empty, in the stream', () => {
    const said = [
      { type: 'text-start', id: '0' },
      { type: 'text-end', id: '0' },
    ];
    const stream = [{ type: 'start', messageId: 'm' }, ...said].map((one) => `${json(one)}\n`).join('');
    expect(openText(stream).detection.format.id).toBe('vercel-uistream');
    const added: Message[] = [
      { role: 'assistant', parts: [{ type: 'call', tool: 'f', input: '{}' } as Part], raw: undefined },
      { role: 'tool', parts: [result(false, text('x'))], raw: undefined },
    ];
    const after = linesOf(
      mapText(stream, (transcript) => ({ ...transcript, messages: [...transcript.messages, ...added] })),
    );
    expect(after.slice(3).map(({ type, toolCallId }) => [type, typeof toolCallId])).toEqual([
      ['tool-input-available', 'string'],
      ['tool-output-available', 'string'],
    ]);
  });
});
