/** What a conversion keeps of documents, refusals, custom tools, signed thoughts, the model and parameters. */
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { formatNamed, formats } from '../../src/formats/index.js';
import { parse } from '../../src/json/node.js';
import { conversionText } from '../shared/conversion-text.js';
import { openText } from '../shared/opened.js';

interface Converted {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly notes: readonly string[];
  readonly losses: readonly string[];
}

function converted(record: object, to: string, from?: string): Converted {
  const { detection, pieces } = openText(JSON.stringify(record), from === undefined ? {} : { from });
  const conversion = convert(pieces[0]!.transcripts[0]!, detection.format, targetNamed(to), pieces[0]!.record);
  const text = conversionText({ json: conversion.record }, true);
  const said = (loss: boolean) => conversion.findings.flatMap((found) => (found.loss === loss ? [found.what] : []));
  return {
    value: JSON.parse(text) as Readonly<Record<string, unknown>>,
    text,
    notes: said(false),
    losses: [...said(true), ...conversion.faults.map(({ what }) => what)],
  };
}

const FORMATS = formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id);

const asked = (...blocks: readonly object[]) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }, ...blocks] }],
});

describe('documents', () => {
  const document = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'hello, é' },
    title: 'greeting.txt',
    context: 'from a friend',
  };
  const base64 = Buffer.from('hello, é').toString('base64');

  it('says of a document that becomes text what became of it, and nothing where it stays one', () => {
    const note = 'that a text is a document: it stands as text, under its title';
    expect(converted(asked(document), 'openai-responses').notes).toContain(note);
    expect(converted(asked(document), 'anthropic').notes).toEqual([]);
  });

  it.each(FORMATS)('a text is text or its base64 in %s, with its title and context', (to) => {
    const { text, losses } = converted(asked(document), to);
    expect(text.includes('hello, é') || text.includes(base64)).toBe(true);
    expect(text).not.toContain('base64,hello');
    expect([text.includes('greeting.txt'), text.includes('from a friend')]).toEqual([true, true]);
    expect(losses).toEqual([]);
  });

  it('stays as it is within one format, and goes to Bedrock as its own block', () => {
    expect(converted(asked(document), 'anthropic').value['messages']).toEqual(asked(document).messages);
    const named = { ...document, title: 'greeting', context: undefined };
    expect(converted(asked(named), 'bedrock').text).toContain(
      '{"document":{"format":"txt","name":"greeting","source":{"text":"hello, é"}}}',
    );
  });

  it('of a format that Bedrock knows goes there with its bytes and a name, and is read as the same file', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' };
    const pdf = { type: 'document', source, title: 'paper' };
    const { text, losses } = converted(asked(pdf), 'bedrock');
    expect(losses).toEqual([]);
    expect(text).toContain('{"document":{"format":"pdf","name":"paper","source":{"bytes":"JVBERi0xLjQK"}}}');
    expect(converted(JSON.parse(text) as object, 'anthropic').text).toContain('"data":"JVBERi0xLjQK"');
  });

  it.each<[string, object, string]>([
    ['nothing', {}, 'hello, é'],
    ['nothing, where its names are empty', { title: '', context: '' }, 'hello, é'],
    ['its title', { title: 'greeting.txt' }, 'greeting.txt\n\nhello, é'],
    ['its context', { context: 'from a friend' }, 'from a friend\n\nhello, é'],
    ['both', { title: 'greeting.txt', context: 'from a friend' }, 'greeting.txt\nfrom a friend\n\nhello, é'],
  ])('stands as text under %s', (_, names, text) => {
    const { type, source } = document;
    const { messages } = converted(asked({ type, source, ...names }), 'openai-chat').value as {
      messages: [{ content: unknown }];
    };
    expect(messages[0].content).toEqual([
      { type: 'text', text: 'q' },
      { type: 'text', text },
    ]);
  });

  it('made of blocks keeps its pictures', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const mixed = { ...document, source: { type: 'content', content: [{ type: 'text', text: 'one' }, image] } };
    const { text, losses } = converted(asked(mixed), 'openai-chat');
    expect([text.includes('one'), text.includes('data:image/png;base64,iVBORw0KGgo=')]).toEqual([true, true]);
    expect(losses).toEqual([]);
  });

  it('a file keeps its title, and what is lost of it is named', () => {
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } };
    const held = { ...pdf, title: 'a.pdf', context: 'c' };
    expect(converted(asked(held), 'openai-chat').text).toContain('"filename":"a.pdf"');
    expect(converted(asked(held), 'openai-chat').notes.join()).toContain('`context`');
    expect(converted(asked(held), 'gemini').notes).toContain('the name of a file');
  });

  it.each(FORMATS)('a search result keeps title, source and text in %s', (to) => {
    const found = {
      type: 'search_result',
      source: 'https://a.example',
      title: 'A',
      content: [{ type: 'text', text: 'found' }],
    };
    const { text, losses } = converted(asked(found), to);
    for (const words of ['https://a.example', 'A', 'found']) expect(text).toContain(words);
    expect(losses).toEqual([]);
  });

  it('a document or search result that the model may cite, or that something is said about, stays one', () => {
    const citations = { enabled: true };
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' };
    const bytes = { bytes: 'JVBERi0xLjQK' };
    const search = { source: 'https://a.example', title: 'A', citations };
    const blocks = [
      { type: 'document', source: { ...document.source, data: 'hello' }, title: 'notes', citations },
      { type: 'search_result', ...search, content: [{ type: 'text', text: 'found' }] },
      { type: 'document', source: pdf, title: 'paper', context: 'of May', citations },
    ];
    const own = [
      { document: { format: 'txt', name: 'notes', source: { text: 'hello' }, citations } },
      { searchResult: { ...search, content: [{ text: 'found' }] } },
      { document: { format: 'pdf', name: 'paper', source: bytes, context: 'of May', citations } },
    ];
    const bedrock = { messages: [{ role: 'user', content: [{ text: 'q' }, ...own] }] };
    const there = converted({ ...asked(...blocks), model: undefined }, 'bedrock');
    const back = converted(bedrock, 'anthropic-messages');
    expect([there.value['messages'], there.losses, there.notes]).toEqual([bedrock.messages, [], []]);
    expect([back.value['messages'], back.losses, back.notes]).toEqual([asked(...blocks).messages, [], []]);
    expect(converted(bedrock, 'gemini').notes).toEqual(
      expect.arrayContaining(['that the model may cite a document', 'what is said about a document in its `context`']),
    );
  });

  it('documents of texts and search results of Bedrock are those of Anthropic', () => {
    const content = [{ text: 'c one' }, { text: 'c two' }];
    const blocks = [
      { document: { format: 'txt', name: 'notes', source: { text: 'hello' }, context: 'of May' } },
      { document: { format: 'md', name: 'chunks', source: { content } } },
      { searchResult: { source: 'https://a.example', title: 'A', content, citations: { enabled: false } } },
    ];
    const { text } = converted({ messages: [{ role: 'user', content: blocks }] }, 'anthropic-messages');
    const texts = content.map((block) => ({ type: 'text', ...block }));
    expect(JSON.parse(text).messages[0].content).toEqual([
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'hello' },
        title: 'notes',
        context: 'of May',
      },
      { type: 'document', source: { type: 'content', content: texts }, title: 'chunks' },
      { type: 'search_result', source: 'https://a.example', title: 'A', content: texts },
    ]);
  });
});

