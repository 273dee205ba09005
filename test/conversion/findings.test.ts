/** What a conversion says that it could not take over: one finding for each kind, in its words. */
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { conversionText } from '../shared/conversion-text.js';
import { openText } from '../shared/opened.js';

function converted(record: object | string, to: string) {
  const { detection, pieces } = openText(typeof record === 'string' ? record : JSON.stringify(record));
  const { record: json, findings, repairs } = convert(pieces[0]!.transcripts[0]!, detection.format, targetNamed(to));
  const own = findings.filter(({ messages }) => messages.length > 0); // that of the model is of no message
  const told = own.map(({ what, loss, messages }) => `${loss ? 'lost' : 'noted'} in ${messages}: ${what}`);
  return { text: conversionText({ json }, true), told, repairs: repairs.map(({ rule }) => rule) };
}

const QUESTION = { role: 'user', content: 'q' };
const chat = (...messages: readonly object[]) => ({ model: 'gpt-5', messages: [QUESTION, ...messages, QUESTION] });
const called = (name: string, input: string) =>
  chat(
    {
      ...{ role: 'assistant', content: '' },
      tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: input } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'x' },
  );
const claude = (...messages: readonly object[]) => ({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
const asked = (...content: readonly object[]) =>
  claude({ role: 'user', content: [{ type: 'text', text: 'q' }, ...content] });
const answered = (...content: readonly object[]) => claude(QUESTION, { role: 'assistant', content }, QUESTION);
const TEXT = { type: 'text', text: 'a' };
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
const OWN_THOUGHT = 'noted in 1: fields that only anthropic-messages has: `content[].signature`';

it.each<[what: string, record: object, to: string, written: string, told: readonly string[]]>([
  [
    'a thought that no request takes',
    answered({ type: 'thinking', thinking: 'Hm', signature: 's' }, TEXT),
    ...(['gemini', '{"role":"model","parts":[{"text":"a"}]}'] as const),
    ['lost in 1: thoughts: Gemini API takes none', OWN_THOUGHT],
  ],
  [
    'a thought that nothing proves',
    chat({ role: 'assistant', content: 'a', reasoning_content: 'Hm' }),
    ...(['anthropic', '{"role":"assistant","content":"a"}'] as const),
    ['lost in 1: thoughts: anthropic-messages takes none that it cannot prove to be its own'],
  ],
  [
    'a thought that is kept',
    chat({ role: 'assistant', content: 'a', reasoning_content: 'Hm' }),
    ...(['vercel-model', '{"type":"reasoning","text":"Hm"}'] as const),
    [],
  ],
  [
    'a thought without words, where thoughts are kept',
    answered({ type: 'thinking', thinking: '', signature: 's' }, TEXT),
    ...(['vercel-model', '{"role":"assistant","content":"a"}'] as const),
    ['noted in 1: a thought without words', OWN_THOUGHT],
  ],
  [
    'a thought without words, where none are',
    answered({ type: 'thinking', thinking: '', signature: 's' }, TEXT),
    ...(['gemini', '{"role":"model","parts":[{"text":"a"}]}'] as const),
    ['noted in 1: a thought without words', OWN_THOUGHT],
  ],
  [
    'a call of no tool',
    ...([called('', '{}'), 'anthropic', '"name":"unknown_tool","input":{}'] as const),
    ['noted in 1: that a call names no tool: it is a call of `unknown_tool`'],
  ],
  [
    'arguments that are a list',
    ...([called('f', '[1]'), 'anthropic', '"name":"f","input":{"arguments":"[1]"}'] as const),
    ['noted in 1: arguments that are not a JSON object: they stand in `arguments` of one'],
  ],
  [
    'arguments that are a list, where the API takes it',
    ...([called('f', '[1]'), 'openai-responses', '"name":"f","arguments":"[1]"', []] as const),
  ],
  [
    'the name of a speaker',
    chat({ role: 'assistant', name: 'Bob', content: 'a' }),
    ...(['anthropic', '{"role":"assistant","content":"a"}', ["noted in 1: the speaker's name"]] as const),
  ],
  [
    'the name of a speaker that stays',
    chat({ role: 'assistant', name: 'Bob', content: 'a' }),
    ...(['openai-chat', '{"role":"assistant","name":"Bob","content":"a"}', []] as const),
  ],
  [
    'a clip of sound',
    chat({
      role: 'user',
      content: [TEXT, { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
    }),
    ...(['anthropic', '{"role":"user","content":"a"}'] as const),
    ['lost in 1: audio that anthropic-messages has no block for'],
  ],
  [
    'an image that only its provider has',
    asked({ type: 'image', source: { type: 'file', file_id: 'f' } }),
    ...(['openai-chat', '{"role":"user","content":"q"}'] as const),
    ['lost in 0: an image that only its provider has'],
  ],
  [
    'a file that only its provider has',
    asked({ type: 'document', source: { type: 'file', file_id: 'f' } }),
    ...(['openai-chat', '{"role":"user","content":"q"}', ['lost in 0: a file that only its provider has']] as const),
  ],
  [
    'the name of a file',
    asked({ type: 'document', source: PDF, title: 'a.pdf' }),
    ...(['gemini', '{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}'] as const),
    ['noted in 0: the name of a file'],
  ],
  [
    'the name of a file that stays',
    asked({ type: 'document', source: PDF, title: 'a.pdf' }),
    ...(['openai-chat', '"filename":"a.pdf"', []] as const),
  ],
  [
    'a part of another type',
    asked({ type: 'container_upload', file_id: 'f' }),
    ...(['openai-chat', '{"role":"user","content":"q"}', ['lost in 0: a part of type `container_upload`']] as const),
  ],
  [
    'a part that is named by its member',
    { contents: [{ role: 'user', parts: [{ text: 'q' }, { odd: {} }] }] },
    ...(['openai-chat', '{"role":"user","content":"q"}', ['lost in 0: a part of type `odd`']] as const),
  ],
  [
    'a document with pictures, which the other API takes as a document only of text',
    {
      modelId: 'anthropic.claude-sonnet-4-5',
      messages: [
        {
          role: 'user',
          content: [
            { text: 'q' },
            {
              document: {
                ...{ format: 'txt', name: 'n' },
                source: { content: [{ text: 'a' }, { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } }] },
              },
            },
          ],
        },
      ],
    },
    ...(['anthropic', '{"type":"text","text":"n\\n\\na"},{"type":"image","source":{"type":"base64"'] as const),
    ['noted in 0: that a text is a document: it stands as text, under its title'],
  ],
])('%s', (_, record, to, written, told) => {
  const conversion = converted(record, to);
  expect(conversion.text).toContain(written);
  expect(conversion.told).toEqual(told);
});

it('arguments of white space are none, and nothing is said of them', () => {
  const { text, told } = converted(called('f', ' \n'), 'anthropic');
  expect(text).toContain('"name":"f","input":{}');
  expect(told).toEqual([]);
});

it('names an addition to the system prompt that stands beside the parts', () => {
  const part = { id: 'prt_1', messageID: 'msg_1', sessionID: 's', type: 'text', text: 'q' };
  const info = { id: 'msg_1', sessionID: 's', role: 'user', system: 'Be brief.' };
  const { told } = converted([{ info, parts: [part] }], 'openai-chat');
  expect(told[0]).toBe("lost in 0: a text beside the message's content");
});

describe('messages of a related format', () => {
  const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload });
  const said = (role: string, type: string, more: object = {}) =>
    item({ type: 'message', role, content: [{ type, text: 'x' }], ...more });
  const call = item({ type: 'function_call', name: 'f', arguments: '{}', call_id: 'c', namespace: 'n' });
  const result = (output: unknown) => item({ type: 'function_call_output', call_id: 'c', output });
  const rollout = (...lines: readonly object[]) => {
    const head = { timestamp: 't', type: 'session_meta', payload: { id: 's', cwd: '/p' } };
    return [head, said('user', 'input_text'), ...lines].map((line) => JSON.stringify(line)).join('\n');
  };

  it('stay as they are, without members that are null, and lines without a message are named', () => {
    const reply = said('assistant', 'output_text', { phase: 'final', status: null });
    const { text, told } = converted(rollout(reply, call, result('x')), 'openai-responses');
    expect(JSON.parse(text).input.slice(1)).toEqual([
      { ...reply.payload, status: undefined },
      call.payload,
      result('x').payload,
    ]);
    expect(told[0]).toBe('noted in 0: records that are not messages, such as headers and events');
    expect(converted(chat(), 'openai-chat').told).toEqual([]);
  });

  it('have no lost members if the API takes them as they are, but those of the line around them', () => {
    const thought = item({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x', status: null });
    const { told } = converted(rollout(thought, call, result('x')), 'openai-responses');
    expect(told.slice(1)).toEqual(['noted in 1,2,3,4: fields that only codex-rollout has: `timestamp`']);
    const alone = [QUESTION, ...[thought, call, result('x')].map(({ payload }) => payload)];
    expect(converted({ model: 'gpt-5', input: alone }, 'openai-responses').told).toEqual([]);
  });

  it('keep the words of a thought that has members that are null', () => {
    const thought = {
      ...{ type: 'reasoning', id: 'rs_1', encrypted_content: null },
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      content: [{ type: 'reasoning_text', text: 'I look.' }],
    };
    const { input } = JSON.parse(converted(rollout(item(thought), call, result('x')), 'openai-responses').text);
    expect(input[1]).toEqual({ ...thought, encrypted_content: undefined });
  });

  it('lose the members of those that are written anew', () => {
    const refused = result([{ type: 'input_text', text: 'x', annotations: null }]);
    const { told } = converted({ model: 'gpt-5', input: [call.payload, refused.payload] }, 'openai-responses');
    expect(told).toEqual(['noted in 0: fields that only openai-responses has: `namespace`']);
  });

  it('are written anew with their calls where the API takes one of both not as it is', () => {
    const refused = result([{ type: 'input_text', text: 'x', annotations: null }]);
    const { input } = JSON.parse(converted(rollout(call, refused), 'openai-responses').text);
    expect(input.slice(1)).toEqual([
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ]);
  });

  it('lose the name of a speaker where the provider refuses it', () => {
    const { text, told, repairs } = converted(chat({ role: 'assistant', name: 'Bob', content: 'a' }), 'cohere');
    expect(JSON.parse(text).messages[1]).toEqual({ role: 'assistant', content: 'a' });
    expect([told, repairs]).toEqual([["noted in 1: the speaker's name"], []]);
  });
});

it('rounds of the model in which it says nothing are left out, and empty messages stay', () => {
  const message = (role: string, ...parts: readonly object[]) => ({ info: { id: role, sessionID: 's', role }, parts });
  const user = message('user', { type: 'text', text: 'q' });
  const session = [user, message('assistant', { type: 'step-start' }), user];
  const { text, repairs } = converted(session, 'openai-chat');
  expect([JSON.parse(text).messages, repairs]).toEqual([[QUESTION, QUESTION], []]);
  const empty = converted(chat({ role: 'assistant', content: '' }), 'gemini').text;
  expect(JSON.parse(empty).contents[1]).toEqual({ role: 'model', parts: [{ text: '' }] });
});

describe('members that are written in another shape', () => {
  const fields = (record: object) => converted(record, 'openai').told.filter((one) => one.includes('fields that only'));

  it('of a message in a trace are those of its own format', () => {
    const messages = [
      { type: 'human', content: 'Rain?' },
      {
        ...{ type: 'ai', content: 'Soon.', name: 'model', response_metadata: { finish_reason: 'stop' } },
        tool_calls: [{ name: 'rain', args: { city: 'Porto' }, type: 'tool_call', id: 'c' }],
      },
      { type: 'tool', content: 'No.', tool_call_id: 'c', name: 'rain' },
    ];
    const said = { type: 'ai', content: 'No rain.' };
    const generation = { id: 'g', type: 'GENERATION', input: messages, output: { messages: [said] } };
    const trace = { trace: { id: 't' }, observations: [generation] };
    expect(fields(trace)).toEqual(['noted in 1: fields that only langfuse has: `name`, `response_metadata`']);
  });

  it('of a part of a request of Pydantic AI are those of a part', () => {
    const history = [
      { parts: [{ content: 'Rain?', part_kind: 'user-prompt' }], kind: 'request' },
      { parts: [{ tool_name: 'rain', args: '{}', tool_call_id: 'c', part_kind: 'tool-call' }], kind: 'response' },
      {
        parts: [{ tool_name: 'rain', content: 'No.', tool_call_id: 'c', part_kind: 'tool-return', metadata: { a: 1 } }],
        kind: 'request',
      },
      { parts: [{ content: 'No.', part_kind: 'text' }], kind: 'response' },
    ];
    expect(fields(history)).toEqual(['noted in 2: fields that only pydantic-ai has: `metadata`']);
  });
});
