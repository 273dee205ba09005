/**
 * inject over every recording: once is enough, nothing breaks, and what it puts in is there when the result is read
 * again.
 */
import { describe, expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';
import { stepsOf } from '../../src/engine/steps.js';
import { queryHistory } from '../../src/policy/query-history/index.js';
import { providers } from '../../src/rules/providers.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { ContentPart, Part, Transcript } from '../../src/transcript/types.js';
import type { Step } from '../../src/transforms/pipeline.js';
import { ALL } from '../shared/effort.js';
import { complaints, judged, judgedAs } from '../shared/judge.js';
import { openText } from '../shared/opened.js';
import { fixtures, sampled } from '../shared/recordings.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';

const EN = { policy: queryHistory.prompt };
const RULES = '## When to call query_history';

/** Where it does not hold, and why. */
const EXCEPT: Readonly<Record<string, string>> = {
  'langchain/hand-plain.json':
    'its user messages are spelled as in OpenAI chat: so is what is added beside them, and the whole is then taken ' +
    'for that',
  'langfuse/hand-shapes.jsonl': 'an observation whose output alone is recorded has no place for a prompt',
  'otlp/hand-genai.jsonl': 'two spans of a trace tell of one conversation, of which one now begins otherwise',
};

const recordings = fixtures().filter(({ name }) => !(name in EXCEPT));

/** One after the other is tried, by turns. */
const OPTIONS: readonly (readonly [name: string, options: Readonly<Record<string, unknown>>])[] = [
  ['a policy', EN],
  ['in Japanese, with a message', { ...EN, lang: 'ja', user: '続けてください' }],
  ['a system prompt', { system: 'Be brief.\n' }],
];
const SAMPLE = sampled(recordings, 'transforms/inject').map((recording, at) => ({
  ...recording,
  trials: OPTIONS.filter((_, index) => ALL || index === at % OPTIONS.length),
}));

describe.each(SAMPLE)('$name', ({ bytes, trials }) => {
  const text = bytes.toString();
  const before = judged(text);
  const { format } = before.opened.detection;

  it.each(trials)('%s', (_, options) => {
    const output = rewriteText(text, 'inject', options);
    const after = judgedAs(format.id, output);
    // the system prompt and the tools that stand beside the messages are meant to change
    expect(complaints(before, after).filter((complaint) => !complaint.startsWith('what stands '))).toEqual([]);
    expect(rewriteText(output, 'inject', options) === output).toBe(true);
  });

  it('is read again as it was put in', () => {
    const after = judged(rewriteText(text, 'inject', EN), format.id).opened.transcripts;
    after.forEach((transcript, index) => {
      const old = before.opened.transcripts[index]!;
      if (old.abandoned !== undefined) return; // nothing is added to what the user left
      if (!old.traits.isReply && (hasSystem(old) || old.takesSystem?.() !== undefined))
        expect(systemOf(transcript)).toContain(RULES);
      const calls = transcript.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'call' ? [part.tool] : [])),
      );
      const takesCalls =
        old.traits.callsNeedTools !== true ||
        old.tools !== undefined ||
        old.messages.some(({ parts }) => parts.some(({ type }) => type === 'call'));
      if (!old.traits.isReply && takesCalls && old.messages.some(({ role }) => role === 'user'))
        expect(calls).toEqual(expect.arrayContaining(['query_history', 'read_file']));
    });
  });
});

function hasSystem({ messages }: Transcript): boolean {
  const spoken = messages.find(({ role }) => role !== 'meta');
  return spoken?.role === 'system' && spoken.parts.some(({ type }) => type === 'text');
}

function systemOf({ messages }: Transcript): string {
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ parts }) => joinTexts(parts.filter((part): part is ContentPart => part.type === 'text')))
    .join('\n');
}

describe('what a policy puts in is a history that each provider takes', () => {
  const definition = { name: 'query_history', description: 'old', parameters: { type: 'object', properties: {} } };
  const SAID: Readonly<Record<string, object>> = {
    'openai-chat': { messages: [{ role: 'user', content: 'x' }] },
    'openai-responses': {
      tools: [{ type: 'function', ...definition }],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }],
    },
    'anthropic-messages': { system: 'Be brief.', messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
    'gemini-contents': { model: 'gemini-3-pro', contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
    'bedrock-converse': {
      toolConfig: {
        tools: [{ toolSpec: { name: 'query_history', description: 'old', inputSchema: { json: { type: 'object' } } } }],
      },
      messages: [{ role: 'user', content: [{ text: 'x' }] }],
    },
    'gemini-interactions': {
      model: 'gemini-3.5-flash',
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'x' }] }],
    },
    'ollama-chat': { model: 'qwen3', messages: [{ role: 'user', content: 'x' }], options: {} },
  };
  /** Models whose API wants more of made-up calls, which only their name tells. */
  const MODELS: Readonly<Record<string, object>> = {
    deepseek: { model: 'deepseek-v4-pro' },
    moonshot: { model: 'kimi-k2.6' },
    'openai-compatible': { model: 'google/diffusiongemma-26b-a4b-it' },
  };
  it.each(
    providers.flatMap(({ id, format }) => (['en', 'zh', 'ja'] as const).map((lang) => [id, format, lang] as const)),
  )('%s (%s), %s', (provider, format, lang) => {
    const record = { ...SAID[format], ...MODELS[provider] };
    const output = rewriteText(JSON.stringify(record), 'inject', { ...EN, lang });
    expect(output).toContain('query_history');
    const disable = ['core/tool-unknown']; // the examples also call tools that this history does not define
    expect(check(output, { from: format, provider, asRequest: true, disable })).toEqual([]);
    expect(check(output, { from: format, provider, disable })).toEqual([]);
  });
});

