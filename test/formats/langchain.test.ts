import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import langchain from '../../src/formats/langchain/langchain.js';
import { writeContent } from '../../src/formats/langchain/langchain-content.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const recording = (name: string) => fixture(`langchain/${name}`);
const requestsIn = (name: string) => recordedIn(recording(name)).filter((recorded) => recorded !== undefined);
const filtered = (name: string, maxToolCalls: number) =>
  rewriteText(recording(name), 'filter', { maxToolCalls, everything: true });

it('reads model, time and usage of each reply', () => {
  expect(requestsIn('react-agent-tool-calling.json')[0]).toEqual({
    responseId: 'resp_07c65bfd34e192ce006941ac45415c8196b267bbee7eb782ca',
    requestId: 'run-019b2888-ee10-7000-8000-09947d4d7fff',
    model: 'gpt-5-2025-08-07',
    time: 1765911621000,
    usage: { input: 346, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 126, reasoning: 64 },
  });
  expect(requestsIn('summarization-seed.json')[0]!.usage).toEqual({
    input: 3,
    cacheRead: 0,
    cacheWrite5m: 6717,
    cacheWrite1h: 0,
    output: 116,
    reasoning: 0,
  });
});

it("separates cached input, and falls back to the provider's figures", () => {
  const [streamed, plain] = requestsIn('hand-flat.jsonl');
  expect(streamed).toMatchObject({
    model: 'claude-sonnet-4-5',
    usage: { input: 500, cacheRead: 3000, cacheWrite5m: 500, cacheWrite1h: 1000, output: 60, reasoning: 20 },
  });
  expect(plain).toMatchObject({ model: 'gpt-4o-2024-08-06', usage: { input: 16, cacheRead: 64, output: 9 } });
});

it('reads the tools of a run, and usage beside the reply', () => {
  const { transcripts } = openText(recording('hand-runs.jsonl'));
  expect(
    transcripts.map(({ id, model, tools, reply, messages }) => [
      id,
      model,
      tools !== undefined,
      reply,
      messages.length,
    ]),
  ).toEqual([
    ['run-1', 'claude-sonnet-4-5', false, undefined, 4],
    [
      'run-2',
      'gpt-4o',
      true,
      {
        model: 'gpt-4o',
        time: 1767607200000,
        usage: { input: 60, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 3, reasoning: 0 },
      },
      4,
    ],
  ]);
});

it.each([
  ['hand-flat.jsonl', 1, ['toolu_1'], ['toolu_2', 'call_3']],
  ['react-agent-tool-calling.json', 1, ['call_lxFuvuhpu9gvtx04WrmXZF9h'], ['call_U3RijXRN09TXMyKWFZwqWjnJ']],
  ['hand-state.json', 1, ['call_1'], ['call_2']],
  ['hand-run.json', 0, ['toolu_9'], []],
  ['hand-runs.jsonl', 0, ['toolu_9'], []],
])(
  '%s: a call that goes is nowhere left, and one that stays is everywhere it was',
  (name, maxToolCalls, gone, kept) => {
    const [before, after] = [recording(name), filtered(name, maxToolCalls)];
    const times = (text: string, id: string) => text.split(`"${id}"`).length - 1;
    expect(gone.map((id) => times(after, id))).toEqual(gone.map(() => 0));
    expect(kept.map((id) => times(after, id))).toEqual(kept.map((id) => times(before, id)));
  },
);

it('changes all copies of a result in a state', () => {
  const { values, metadata } = JSON.parse(
    rewriteText(recording('hand-state.json'), 'truncate', { maxLength: 60, noMinimum: true }),
  ) as { values: { messages: unknown[] }; metadata: { writes: { tools: { messages: unknown[] } } } };
  expect(JSON.stringify(values.messages[2])).toContain('truncated');
  expect(metadata.writes.tools.messages[0]).toEqual(values.messages[2]);
});

