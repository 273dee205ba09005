/**
 * Messages with the shell of a format, and with parts of another: such a format does not take them, and where
 * a user names it, what it does not know is counted. Shapes as the frameworks write them, 2026-11.
 */
import { describe, expect, it } from 'vitest';
import type { Unread } from '../../src/omissions.js';
import { addUnread, unreadIn } from '../../src/source/unread/unread.js';
import { openText, piecesOf } from '../shared/opened.js';

/** https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py */
const PYDANTIC_AI = [
  { parts: [{ content: 'Hi', timestamp: '2026-01-01T00:00:00Z', part_kind: 'user-prompt' }], kind: 'request' },
  { parts: [{ content: 'Hello', part_kind: 'text' }], model_name: 'gpt-4o', kind: 'response' },
];
/** https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py */
const CALL = { tool_name: 'w', arguments: {}, id: 'c' };
const HAYSTACK = [
  { role: 'user', meta: {}, name: null, content: [{ text: 'Hi' }] },
  { role: 'assistant', meta: {}, name: null, content: [{ tool_call: CALL }] },
  { role: 'tool', meta: {}, name: null, content: [{ tool_call_result: { result: 'x', origin: CALL, error: false } }] },
];
/** https://github.com/run-llama/llama_index/blob/main/llama-index-core/llama_index/core/base/llms/types.py */
const LLAMA_INDEX = [
  { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Hi' }] },
  { role: 'assistant', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Hello' }] },
];
const CHAT = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'of_tomorrow', x: 'Hello' }] },
  { role: 'user', content: 'Thanks' },
];

/** How messages with blocks stand in a record, where they are not like those of a chat. */
const HOLDERS: Readonly<Record<string, (blocks: unknown) => unknown>> = {
  'bedrock-converse': (content) => [
    { role: 'user', content: [{ text: 'Hi' }] },
    { role: 'assistant', content },
  ],
  langchain: (content) => [
    { type: 'human', content: 'Hi' },
    { type: 'ai', content },
  ],
};

function unreadOf(value: unknown, from?: string): Unread | undefined {
  const pieces = piecesOf(JSON.stringify(value), from);
  const { format } = pieces.find((piece) => piece.type === 'detected')!.detection;
  return pieces.reduce<Unread | undefined>((sum, piece) => addUnread(sum, unreadIn(piece, format)), undefined);
}

describe('what no format knows', () => {
  it.each([
    ['Haystack', HAYSTACK],
    ['Haystack, in a record', { messages: HAYSTACK }],
    ['LlamaIndex', LLAMA_INDEX],
    ['what a user said in an unknown shape', [{ role: 'user', parts: [{ said: 'Hi' }] }]],
  ])('%s is not taken as a format whose shells are alike', (_, value) => {
    expect(() => openText(JSON.stringify(value))).toThrow(/cannot be told|holds no messages|ctx-trim does not read/);
  });

  it.each([
    ['gemini-contents', PYDANTIC_AI, { rows: 2, calls: 0, results: 0, texts: 2 }],
    ['openai-chat', HAYSTACK, { rows: 3, calls: 1, results: 1, texts: 1 }],
    ['openai-chat', LLAMA_INDEX, { rows: 2, calls: 0, results: 0, texts: 2 }],
  ])('as %s, it is counted', (format, value, counts) => {
    expect(unreadOf(value, format)).toMatchObject(counts);
  });

  it('is counted once where records share a document', () => {
    const record = { messages: CHAT };
    expect(unreadOf([record, { messages: CHAT.slice(0, 1) }, record])).toMatchObject({ rows: 2, texts: 2 });
  });

  it('leaves the usage of a response to be read', () => {
    const usage = { input_tokens: 1000, output_tokens: 20 };
    const content = [{ type: 'of_tomorrow', x: 'Hello' }];
    const response = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-4-6', content, usage };
    expect(openText(JSON.stringify(response)).detection.format.id).toBe('anthropic-messages');
    expect(unreadOf(response)).toMatchObject({ rows: 1, texts: 1 });
  });

  it('does not speak against a format that knows the rest, and is counted', () => {
    expect(openText(JSON.stringify(CHAT)).detection.format.id).toBe('openai-chat');
    expect(unreadOf(CHAT)).toEqual({ rows: 1, calls: 0, results: 0, texts: 1, line: 1 });
  });

  it.each([
    ['anthropic-messages', [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }]],
    ['anthropic-messages', [{ type: 'web_search_tool_result', tool_use_id: 's', content: [] }]],
    ['anthropic-messages', [{ type: 'container_upload', file_id: 'f' }]],
    ['openai-chat', [{ type: 'refusal', refusal: 'No.' }]],
    ['bedrock-converse', [{ guardContent: { text: { text: 'x' } } }]],
    ['gemini-contents', [{ toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: {} } }]],
    ['langchain', [{ type: 'executable_code', executable_code: '1 + 1' }]],
    ['langchain', [{ type: 'text-plain', text: 'A page.' }]],
    ['openai-chat', [{ type: 'reference', reference_ids: [1] }]],
    ['vercel-model', [{ type: 'reasoning-file', data: 'aGk=', mediaType: 'image/png' }]],
    ['inspect', [{ type: 'tool_use', tool_type: 'web_search', id: 's', name: 'search', arguments: '{}', result: '' }]],
  ])('blocks that the API of %s documents are not counted', (format, content) => {
    const messages = HOLDERS[format]?.(content) ?? [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
    ];
    const contents = [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: content },
    ];
    expect(unreadOf(format === 'gemini-contents' ? { contents } : { messages }, format)).toBeUndefined();
  });
});
