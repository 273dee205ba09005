/** What of a message counts, and how often. */
import { describe, expect, it } from 'vitest';
import { type Counting, createCounting, uncounted } from '../../src/measure/stats/counting.js';
import type { Transcript } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';

const letters = () => (text: string) => text.length;
const GPT = createCounting('gpt-4o', letters);
const CLAUDE = createCounting('claude-opus-4-8', letters, 2);

const opened = (value: unknown): Transcript => openText(JSON.stringify(value)).transcripts[0]!;
/** Tokens of each message beyond its overhead of 3 and its role. */
const saidIn = ({ messages }: Transcript, counting: Counting = GPT) =>
  messages.map((message) => counting.message(message) - Math.round((3 + message.role.length) * counting.factor));

const PNG_300_BY_400 = Buffer.from('89504e470d0a1a0a0000000d494844520000012c00000190', 'hex').toString('base64');

describe('thoughts', () => {
  const anthropic = (content: unknown[]) =>
    opened({
      model: 'claude-opus-4-8',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
      ],
    });

  it('count as text, their signatures do not', () => {
    const thought = { type: 'thinking', thinking: 'hmmm', signature: 'x'.repeat(500) };
    expect(saidIn(anthropic([thought, { type: 'text', text: 'yes' }]))).toEqual([2, 7]);
  });

  it('struck out they count nothing', () => {
    expect(
      saidIn(
        anthropic([
          { type: 'redacted_thinking', data: 'x'.repeat(500) },
          { type: 'text', text: 'yes' },
        ]),
      ),
    ).toEqual([2, 3]);
  });

  it('sealed ones of OpenAI count what is summed up of them', () => {
    const input = [
      { type: 'message', role: 'user', content: 'hi' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hmmm' }],
        encrypted_content: 'x'.repeat(500),
      },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'x'.repeat(500) },
    ];
    expect(saidIn(opened({ model: 'gpt-5', input }))).toEqual([2, 4, -12]); // not even its overhead
  });
});

describe('what nobody here knows', () => {
  it('counts as its JSON, without what is sealed and without base64', () => {
    const found = { type: 'new_kind', note: 'abc', encrypted_content: 'x'.repeat(50), data: 'QUJD'.repeat(300) };
    const transcript = opened({
      model: 'claude-opus-4-8',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }, found] },
        { role: 'assistant', content: 'yes' },
      ],
    });
    expect(saidIn(transcript)).toEqual([2 + '{"type":"new_kind","note":"abc","","data":""}'.length, 3]);
  });
});

describe('system prompts beside the messages', () => {
  it('count once', () => {
    const transcript = opened({
      model: 'claude-opus-4-8',
      system: 'Be kind.',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yes' },
      ],
    });
    expect(saidIn(transcript)).toEqual([8, 2, 3]);
  });
});

describe('media', () => {
  const chat = (part: object) =>
    opened({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, part] }] });
  const picture = (detail?: string) =>
    chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG_300_BY_400}`, detail } });

  it('pictures count by the rule of the model, at the size they have and the detail that was asked for', () => {
    expect(saidIn(picture())).toEqual([2 + 85 + 170]);
    expect(saidIn(picture('low'))).toEqual([2 + 85]);
    expect(saidIn(chat({ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }))).toEqual([2 + 765]);
  });

  it('the factor of an estimate is not theirs', () => {
    const source = { type: 'base64', media_type: 'image/png', data: PNG_300_BY_400 };
    const transcript = opened({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image', source },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'see', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }] },
      ],
    });
    expect(saidIn(transcript, CLAUDE)).toEqual([2 * 2 + 11 * 15, 2 * (37 + 5), 11 * 15]);
  });

  it('Gemini takes the resolution that was asked for', () => {
    const parts = [
      {
        inlineData: { mimeType: 'image/png', data: PNG_300_BY_400 },
        mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
      },
      { text: 'hi' },
    ];
    expect(saidIn(opened({ contents: [{ role: 'user', parts }] }), createCounting('gemini-3-pro', letters, 1))).toEqual(
      [2 + 280],
    );
  });

  it('sounds and files count nothing and are named, documents of plain text count as text', () => {
    const sound = chat({ type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } });
    expect(saidIn(sound)).toEqual([2]);
    expect(uncounted(sound.messages).map(({ kind }) => kind)).toEqual(['audio']);
    const text = opened({
      model: 'claude-opus-4-8',
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'letter' } }],
        },
        { role: 'assistant', content: 'yes' },
      ],
    });
    expect(saidIn(text)).toEqual([6, 3]);
    expect(uncounted(text.messages)).toEqual([]);
  });
});

describe('tools', () => {
  const lazy = (value: unknown) => ({ text: JSON.stringify(value), byteLength: 1 });
  const find = { name: 'find', description: 'Finds.' };
  const rendered = 'namespace functions {\n\n// Finds.\ntype find = () => any;\n\n} // namespace functions'.length;

  it.each([
    ['OpenAI', [{ type: 'function', function: find }]],
    ['OpenAI Responses', [{ type: 'function', ...find, parameters: {} }]],
    ['Gemini', [{ functionDeclarations: [find] }]],
    ['Bedrock', [{ toolSpec: { ...find, inputSchema: { json: {} } } }]],
    ['what a provider runs beside it', [{ type: 'web_search_20250305', name: 'web_search' }, find]],
  ])('%s', (_, tools) => {
    expect(GPT.tools(lazy(tools))).toBe(rendered + 9);
    expect(GPT.tools(lazy(tools), { system: true })).toBe(rendered + 5);
  });

  it('of a transcript share the message of its system prompt', () => {
    const messages = [{ role: 'user', content: 'hi' }];
    expect(GPT.definitions(opened({ messages, tools: [find] }))).toBe(rendered + 9);
    expect(
      GPT.definitions(opened({ messages: [{ role: 'system', content: 'Be kind.' }, ...messages], tools: [find] })),
    ).toBe(rendered + 5);
  });

  it('Claude is told how to use them, in tokens of its own', () => {
    expect(CLAUDE.tools(lazy([{ ...find, input_schema: {} }]))).toBe(
      2 * '[{"name":"find","description":"Finds.","input_schema":{}}]'.length + 290,
    );
    expect(CLAUDE.tools(lazy([]))).toBe(0);
    expect(CLAUDE.tools(undefined)).toBe(0);
    expect(CLAUDE.tools(lazy('nothing'))).toBe(0);
  });
});

describe('a model that is not known', () => {
  it('is estimated by the encoding of current models, as it is', () => {
    const asked: string[] = [];
    const counting = createCounting('grok-99', (encoding) => {
      asked.push(encoding);
      return (text) => text.length;
    });
    expect(counting).toMatchObject({ source: 'estimated', factor: 1 });
    expect(counting.text('abc')).toBe(3);
    expect(asked).toEqual(['o200k_base']);
  });

  it('another factor takes the place of the stated one, and makes an estimate', () => {
    expect(createCounting('gpt-4o', letters)).toMatchObject({ source: 'exact', factor: 1 });
    expect(createCounting('gpt-4o', letters, 1.5)).toMatchObject({ source: 'estimated', factor: 1.5 });
    expect(createCounting('gpt-4o', letters, 1.5).text('abcd')).toBe(6);
  });
});