describe('refusals', () => {
  const chat = {
    model: 'gpt-4o',
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, refusal: 'I will not.' },
    ],
  };

  it('stay refusals between both APIs of OpenAI', () => {
    const responses = converted(chat, 'openai-responses');
    expect(responses.text).toContain('{"type":"refusal","refusal":"I will not."}');
    expect(converted(responses.value, 'openai-chat').value['messages']).toEqual(chat.messages);
    expect(converted(chat, 'openai-chat').value['messages']).toEqual(chat.messages);
  });

  it('are words of the model elsewhere, which is said', () => {
    const { text, notes, losses } = converted(chat, 'anthropic');
    expect(text).toContain('I will not.');
    expect([notes.includes('that a text is a refusal'), losses]).toEqual([true, []]);
  });
});

describe('custom tools', () => {
  const chat = {
    model: 'gpt-5',
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'select 1' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '1' },
    ],
    tools: [
      {
        type: 'custom',
        custom: { name: 'sql', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } } },
      },
    ],
  };

  it('stay custom within chat, and there and back to Responses', () => {
    expect(converted(chat, 'openai-chat').value).toEqual(chat);
    const responses = converted(chat, 'openai-responses');
    expect(responses.value).toMatchObject({
      input: [
        { role: 'user' },
        { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'select 1' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: '1' },
      ],
      tools: [{ type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } }],
    });
    expect([...responses.notes, ...responses.losses]).toEqual([]);
    expect(converted(responses.value, 'openai-chat').value).toEqual(chat);
  });

  it('and refusals are OpenAI’s alone: its imitators get functions and words', () => {
    const said = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] };
    const { value } = converted({ ...chat, messages: [...chat.messages, said, chat.messages[0]] }, 'mistral');
    const call = { id: 'c1', type: 'function', function: { name: 'sql', arguments: '{"arguments":"select 1"}' } };
    expect(value['messages']).toMatchObject([
      {},
      { tool_calls: [{ ...call, id: expect.any(String) }] },
      {},
      { content: 'No.' },
      {},
    ]);
    const parameters = { type: 'object', properties: { arguments: { type: 'string' } }, required: ['arguments'] };
    expect(value['tools']).toMatchObject([{ type: 'function', function: { name: 'sql', parameters } }]);
  });

  it('take an object elsewhere, in calls and in the definition, which is said', () => {
    const { value, notes, losses } = converted(chat, 'anthropic');
    expect(value).toMatchObject({
      messages: [{}, { content: [{ type: 'tool_use', input: { arguments: 'select 1' } }] }, {}],
      tools: [
        {
          name: 'sql',
          input_schema: { type: 'object', properties: { arguments: { type: 'string' } }, required: ['arguments'] },
        },
      ],
    });
    expect(notes.join()).toContain('free text');
    expect(losses).toEqual([]);
  });
});