it('says what it could not put in', () => {
  const told = (record: object, options: object) => {
    const [transcript] = openText(JSON.stringify(record)).transcripts;
    const [step] = stepsOf([{ transform: 'inject', ...options }]) as [Step];
    return step.transform.shortfall!(
      step.transform.apply(transcript!, step.values, CHARACTERS),
      step.values,
      CHARACTERS,
    );
  };
  const bedrock = { messages: [{ role: 'user', content: [{ text: 'x' }] }] };
  const called = [{ role: 'assistant', parts: [{ type: 'call', callId: 'a', tool: 'f', input: '{}' }] }];
  expect(told(bedrock, { fewShot: called })).toBe(
    'added no examples: their calls would need tool definitions, of which it has none',
  );
  expect(told(bedrock, { fewShot: [{ role: 'assistant', parts: [{ type: 'text', text: 'y' }] }] })).toBeUndefined();
  const reply = { choices: [{ message: { role: 'assistant', content: 'z' } }] };
  const noPlace = 'added no user message: this recording has no place for one';
  expect(told({ request: bedrock, response: reply }, { user: 'y' })).toBe(noPlace);
  expect(told({ id: 'p', messageID: 'm', type: 'tool', callID: 'c', tool: 'f', state: {} }, { user: 'y' })).toBe(
    noPlace,
  );
  expect(told(bedrock, { user: 'y' })).toBeUndefined();
  expect(told(bedrock, { policy: queryHistory.prompt })).toMatch(/^added no examples/);
  expect(
    told(
      { messages: [{ role: 'user', content: 'x' }] },
      { policy: queryHistory.prompt, toolDescription: [['ls', 'lists']] },
    ),
  ).toBe('added no description of ls: no such tool is defined in this recording');
});

describe('tool definitions', () => {
  const parameters = { type: 'object', properties: { query: { type: 'string' } } };
  const call = {
    openai: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'query_history', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'r' },
    ],
  };
  const blocks = [
    { role: 'user', content: [{ type: 'text', text: 'x' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'query_history', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'r' }] },
  ];
  it.each([
    [
      'openai-chat',
      {
        tools: [{ type: 'function', function: { name: 'query_history', description: 'old', parameters } }],
        messages: call.openai,
      },
    ],
    [
      'anthropic-messages',
      { tools: [{ name: 'query_history', description: 'old', input_schema: parameters }], messages: blocks },
    ],
    [
      'openai-responses',
      {
        tools: [{ type: 'function', name: 'query_history', description: 'old', parameters }],
        input: [
          { type: 'message', role: 'user', content: 'x' },
          { type: 'function_call', call_id: '1', name: 'query_history', arguments: '{}' },
          { type: 'function_call_output', call_id: '1', output: 'r' },
        ],
      },
    ],
    [
      'gemini-contents',
      {
        tools: [{ functionDeclarations: [{ name: 'query_history', description: 'old', parameters }] }],
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          { role: 'model', parts: [{ functionCall: { name: 'query_history', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'query_history', response: { output: 'r' } } }] },
        ],
      },
    ],
    [
      'bedrock-converse',
      {
        toolConfig: {
          tools: [{ toolSpec: { name: 'query_history', description: 'old', inputSchema: { json: parameters } } }],
        },
        messages: [
          { role: 'user', content: [{ text: 'x' }] },
          { role: 'assistant', content: [{ toolUse: { toolUseId: '1', name: 'query_history', input: {} } }] },
          { role: 'user', content: [{ toolResult: { toolUseId: '1', content: [{ text: 'r' }] } }] },
        ],
      },
    ],
    [
      'sharegpt',
      {
        tools: JSON.stringify([{ name: 'query_history', description: 'old', parameters }]),
        conversations: [
          { from: 'human', value: 'x' },
          { from: 'gpt', value: 'y' },
        ],
      },
    ],
  ])('%s: the description and the parameter are where they belong, and the rest stays', (format, record) => {
    const text = JSON.stringify({ before: 1.0, ...record, after: '\u00e9' });
    const output = rewriteText(text, 'inject', EN);
    const { detection, transcripts } = judged(output).opened;
    expect(detection.format.id).toBe(format);
    const tools = textOf(transcripts[0]!.tools!);
    expect(tools).not.toContain('"old"');
    expect(tools.replaceAll('\\', '')).toContain('ONLY for questions about past talk');
    expect(tools.replaceAll('\\', '')).toContain('"time_range":{"type":"string","enum":["recent","all"]');
    expect(tools.replaceAll('\\', '')).toContain('"query":{"type":"string"}');
    expect(systemOf(transcripts[0]!)).toContain(RULES);
    expect(rewriteText(output, 'inject', EN)).toBe(output);
  });

  it('in the header of a log', () => {
    const log = [
      '{"type":"session_meta","payload":{"id":"a","cwd":"/","dynamic_tools":[{"name":"query_history",' +
        '"description":"old","inputSchema":{"type":"object","properties":{}}}]}}',
      '{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text",' +
        '"text":"x"}]}}',
      '',
    ].join('\n');
    const output = rewriteText(log, 'inject', { toolDescription: [['query_history', 'new']] });
    expect(output).toBe(log.replace('"old"', '"new"'));
  });

  it('a description of your own wins over that of the policy, and its parameters stay', () => {
    const text = JSON.stringify({
      tools: [{ type: 'function', function: { name: 'query_history', parameters } }],
      messages: call.openai,
    });
    const output = rewriteText(text, 'inject', { ...EN, toolDescription: [['query_history', 'mine\n']] });
    expect(output).toContain('"description":"mine"');
    expect(output).toContain('time_range');
  });
});

