/** Model messages of the Vercel AI SDK that are made anew: added ones, media, and tools that a provider ran. */
import { describe, expect, it } from 'vitest';
import type { Media, MediaPlace } from '../../src/formats/encode.js';
import format from '../../src/formats/vercel/vercel-model.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Message, Part } from '../../src/transcript/types.js';

const node = (value: unknown) => parse(JSON.stringify(value));
const { media: encodeMedia, canReuse, convertOpaque } = format.encode!;
const plain = (value: unknown) => (value === undefined ? undefined : JSON.parse(printed(value as never)));
const text = (value: string): Part => ({ type: 'text', text: value });
const thinking = (value: string): Part => ({ type: 'thinking', text: value });
const result = (...content: readonly Part[]) => ({ type: 'result', callId: 'c', tool: 'f', content }) as Part;
const media = (raw: object | undefined, kind = 'image') => ({ type: 'media', kind, raw: raw && node(raw) }) as Part;
const toJson = (message: Message) => plain(format.write(message, undefined as never));

describe('a message that was added', () => {
  const fresh = (role: Message['role'], ...parts: readonly Part[]) => toJson({ role, parts, raw: undefined }).content;
  const own = { type: 'tool-result', toolCallId: 'c', toolName: 'f' };
  const picture = { type: 'image', data: 'x' };

  it('is a text if it can', () => {
    expect(fresh('system', text('a'), text('b'), thinking('c'))).toBe('ab');
    expect(fresh('user')).toBe('');
    expect(fresh('user', text('a'))).toBe('a');
    expect(fresh('user', text('a'), text('b'))).toEqual([text('a'), text('b')]);
    expect(fresh('assistant', thinking('a'))).toEqual([{ type: 'reasoning', text: 'a' }]);
    expect(fresh('tool')).toEqual([]);
    expect(fresh('tool', text('a'))).toEqual([text('a')]);
  });

  it.each<[object, object]>([
    [
      { type: 'image', image: 'x' },
      { type: 'image', image: 'x' },
    ],
    [
      { type: 'file', data: 'x' },
      { type: 'file', data: 'x' },
    ],
    [
      { type: 'media', data: 'x', mediaType: 'image/png', filename: 'n' },
      { type: 'file', data: 'x', mediaType: 'image/png', filename: 'n' },
    ],
    [
      { type: 'image-url', url: 'u' },
      { type: 'file', data: 'u', mediaType: 'image/*' },
    ],
    [
      { type: 'image-data', data: 5 },
      { type: 'image-data', data: 5 },
    ],
    [
      { type: 'image-file-id', fileId: 'x' },
      { type: 'image-file-id', fileId: 'x' },
    ],
  ])('shows a user media of a result: %j', (raw, part) => {
    expect(fresh('user', media(raw))).toEqual([part]);
    expect(fresh('assistant', media(raw))).toEqual([raw]);
  });

  it('shows a user other files, and none that is not known', () => {
    expect(fresh('user', media({ type: 'file-url', url: 'u' }, 'file'))).toEqual([
      { type: 'file', data: 'u', mediaType: 'application/octet-stream' },
    ]);
    expect(fresh('user', media(undefined))).toEqual([{ type: 'media' }]);
  });

  it('holds results with a type', () => {
    const output = (part: Part) => {
      const [{ output: held, ...named }] = fresh('tool', part);
      expect(named).toEqual(own);
      return held;
    };
    const failed = (...content: readonly Part[]) => ({ ...result(...content), isError: true }) as Part;
    expect(output(result())).toEqual({ type: 'text', value: '' });
    expect(output(result(text('x')))).toEqual({ type: 'text', value: 'x' });
    expect(output(failed(text('x')))).toEqual({ type: 'error-text', value: 'x' });
    expect(output(failed())).toEqual({ type: 'error-text', value: '' });
    expect(output(result(text('x'), media(picture)))).toEqual({ type: 'content', value: [text('x'), picture] });
    expect(output(result(media(picture)))).toEqual({ type: 'content', value: [picture] });
    expect(output(failed(media(picture)))).toEqual({
      ...{ type: 'error-json', value: { content: [picture], isError: true } },
    });
  });
});