it('adds messages in the spelling of their neighbors', () => {
  const last = (name: string, at: (value: never) => unknown) =>
    at(JSON.parse(rewriteText(recording(name), 'patch', {})) as never);
  expect(last('summarization-seed.json', (list: unknown[]) => list[2])).toMatchObject({
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'ToolMessage'],
    kwargs: {
      type: 'tool',
      name: 'read_file',
      tool_call_id: 'toolu_01GpVtQeMvUrxeadUVFbNruF',
      status: 'error',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  expect(last('hand-batch.json', ({ messages }: { messages: unknown[][] }) => messages[0]![3])).toMatchObject({
    type: 'tool',
    data: { type: 'tool', name: 'g', tool_call_id: 'call_1', additional_kwargs: {}, id: null },
  });
  const compact = rewriteText(recording('hand-flat.jsonl'), 'patch', {})
    .split('\n')[7]!
    .replace(/([:,]) /g, '$1');
  expect(compact.replace(/"id":"[0-9a-f-]{36}"/, '"id":"UUID"')).toContain(
    '"additional_kwargs":{},"response_metadata":{},"type":"tool","id":"UUID","name":"find_order",' +
      '"tool_call_id":"call_3","status":"error"',
  );
});

it('reads the JSON of LangChain.js as its instances: calls that it sends, and content under both names', () => {
  const call = { id: 'a', name: 'f', args: {}, type: 'tool_call' };
  const kwargs = {
    content_blocks: [{ type: 'text', text: 'I ask.' }, call],
    tool_calls: [call],
    invalid_tool_calls: [{ id: 'b', name: 'f', args: '{', type: 'invalid_tool_call' }],
  };
  const serialized = (...classPath: string[]) =>
    JSON.stringify([{ lc: 1, type: 'constructor', id: [...classPath, 'AIMessage'], kwargs }]);
  const partsOf = (text: string) =>
    openText(text).transcripts[0]!.messages[0]!.parts.map((part) =>
      part.type === 'call' ? part.callId : part.type === 'text' && textOf(part.text),
    );
  expect(partsOf(serialized('langchain_core', 'messages'))).toEqual(['I ask.', 'a']);
  expect(partsOf(serialized('langchain', 'schema', 'messages'))).toEqual(['I ask.', 'a', 'b']);
  const [message] = JSON.parse(rewriteText(serialized('langchain_core', 'messages'), 'strip', { keepText: true }));
  expect(message.kwargs).toEqual({ ...kwargs, content_blocks: [kwargs.content_blocks[0]], tool_calls: [] });
});

it("reads a custom tool's call under the id that its result has", () => {
  const { messages } = openText(recording('js-instances.json')).transcripts[0]!;
  const parts = messages.flatMap((message) => message.parts);
  expect(parts.filter(({ type }) => type === 'call')).toContainEqual(
    expect.objectContaining({ callId: 'call_6', tool: 'note' }),
  );
  expect(rewriteText(recording('js-instances.json'), 'filter', { maxToolCalls: 0 })).not.toContain('ctc_6');
});

it('keeps the piece of a call that is read as none where the text beside it changes', () => {
  const PIECE = { type: 'input_json_delta', input: '{"a":', index: 1 };
  const USE = { type: 'tool_use', id: 'c', name: 'f', input: {} };
  const ai = (...content: readonly unknown[]) => ({ type: 'ai', data: { content } });
  const text = JSON.stringify([{ type: 'human', data: { content: 'Hi' } }, ai('long', PIECE, USE)]);
  const after = (change: (part: Part) => Part[]) =>
    JSON.parse(
      mapText(text, (transcript) => ({
        ...transcript,
        messages: transcript.messages.map((message) => ({ ...message, parts: message.parts.flatMap(change) })),
      })),
    )[1].data.content;
  const cut = (part: Part): Part[] => [part.type === 'text' && part.text !== 'Hi' ? { ...part, text: 'cut' } : part];
  expect(after(cut)).toEqual(['cut', PIECE, USE]);
  expect(after((part) => (part.type === 'call' ? [] : [part]))).toEqual(['long', PIECE]);
});

it.each<[unknown, unknown]>([
  [{ type: 'text', text: 'x' }, 'x'],
  [[], ''],
  [{ type: 'thinking', text: 'x' }, [{ type: 'thinking', thinking: 'x' }]],
  [
    [
      { type: 'thinking', text: 'x' },
      { type: 'text', text: 'y' },
    ],
    [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'y' },
    ],
  ],
])('writes a content of %j anew', (parts, expected) => {
  const written = writeContent([parts].flat() as Part[], parse('"old"'));
  expect(JSON.parse(printed(written!))).toEqual(expected);
});

describe('the calls of a message', () => {
  const TOOL_CALL = { id: 'c', name: 'f', args: { a: 1 }, type: 'tool_call' };
  const CHAT = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  const RESPONSES = { type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: '{"a":1}' };
  const INVALID = { id: 'c', name: 'f', args: '{', type: 'invalid_tool_call' };
  const other = { ...TOOL_CALL, id: 'd', name: 'g' };
  const ofPython = (data: object) => ({ type: 'ai', data: { content: '', ...data } });
  const ofJs = (kwargs: object) => ({
    ...{
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessage'],
      kwargs: { content: '', ...kwargs },
    },
  });
  const idsIn = (message: object) =>
    langchain.read(parse(JSON.stringify(message)), false).parts.flatMap((part) => {
      return part.type === 'call' ? [part.callId] : [];
    });

  it.each<[string, object, readonly unknown[], readonly unknown[]]>([
    ['`tool_calls`', { tool_calls: [TOOL_CALL] }, ['c'], ['c']],
    ['the content', { content: [TOOL_CALL] }, ['c'], ['c']],
    ['the content, if they are invalid', { content: [INVALID] }, ['c'], []],
    ['`invalid_tool_calls`', { invalid_tool_calls: [INVALID] }, ['c'], []],
    ['`additional_kwargs`', { additional_kwargs: { tool_calls: [CHAT] } }, ['c'], ['c']],
    [
      '`additional_kwargs` beside others',
      { tool_calls: [other], additional_kwargs: { tool_calls: [CHAT] } },
      ['d', 'c'],
      ['d'],
    ],
    ['`tool_call_chunks`', { tool_call_chunks: [{ ...TOOL_CALL, args: '{}', index: 0 }] }, ['c'], []],
    ['the output of the Responses API', { response_metadata: { output: [RESPONSES] } }, ['c'], ['c']],
    ['the outputs of tools', { additional_kwargs: { tool_outputs: [RESPONSES] } }, ['c'], ['c']],
    ['no block of another type', { response_metadata: { output: [{ ...RESPONSES, type: 'message' }] } }, [], []],
    ['nothing without an id and a name', { tool_calls: [{ args: {} }] }, [], []],
    ['several of them once', { tool_calls: [TOOL_CALL], response_metadata: { output: [RESPONSES] } }, ['c'], ['c']],
  ])('are in %s', (_, fields, python, js) => {
    expect(idsIn(ofPython(fields))).toEqual(python);
    expect(idsIn(ofJs(fields))).toEqual(js);
  });
});

it.each<[object, object]>([
  [{ id: 'a', thread_id: 'b' }, { id: 'a' }],
  [{ id: '', thread_id: 'b' }, { id: 'b' }],
  [{ id: 5, config: { configurable: { thread_id: 'c' } }, metadata: { thread_id: 'd' } }, { id: 'c' }],
  [{ metadata: { thread_id: 'd' } }, { id: 'd' }],
  [{ extra: { metadata: { ls_model_name: 'a' }, invocation_params: { model: 'b' } } }, { model: 'a' }],
  [{ extra: { invocation_params: { model: 'b', model_name: 'c' } } }, { model: 'b' }],
  [{ extra: { invocation_params: { model_name: 'c' } } }, { model: 'c' }],
  [{ outputs: { llm_output: { model_name: 'd' } } }, { model: 'd' }],
  [{ extra: { invocation_params: { tools: 'x' } } }, {}],
])('a record of %j has %j', (record, expected) => {
  const described = langchain.describe!(parse(JSON.stringify(record)));
  expect(Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined))).toEqual(expected);
});