it('signed thoughts go from Anthropic to Bedrock and back, redacted ones too', () => {
  const messages = [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        { type: 'text', text: 'a' },
      ],
    },
  ];
  const there = converted({ model: 'claude-sonnet-4-5', max_tokens: 9, messages }, 'bedrock');
  expect(there.value).toMatchObject({
    messages: [
      {},
      {
        content: [
          { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } },
          { reasoningContent: { redactedContent: 'ZGF0YQ==' } },
          { text: 'a' },
        ],
      },
    ],
  });
  expect(there.losses).toEqual([]);
  expect(converted(there.value, 'anthropic').value['messages']).toEqual(messages);
});

describe('the model and parameters', () => {
  const chat = {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
    temperature: 0.5,
    top_p: 0.9,
    stop: 'END',
    seed: 7,
    max_completion_tokens: 77,
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'r', schema: { type: 'object' }, strict: true } },
    logprobs: true,
  };

  it('have the names of Mistral, and nothing that it refuses', () => {
    const { value, losses } = converted({ ...chat, store: true }, 'mistral');
    const { logprobs: _, seed, max_completion_tokens: limit, ...rest } = chat;
    expect(value).toEqual({ ...rest, random_seed: seed, max_tokens: limit });
    expect(losses).toEqual([]);
  });

  it('stay within one format', () => {
    const { value, notes, losses } = converted(chat, 'openai-chat');
    expect([value, notes, losses]).toEqual([chat, [], []]);
  });

  it.each([
    [
      'anthropic',
      {
        ...{ temperature: 0.5, top_p: 0.9, stop_sequences: ['END'], max_tokens: 77 },
        tool_choice: { type: 'tool', name: 'f' },
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      },
      ['seed', 'logprobs'],
    ],
    [
      'gemini',
      {
        generationConfig: {
          ...{ temperature: 0.5, topP: 0.9, stopSequences: ['END'], maxOutputTokens: 77, seed: 7 },
          responseMimeType: 'application/json',
          responseJsonSchema: { type: 'object' },
        },
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      },
      ['logprobs'],
    ],
    [
      'bedrock',
      {
        inferenceConfig: { temperature: 0.5, topP: 0.9, stopSequences: ['END'], maxTokens: 77 },
        toolConfig: { tools: [{}], toolChoice: { tool: { name: 'f' } } },
      },
      ['seed', 'response_format', 'logprobs'],
    ],
    [
      'openai-responses',
      {
        ...{ temperature: 0.5, top_p: 0.9, max_output_tokens: 77, tool_choice: { type: 'function', name: 'f' } },
        text: { format: { type: 'json_schema', name: 'r', schema: { type: 'object' }, strict: true } },
      },
      ['stop', 'seed', 'logprobs'],
    ],
    ['vercel-model', {}, ['temperature', 'stop', 'tool_choice', 'response_format', 'logprobs']],
  ])('are mapped for %s where it has them, else listed', (to, expected, lost) => {
    const { value, notes } = converted(chat, to);
    expect(value).toMatchObject(expected);
    const beside = notes.find((note) => note.startsWith('what stands beside the messages'));
    for (const name of lost) expect(beside).toContain(`\`${name}\``);
    for (const name of ['temperature', 'stop', 'seed', 'tool_choice', 'response_format', 'logprobs'])
      expect([name, beside?.includes(`\`${name}\``)]).toEqual([name, lost.includes(name) || to === 'vercel-model']);
  });

  it('are read from a request beside its reply, too', () => {
    const call = { request: chat, response: { choices: [{ message: { role: 'assistant', content: 'a' } }] } };
    const { value, notes } = converted(call, 'anthropic', 'openai-chat');
    expect([value['temperature'], notes.some((note) => note.includes('`logprobs`'))]).toEqual([0.5, true]);
  });

  it('come back as they were, where both have them', () => {
    const { seed: _, logprobs: __, stop, ...both } = chat;
    const back = converted(converted({ ...both, stop: [stop] }, 'gemini').value, 'openai-chat').value;
    expect(back).toEqual({
      ...{ ...both, stop: [stop] },
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema: { type: 'object' } } },
    });
  });

  it('a choice of a tool is left out where no tool is, and a temperature that is too high', () => {
    const { tools: _, ...none } = chat;
    const { value, notes } = converted({ ...none, temperature: 1.5 }, 'anthropic');
    expect([value['tool_choice'], value['temperature']]).toEqual([undefined, undefined]);
    expect(notes.join()).toMatch(/`temperature`.*the choice of a tool/);
  });

  it.each([
    ['claude-sonnet-4-5', 'openai-chat', true],
    ['gpt-4o', 'anthropic', true],
    ['gpt-4o', 'gemini', true],
    ['gpt-4o', 'bedrock', true],
    ['anthropic.claude-sonnet-4-5', 'bedrock', false],
    ['us.anthropic.claude-sonnet-4-5-v1:0', 'bedrock', false],
    ['gpt-4o', 'openai-responses', false],
    ['gemini-2.5-pro', 'gemini', false],
    ['llama-3', 'openai-compatible', false],
    ['gpt-4o', 'mistral', true],
  ])('the model %s for %s is said to be another provider’s: %s', (model, to, isSaid) => {
    const { notes } = converted({ model, messages: chat.messages }, to, 'openai-chat');
    expect(notes.some((note) => note.startsWith(`the model \`${model}\``))).toBe(isSaid);
  });
});