it('adds to the system prompt that is there, with every byte around it', () => {
  const text = '{"messages": [ {"role":"system", "content":"Be kind.", "x": 1.0}, {"role":"user","content":"hi"} ]}\n';
  expect(rewriteText(text, 'inject', { system: 'Be brief.\n' })).toBe(
    text.replace('Be kind.', 'Be kind.\\n\\nBe brief.'),
  );
});

it.each([
  ['an image', { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
  ['what is not known', { later: 'Be kind.' }],
])('adds to a system prompt of %s', (_, part) => {
  const request = (...parts: readonly object[]) =>
    JSON.stringify({ systemInstruction: { parts }, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  expect(rewriteText(request(part), 'inject', { system: 'Be brief.' })).toBe(request(part, { text: 'Be brief.' }));
});

it('gives a list of Anthropic messages no system message, which its API would refuse', () => {
  const text =
    '[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"assistant","content":[{"type":"tool_use",' +
    '"id":"1","name":"t","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1",' +
    '"content":"r"}]}]';
  expect(rewriteText(text, 'inject', { system: 'Be brief.' })).toBe(text);
});

it('knows an example by what the model says in it: some logs keep nothing else', () => {
  const example = (role: 'user' | 'assistant', text: string) => ({ role, parts: [{ type: 'text', text }] });
  const shown = [example('user', 'Which day?'), example('assistant', 'Friday.')];
  const chat = (...texts: string[]) =>
    JSON.stringify(texts.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content })));
  const known = chat('When?', 'Friday.', 'Thanks');
  expect(rewriteText(known, 'inject', { fewShot: shown })).toBe(known);
  const asked = chat('Which day?', 'Monday.', 'Thanks');
  expect(rewriteText(asked, 'inject', { fewShot: shown })).toContain('Friday.');
  const questions = shown.slice(0, 1);
  expect(rewriteText(asked, 'inject', { fewShot: questions })).toBe(asked);
  expect(JSON.parse(rewriteText(known, 'inject', { fewShot: questions }))).toHaveLength(4);
});

describe('examples of another format', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const anthropic = [
    { role: 'user', content: [text('How '), text('warm?')] },
    {
      role: 'assistant',
      content: [text('I '), text('look.'), { type: 'tool_use', id: 't', name: 'warm', input: { a: 1 } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '20' }] },
    { role: 'assistant', content: '20 degrees.' },
  ];
  const plain = <P extends Part>(part: P): P => ({ ...part, raw: undefined });
  const fewShot = openText(JSON.stringify(anthropic)).transcripts[0]!.messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) =>
      plain(part.type === 'result' ? { ...part, content: part.content.map((piece) => plain(piece)) } : part),
    ),
  }));
  const written = (record: object) => {
    const once = rewriteText(JSON.stringify(record), 'inject', { fewShot });
    expect(rewriteText(once, 'inject', { fewShot })).toBe(once);
    return JSON.parse(once);
  };

  it('have arguments that are a text for OpenAI', () => {
    const { messages } = written({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] });
    expect(messages[1].tool_calls[0].function).toEqual({ name: 'warm', arguments: '{"a":1}' });
  });

  it('have results that name their tool for Gemini', () => {
    const { contents } = written({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
    expect(contents[2].parts).toEqual([{ functionResponse: { id: 't', name: 'warm', response: { result: '20' } } }]);
  });

  it('have one text a message for version 1 of Cohere, and are put in once', () => {
    const history = [{ role: 'USER', message: 'Hi' }];
    expect(written({ chat_history: history, message: 'And now?' }).chat_history).toEqual([
      { role: 'USER', message: 'How warm?' },
      { role: 'CHATBOT', message: 'I look.', tool_calls: [{ name: 'warm', parameters: { a: 1 } }] },
      { role: 'TOOL', tool_results: [{ call: { name: 'warm', parameters: { a: 1 } }, outputs: [{ text: '20' }] }] },
      { role: 'CHATBOT', message: '20 degrees.' },
      ...history,
    ]);
  });
});