describe('media of another format', () => {
  const DATA = { base64: 'QQ==', url: undefined, name: 'n' };
  const URL = { base64: undefined, url: 'https://x/y', name: undefined };

  it.each<[MediaPlace, object, object]>([
    [
      'user',
      { kind: 'image', type: 'image/gif', ...DATA },
      { type: 'image', image: 'data:image/gif;base64,QQ==', mediaType: 'image/gif' },
    ],
    ['user', { kind: 'image', ...URL }, { type: 'image', image: 'https://x/y' }],
    [
      'user',
      { kind: 'file', type: 'text/x', ...DATA },
      { type: 'file', data: 'data:text/x;base64,QQ==', mediaType: 'text/x', filename: 'n' },
    ],
    ['user', { kind: 'file', ...URL }, { type: 'file', data: 'https://x/y', mediaType: 'application/octet-stream' }],
    [
      'assistant' as MediaPlace,
      { kind: 'image', ...URL },
      { type: 'file', data: 'https://x/y', mediaType: 'image/png' },
    ],
    ['result', { kind: 'image', ...URL }, { type: 'image-url', url: 'https://x/y' }],
    ['result', { kind: 'file', ...URL }, { type: 'file-url', url: 'https://x/y' }],
    ['result', { kind: 'image', ...DATA }, { type: 'media', data: 'QQ==', mediaType: 'image/png' }],
    ['result', { kind: 'audio', ...DATA }, { type: 'media', data: 'QQ==', mediaType: 'application/octet-stream' }],
    ['result', { kind: 'file', type: 'text/x', ...DATA }, { type: 'media', data: 'QQ==', mediaType: 'text/x' }],
  ])('in a message of %s: %j', (place, shown, part) => {
    expect(plain(encodeMedia!(shown as Media, place))).toEqual(part);
  });
});

it.each<[string, object, boolean]>([
  ['thinking', { type: 'reasoning', text: 'x' }, true],
  ['thinking', { type: 'reasoning' }, false],
  ['thinking', { type: 'thinking', text: 'x' }, false],
  ['media', { type: 'image' }, true],
  ['media', { type: 'file', mediaType: 'x/y', data: 'x' }, true],
  ['media', { type: 'file', mediaType: 'x/y', data: 5 }, false],
  ['media', { type: 'file', data: 'x' }, false],
  ['media', { type: 'media', mediaType: 'x/y', data: 'x' }, false],
  ['opaque', { type: 'tool-call', toolName: 'f' }, true],
  ['opaque', { type: 'tool-result', toolName: 'f' }, true],
  ['opaque', { type: 'tool-result' }, false],
  ['opaque', { type: 'other', toolName: 'f' }, false],
  ['text', { type: 'tool-call', toolName: 'f' }, false],
  ['opaque', { toolName: 'f' }, false],
])('%s is taken as it is: %j', (kind, raw, isTaken) => {
  expect(canReuse!(node(raw), kind as Part['type'])).toBe(isTaken);
});

/** https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message (2026-11) */
describe('a tool that the provider ran, of a message that users see', () => {
  const ran = { type: 'tool-search', toolCallId: 'c', providerExecuted: true };
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: {}, providerExecuted: true };
  const answer = (type: string, value: unknown) => ({
    ...{ type: 'tool-result', toolCallId: 'c', toolName: 'search', output: { type, value } },
  });
  const converted = (part: object) => convertOpaque!(node(part))?.map(plain);

  it.each<[object, readonly object[]]>([
    [ran, [call]],
    [{ ...ran, input: { q: 1 } }, [{ ...call, input: { q: 1 } }]],
    [{ ...ran, rawInput: 'q' }, [{ ...call, input: 'q' }]],
    [{ ...ran, args: { q: 1 } }, [{ ...call, input: { q: 1 } }]],
    [{ ...ran, type: 'dynamic-tool', toolName: 'search' }, [call]],
    [{ ...ran, output: 'x' }, [call, answer('text', 'x')]],
    [{ ...ran, output: [1], errorText: 'no' }, [call, answer('json', [1])]],
    [{ ...ran, errorText: 'no' }, [call, answer('error-text', 'no')]],
    [{ ...ran, errorText: { a: 1 } }, [call, answer('error-json', { a: 1 })]],
    [{ type: 'tool-invocation', toolInvocation: { ...ran, output: 'x' } }, [call, answer('text', 'x')]],
  ])('is its call and its result: %j', (part, parts) => {
    expect(converted(part)).toEqual(parts);
  });

  it('is nothing else', () => {
    expect(converted({ ...ran, providerExecuted: false })).toBeUndefined();
    expect(converted({ ...ran, type: 'dynamic-tool' })).toBeUndefined();
    expect(converted({ type: 'text', text: 'x', providerExecuted: true })).toBeUndefined();
    expect(converted({ ...ran, toolCallId: undefined })).toBeUndefined();
  });
});