it('keeps a tool that the system adds, and moves pictures of the assistant to the user', () => {
  const added = { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'a' } }] };
  const user = { role: 'user', content: 'q' };
  const record = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [user, added, user] };
  expect(converted(record, 'anthropic', 'anthropic-messages').value['messages']).toEqual(record.messages);
  const image = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
  const { value } = converted([user, { role: 'assistant', content: [image] }, user], 'responses', 'vercel-model');
  const items = value['input'] as readonly { readonly role: string }[];
  expect(items.filter((item) => JSON.stringify(item).includes('input_image')).map(({ role }) => role)).toEqual([
    'user',
  ]);
});

describe('names of tools that the target refuses', () => {
  const called = (name: string) => ({ functionCall: { name, args: {} } });
  const history = {
    contents: [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [called('srv.run'), called('srv_run')] },
      {
        role: 'user',
        parts: ['srv.run', 'srv_run'].map((name) => ({ functionResponse: { name, response: { result: 'y' } } })),
      },
    ],
    tools: [{ functionDeclarations: [{ name: 'srv.run', parameters: { type: 'object' } }] }],
  };
  it.each(['anthropic', 'openai-responses', 'openai-chat', 'bedrock'])('are others in all places for %s', (to) => {
    const { text, notes } = converted(history, to);
    expect(text).not.toContain('srv.run');
    expect(text.match(/srv_run_2/g)).toHaveLength(2); // the call and the definition: results have ids there
    expect(notes).toContain('that a tool is named `srv.run`: it is `srv_run_2`');
  });
  it('stay for the same API', () => expect(converted(history, 'gemini').text).toContain('"srv.run"'));
});