it.each(['token_usage', 'tokenUsage'])('a record counts its request by `%s`', (key) => {
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const record = (message: object) => ({
    end_time: '2026-01-02T03:04:05Z',
    outputs: { generations: [[{ message }]], llm_output: { model_name: 'm', [key]: usage } },
  });
  const replyOf = (message: object) => langchain.describe!(parse(JSON.stringify(record(message)))).reply;
  const silent = { type: 'ai', content: 'x' };
  expect(replyOf(silent)).toMatchObject({
    ...{ model: 'm', time: Date.UTC(2026, 0, 2, 3, 4, 5), usage: { input: 5, output: 2 } },
  });
  // its own counts come first
  expect(replyOf({ ...silent, usage_metadata: { input_tokens: 5, output_tokens: 2 } })).toBeUndefined();
});

describe('the reasoning of OpenAI Responses, which stands beside the content', () => {
  const summary = [
    { type: 'summary_text', text: 'Look first.', index: 0 },
    { type: 'summary_text', text: 'Then say.', index: 1 },
  ];
  const item = { id: 'rs_1', type: 'reasoning', summary };
  const reply = {
    ...{ type: 'ai', content: 'Said.', additional_kwargs: { reasoning: item } },
    response_metadata: { output: [item, { id: 'msg_1', type: 'message' }] },
  };
  const text = JSON.stringify([{ type: 'human', content: 'q' }, reply]);
  const thoughtsIn = (written: string) =>
    openText(written).transcripts[0]!.messages[1]!.parts.flatMap((part) =>
      part.type === 'thinking' ? [textOf(part.text)] : [],
    );

  it('is read as thoughts', () => {
    expect(thoughtsIn(text)).toEqual(['Look first.', 'Then say.']);
  });

  it('goes from both places, whose items stay: a call must follow its item', () => {
    const [, pruned] = JSON.parse(rewriteText(text, 'prune', { reasoning: true, scope: 'history' }));
    const [, whole] = JSON.parse(
      mapText(text, (transcript) => ({
        ...transcript,
        messages: transcript.messages.map((message) => ({
          ...message,
          parts: message.parts.filter(({ type }) => type !== 'thinking'),
        })),
      })),
    );
    const bare = { ...item, summary: [] };
    expect(whole.additional_kwargs.reasoning).toEqual(bare);
    expect(whole.response_metadata.output).toEqual([bare, { id: 'msg_1', type: 'message' }]);
    expect(pruned).toEqual(reply); // the last reply keeps what it thought
  });

  it('changes in both places', () => {
    const after = mapText(text, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) => ({
        ...message,
        parts: message.parts.flatMap((part): Part[] =>
          part.type !== 'thinking' ? [part] : textOf(part.text) === 'Then say.' ? [{ ...part, text: 'Say it.' }] : [],
        ),
      })),
    }));
    const [, { additional_kwargs, response_metadata }] = JSON.parse(after);
    const changed = { ...item, summary: [{ ...summary[1], text: 'Say it.' }] };
    expect([additional_kwargs.reasoning, response_metadata.output[0]]).toEqual([changed, changed]);
    expect(thoughtsIn(after)).toEqual(['Say it.']);
  });
});

