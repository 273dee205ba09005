/** Logs of HTTP requests: what a streamed response says of its request, and what stands beside the messages. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { stats } from '../../src/index.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const logged = (request: object, response: string) =>
  JSON.stringify({ request: { body: JSON.stringify(request) }, response: { body: response } });
const usageIn = (text: string) => {
  const [transcript] = openText(text).transcripts;
  return transcript!.others ?? transcript!.reply;
};
const events = (...values: object[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], stream: true };

describe('the usage of a stream', () => {
  it.each([
    [
      // https://platform.openai.com/docs/api-reference/chat-streaming: the last chunk, of no choice
      'Chat Completions',
      chat,
      `${events(
        { id: 'chatcmpl-1', model: 'gpt-4o', choices: [{ delta: { content: 'a' } }], usage: null },
        { id: 'chatcmpl-1', model: 'gpt-4o', choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
      )}data: [DONE]\n\n`,
      { responseId: 'chatcmpl-1', usage: { input: 9, output: 2 } },
    ],
    [
      // https://docs.anthropic.com/en/docs/build-with-claude/streaming: output is counted from the beginning
      'Anthropic',
      { model: 'claude-opus-5', max_tokens: 9, messages: chat.messages, stream: true },
      events(
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            content: [],
            model: 'claude-opus-5',
            usage: { input_tokens: 25, cache_read_input_tokens: 7, output_tokens: 1 },
          },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'about "usage"' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15, input_tokens: null } },
        { type: 'message_stop' },
      ).replaceAll('data: {"type":"', 'event: x\r\ndata: {"type":"'),
      { responseId: 'msg_1', model: 'claude-opus-5', usage: { input: 25, cacheRead: 7, output: 15 } },
    ],
    [
      // https://platform.openai.com/docs/api-reference/responses-streaming
      'Responses',
      { model: 'gpt-5', input: [{ role: 'user', content: 'hi' }], stream: true },
      events(
        { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5', output: [], usage: null } },
        {
          type: 'response.completed',
          response: { id: 'resp_1', model: 'gpt-5', output: [], usage: { input_tokens: 37, output_tokens: 11 } },
        },
      ),
      { responseId: 'resp_1', usage: { input: 37, output: 11 } },
    ],
    [
      // without alt=sse, the chunks are a list
      'Gemini, as a list',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      JSON.stringify([
        { candidates: [], usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 }, modelVersion: 'gemini-3-pro' },
        { usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 6 }, modelVersion: 'gemini-3-pro' },
      ]),
      { model: 'gemini-3-pro', usage: { input: 4, output: 6 } },
    ],
    [
      // https://console.groq.com/docs/api-reference#chat-create
      'Groq',
      chat,
      events({ id: 'chatcmpl-2', choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } }),
      { responseId: 'chatcmpl-2', usage: { input: 3, output: 1 } },
    ],
  ])('%s', (_, request, stream, recorded) => {
    expect(usageIn(logged(request, stream))).toMatchObject([recorded]);
  });

  it('and of a whole response in base64 are read, and what they say is told as unread', async () => {
    const whole = { id: 'chatcmpl-3', model: 'gpt-4o', usage: { prompt_tokens: 8, completion_tokens: 3 } };
    const stream = events({ id: 'chatcmpl-3', choices: [], usage: whole.usage });
    const encoded = (body: Buffer) => logged(chat, body.toString('base64'));
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, undefined, 2), stream])
      expect(usageIn(encoded(Buffer.from(text)))).toMatchObject([
        { responseId: 'chatcmpl-3', usage: { input: 8, output: 3 } },
      ]);
    for (const body of [Buffer.from(JSON.stringify(whole)), gzipSync(stream)])
      expect((await stats(encoded(body))).unread).toMatchObject([{ texts: 1 }]);
    expect((await stats(logged(chat, 'Bad gateway'))).unread).toEqual([]);
  });

  it('is not there where it broke off, or is damaged', () => {
    const begun = { id: 'chatcmpl-1', choices: [{ delta: { content: '"usage"' } }] };
    for (const stream of [
      events(begun),
      `data: {"usage": {"prompt_tokens": 3`,
      'data: {"usage": [1]}\n\n',
      '[{"a": ',
    ]) {
      const { transcripts } = openText(logged(chat, stream));
      expect(transcripts[0]!.others ?? []).toEqual([]);
      expect(transcripts[0]!.messages).toHaveLength(1);
    }
  });
});

describe('the stream of a request that is an object', () => {
  const chunks = [
    { id: 'chatcmpl-4', model: 'gpt-4o', choices: [{ delta: { content: 'hello my friend' } }] },
    { id: 'chatcmpl-4', model: 'gpt-4o', choices: [], usage: { prompt_tokens: 8, completion_tokens: 3 } },
  ];
  const stream = events(...chunks);
  it.each([
    ['a text', { request: chat, response: stream }],
    ['a list of chunks', { request: chat, response: chunks }],
    ['the body of a response', { request: chat, response: { status: 200, body: stream } }],
    ['base64', { request: chat, response: { status: 200, body: Buffer.from(stream).toString('base64') } }],
    ['a row of Helicone', { request_body: chat, response_body: stream, request_created_at: '2026-01-01T00:00:00Z' }],
  ])('is read as far as it counts, and said to be unread: %s', async (_, record) => {
    const text = JSON.stringify(record);
    expect(openText(text).transcripts[0]!.reply).toMatchObject({
      responseId: 'chatcmpl-4',
      usage: { input: 8, output: 3 },
    });
    expect((await stats(text)).unread).toMatchObject([{ texts: 1 }]);
  });

  it('is no label', async () => {
    for (const response of ['ok', { status: 200, body: 'ok' }, [{ label: 'good' }], []])
      expect((await stats(JSON.stringify({ request: chat, response }))).unread).toEqual([]);
  });
});

describe("Gemini's system prompt", () => {
  const request = (systemInstruction: object) => ({
    systemInstruction,
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  });
  const text = logged(request({ role: 'user', parts: [{ text: 'Be brief.' }] }), '{}');
  const sent = (log: string) => JSON.parse((JSON.parse(log) as { request: { body: string } }).request.body) as object;

  it('is the first message', () => {
    expect(openText(text).transcripts[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('can be edited and removed', () => {
    const edited = mapText(text, ({ messages: [system, user], ...rest }) => ({
      ...rest,
      messages: [{ ...system!, parts: [{ ...system!.parts[0]!, type: 'text', text: 'Be long.' }] }, user!],
    }));
    expect(sent(edited)).toEqual(request({ role: 'user', parts: [{ text: 'Be long.' }] }));
    const removed = mapText(text, ({ messages, ...rest }) => ({ ...rest, messages: messages.slice(1) }));
    expect(sent(removed)).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  });
});