it('two turns of the user are one where the API wants roles to alternate', () => {
  const messages = ['a', 'b'].map((content) => ({ role: 'user', content }));
  expect(converted({ messages }, 'gemini').value['contents']).toEqual([
    { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
  ]);
});

it('ids of calls have no characters that Claude on Bedrock refuses, whatever the model was', () => {
  const tool_calls = ['a.1', 'a:1'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }));
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: '', tool_calls },
    ...tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: id })),
  ];
  const { text } = converted({ model: 'gpt-4o', messages }, 'bedrock');
  expect(text.match(/(?<="toolUseId":")[^"]+/g)).toEqual(['a_1', 'a_1_2', 'a_1', 'a_1_2']);
});

it('an approval stays where it has a place, and is told elsewhere', () => {
  const [call, request] = [
    { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} },
    { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
  ];
  const response = { type: 'tool-approval-response', approvalId: 'p', approved: true };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: 'done' } };
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [call, request] },
    { role: 'tool', content: [response] },
    { role: 'tool', content: [result] },
  ];
  const [own, other] = ['vercel-model', 'openai-chat'].map((to) => converted({ messages }, to, 'vercel-model'));
  const note = 'that the user was asked to allow a call, and the answer';
  expect([own!.text.match(/approvalId/g)?.length, own!.notes.includes(note)]).toEqual([2, false]);
  expect([other!.text.includes('approval'), other!.notes.includes(note)]).toEqual([false, true]);
});

it.each<[boolean, object]>([
  [true, { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
  [true, { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }],
  [false, { type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }],
  [false, { type: 'input_audio', input_audio: 'AAAA' }],
  [true, { type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
  [false, { type: 'image_url', image_url: 'https://x.test/a.png' }],
  [true, { type: 'file', file: { file_id: 'f' } }],
  [false, { type: 'file', file: 'f' }],
  [false, { type: 'document_url', document_url: 'https://x.test/a.pdf' }],
])('media of an imitator that OpenAI takes, %s: %o', (isTaken, block) => {
  expect(formatNamed('openai-chat').encode!.canReuse!(parse(JSON.stringify(block)), 'media')).toBe(isTaken);
});