it('reads the summaries of reasoning among its blocks, and writes them', () => {
  const text = readFileSync('fixtures/formats/langchain/hand-summaries.json', 'utf8');
  const { messages } = openText(text).transcripts[0]!;
  expect(
    messages[1]!.parts.map((part) => (part.type === 'thinking' ? textOf(part.text).slice(0, 14) : part.type)),
  ).toEqual(['**Asking the c', '**Deciding** O', 'call']);
  const after = mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.map((message) => ({
      ...message,
      parts: message.parts.flatMap((part): Part[] => {
        if (part.type !== 'thinking') return [part];
        return textOf(part.text).startsWith('**Deciding') ? [{ ...part, text: 'Decided.' }] : [];
      }),
    })),
  }));
  const [, asked, , said] = JSON.parse(after).messages;
  expect(asked.content.map(({ type }: { type: string }) => type)).toEqual(['reasoning', 'function_call']);
  expect(asked.content[0]).toEqual({
    ...{ type: 'reasoning', id: 'rs_1', encrypted_content: 'ZW5jcnlwdGVk' },
    summary: [{ type: 'summary_text', text: 'Decided.' }],
  });
  expect(said.content.map(({ type }: { type: string }) => type)).toEqual(['text']);
  expect(rewriteText(text, 'prune', { reasoning: true })).not.toContain('rs_');
});

it('adds a message beside one whose class is not stated', () => {
  const message = (type: string, content: string) => ({
    lc: 1,
    type: 'constructor',
    id: ['m', type],
    kwargs: { content },
  });
  const { id: _, ...unnamed } = message('HumanMessage', 'hi');
  const text = JSON.stringify([unnamed, message('AIMessage', 'Hello.')]);
  expect(rewriteText(text, 'inject', { user: 'Go on.', system: 'Be brief.' })).toContain('Go on.');
});

it('a call of Google that `function_call` repeats is one, and changes in both places', () => {
  const call = (args: object) => ({
    content: '',
    additional_kwargs: { function_call: { name: 'look', arguments: JSON.stringify(args) } },
    tool_calls: [{ name: 'look', args, id: 'uuid-1', type: 'tool_call' }],
  });
  const messages = (args: object) => [
    { type: 'human', content: 'Hi' },
    { type: 'ai', ...call(args) },
    { type: 'tool', content: 'seen', tool_call_id: 'uuid-1', name: 'look' },
  ];
  const text = JSON.stringify({ messages: messages({ b: 2 }) });
  expect(openText(text).transcripts[0]!.messages[1]!.parts.slice(1)).toMatchObject([{ callId: 'uuid-1' }]);
  const cleared = rewriteText(text, 'clear', { trigger: 0, keep: 0, clearInputs: true, minSize: 0 });
  expect(JSON.parse(cleared).messages.slice(0, 2)).toEqual(messages({}).slice(0, 2));
});

it('reads the usage of a response of OpenAI where LangChain has none of its own', () => {
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 20 };
  const reply = { type: 'ai', content: 'Hello', response_metadata: { id: 'resp_1', model_name: 'gpt-5', usage } };
  const [, recorded] = recordedIn(JSON.stringify({ messages: [{ type: 'human', content: 'Hi' }, reply] }));
  expect(recorded).toMatchObject({ responseId: 'resp_1', usage: { input: 60, cacheRead: 40, output: 20 } });
});
