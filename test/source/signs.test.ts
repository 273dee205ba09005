/**
 * What looks like a text, a call or a result in JSON of any origin: the shapes that providers and frameworks publish,
 * and what is near to them. What messages hold in other words is found again.
 */
import { describe, expect, it } from 'vitest';
import { type JsonNode, parse } from '../../src/json/node.js';
import { heldBy } from '../../src/source/unread/held.js';
import { isPlain } from '../../src/source/unread/plain.js';
import { looksLikeContent, signsIn } from '../../src/source/unread/search.js';
import { addUnread } from '../../src/source/unread/unread.js';
import type { Message } from '../../src/transcript/types.js';

const rootOf = (value: unknown) => parse(Buffer.from(JSON.stringify(value)));
const told = (value: unknown) => {
  const root = rootOf(value);
  return signsIn(root, []).map(
    ({ kind, node }) => `${kind} ${node.isString ? node.text : Object.keys(JSON.parse(node.json))}`,
  );
};

/** By the APIs' references, read on 2026-11-26. */
const PUBLISHED: readonly (readonly [origin: string, value: unknown, signs: readonly string[]])[] = [
  ['a chat message', { role: 'user', content: 'Hi' }, ['text Hi']],
  ['one with parts', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }, ['text Hi']],
  ['texts in a list', { role: 'user', content: ['Hi', '', 'you'] }, ['text Hi', 'text you']],
  [
    'calls of a chat',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    ['call id,type,function'],
  ],
  [
    'a call of goose',
    { type: 'toolRequest', id: 'c', toolCall: { status: 'success', value: { name: 'f', arguments: {} } } },
    ['call status,value'],
  ],
  ['a call of old', { role: 'assistant', function_call: { name: 'f', arguments: '{}' } }, ['call name,arguments']],
  ['a result of a chat', { role: 'tool', tool_call_id: 'c', content: 'x' }, ['result role,tool_call_id,content']],
  ['a result of old', { role: 'function', name: 'f', content: 'x' }, ['result role,name,content']],
  [
    'a call of Responses',
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ['call type,call_id,name,arguments'],
  ],
  [
    'a result of Responses',
    { type: 'function_call_output', call_id: 'c', output: 'x' },
    ['result type,call_id,output'],
  ],
  ['a call of Anthropic', { type: 'tool_use', id: 't', name: 'f', input: {} }, ['call type,id,name,input']],
  ['a call on its server', { type: 'server_tool_use', id: 't', name: 'f', input: {} }, ['call type,id,name,input']],
  ['a call of MCP', { type: 'mcp_tool_use', id: 't', name: 'f', input: {} }, ['call type,id,name,input']],
  [
    'a result of Anthropic',
    { type: 'tool_result', tool_use_id: 't', content: 'x' },
    ['result type,tool_use_id,content'],
  ],
  [
    'a result of its server',
    { type: 'web_search_tool_result', tool_use_id: 't', content: [] },
    ['result type,tool_use_id,content'],
  ],
  [
    'parts of Gemini',
    { role: 'model', parts: [{ text: 'Hi' }, { functionCall: { name: 'f', args: {} } }] },
    ['call name,args'],
  ],
  ['a result of Gemini', { parts: [{ functionResponse: { name: 'f', response: {} } }] }, ['result name,response']],
  [
    'a call of Bedrock',
    { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'f', input: {} } }] },
    ['call toolUseId,name,input'],
  ],
  [
    'a result of Bedrock',
    { content: [{ toolResult: { toolUseId: 't', content: [{ text: 'x' }] } }] },
    ['result toolUseId,content'],
  ],
  [
    'a call of the AI SDK',
    { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} },
    ['call type,toolCallId,toolName,input'],
  ],
  [
    'a result of the AI SDK',
    { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: {} },
    ['result type,toolCallId,toolName,output'],
  ],
  [
    'calls of a chat template',
    { toolCalls: [{ name: 'f' }], functionCalls: [{ name: 'g' }, 'x'] },
    ['call name', 'call name'],
  ],
  ['a message of ShareGPT', { from: 'human', value: 'Hi' }, ['text Hi']],
  ['a message of ChatGPT', { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } }, []],
  ['an event with a type', { type: 'agent_message', message: 'Hi' }, ['text Hi']],
  ['an event with a name', { kind: 'prompt', markdown: '# Hi' }, ['text # Hi']],
  [
    'what is inside of others',
    { a: [{ b: { role: 'user', content: 'Hi' } }, [[{ sender: 'bot', text: 'Yes' }]]] },
    ['text Hi', 'text Yes'],
  ],
];

const NONE: readonly (readonly [what: string, value: unknown])[] = [
  ['no role and no type', { content: 'Hi' }],
  ['another type', { type: 'status', text: 'Hi' }],
  ['an empty text', { role: 'user', content: '' }],
  ['nothing', { role: 'user', content: null, tool_calls: null }],
  ['tools', { role: 'system', tools: [{ type: 'function', name: 'f', text: 'x', role: 'user', content: 'x' }] }],
  ['a quotation', { reasoning: [{ type: 'text', text: 'Hm' }], citations: [{ type: 'text', text: 'x' }] }],
  ['what the agent ignores', { ignored: true, type: 'text', text: 'Hi' }],
  ['a call without a name', { function_call: { arguments: '{}' } }],
  ['a call that is a word', { tool_call: 'f' }],
  ['an answer without an id', { result: 'x' }],
  ['an id without an answer', { call_id: 'c', output: '' }],
  ['a type that is a long text', { type: `${'x'.repeat(61)}text`, text: 'Hi' }],
  ['lists of numbers', [[1, 2], [3]]],
];

/** Members in which content is described, quoted or explained. */
const ASIDE = [
  ...['tools', 'functions', 'tool_choice', 'response_format', 'input_schema', 'schema', 'logprobs'],
  ...['reasoning', 'reasoning_details', 'thinking', 'summary', 'citations', 'annotations'],
];

describe('signs', () => {
  it.each(ASIDE)('none within `%s`, but in a member beside it', (key) => {
    const content = { role: 'user', content: 'Hi' };
    expect(told({ [key]: content })).toEqual([]);
    expect(told({ [key]: [{ deep: content }], other: content })).toEqual(['text Hi']);
  });

  it.each(PUBLISHED)('%s', (_, value, signs) => {
    expect(told(value)).toEqual(signs);
    expect(isPlain(rootOf(value), [])).toBe(signs.length === 0);
    expect(looksLikeContent(rootOf(value))).toBe(signs.length > 0);
  });

  it.each(NONE)('none: %s', (_, value) => {
    expect(looksLikeContent(rootOf(value))).toBe(false);
    expect(told(value)).toEqual([]);
  });

  it('what is not ignored counts', () => {
    expect(told({ ignored: false, type: 'text', text: 'Hi' })).toEqual(['text Hi']);
    expect(told({ type: `${'x'.repeat(59)}text-`, text: 'Hi' })).toEqual(['text Hi']);
  });

  it('of what is covered there are none, nor of what holds it', () => {
    const root = rootOf([
      { role: 'user', content: 'Hi' },
      { type: 'tool_use', name: 'f', input: { a: 1 } },
    ]);
    const [message, call] = root.items() as [JsonNode, JsonNode];
    const count = (...cover: JsonNode[]) =>
      signsIn(
        root,
        cover.map(({ at }) => at),
      ).length;
    expect([count(), count(message), count(message.get('content')!), count(call.get('input')!)]).toEqual([2, 1, 1, 1]);
    expect([count(message, call), count(root)]).toEqual([0, 0]);
  });
});

describe('what messages hold in other words', () => {
  const messages = [
    {
      role: 'user',
      parts: [
        { type: 'text', text: ' Find it. ' },
        { type: 'text', text: 'Now.' },
      ],
      raw: undefined,
    },
    {
      role: 'assistant',
      parts: [{ type: 'call', callId: 'c1', tool: 'find', input: '{"query":"deep","n":[1]}' }],
      raw: undefined,
    },
    {
      role: 'tool',
      parts: [{ type: 'result', callId: 'c1', tool: 'find', content: [{ type: 'text', text: 'Found: 7' }] }],
      raw: undefined,
    },
  ] as unknown as readonly Message[];
  const isHeld = heldBy(messages);
  const held = (kind: 'text' | 'call' | 'result', value: unknown) => isHeld({ kind, node: rootOf(value) });

  it.each<['text' | 'call' | 'result', unknown, boolean]>([
    ['text', 'Find it.', true],
    ['text', '\nFind it. Now.\n', true],
    ['text', ' ', true],
    ['text', 'Find', true],
    ['text', 'Find that.', false],
    ['text', 'deep', true],
    ['text', 'attachment://0a1b', true],
    ['text', 'attachment:// 0a1b', false],
    ['text', '{"content":"Found: 7"}', true],
    ['text', '[{"text":"Found: 7"},{"text":"Now."}]', true],
    ['text', '[{"text":"Found: 7"},{"text":"Never."}]', false],
    ['text', '{"other":"Found: 7"}', false],
    ['text', '{"content":', false],
    ['call', { id: 'c1', name: 'find' }, true],
    ['call', { id: 'c2', name: 'find' }, false],
    ['call', { id: 'c1', name: 'look' }, false],
    ['call', { id: 'c1' }, false],
    ['call', { name: 'find', arguments: '{ "n": [1], "query": "deep" }' }, true],
    ['call', { tool_name: 'find', args: { query: 'deep', n: [1] } }, true],
    ['call', { toolName: 'find', input: { query: 'deep', n: [2] } }, false],
    ['call', { tool: 'find', parameters: { query: 'deep', n: [1] } }, true],
    ['call', { function: { name: 'find', arguments: '{"query":"deep","n":[1]}' } }, true],
    ['call', { id: 'c1', function: { name: 'find', arguments: '{}' } }, true],
    ['call', { tool_call: { function: { name: 'find' }, id: 'c1' } }, true],
    ['call', { callId: 'c1', functionCall: { name: 'find' } }, true],
    ['call', { toolCall: { tool: 'find', toolCallId: 'c1' } }, true],
    ['result', { tool_call_id: 'c1' }, true],
    ['result', { call_id: 'c1', output: 'other' }, true],
    ['result', { toolUseId: 'c9', content: [{ text: 'Found: 7' }] }, true],
    ['result', { tool_use_id: 'c9', result: { value: 'Found: 8' } }, false],
    ['result', { uuid: 'c1' }, true],
    ['result', { tool_id: 'c9' }, false],
  ])('%s %o: %s', (kind, value, is) => {
    expect(held(kind, value)).toBe(is);
  });

  it('are searched for within longer texts 200 times', () => {
    const isHeldThen = heldBy(messages);
    const inText = () => isHeldThen({ kind: 'text', node: rootOf('ound') });
    expect(Array.from({ length: 201 }, inText).indexOf(false)).toBe(200);
    expect(isHeldThen({ kind: 'text', node: rootOf('Now.') })).toBe(true);
  });
});

it('sums of what was not read begin at the first line', () => {
  const one = { rows: 1, calls: 2, results: 3, texts: 4, line: 9 };
  const other = { rows: 10, calls: 20, results: 30, texts: 40, line: 5 };
  expect(addUnread(one, other)).toEqual({ rows: 11, calls: 22, results: 33, texts: 44, line: 5 });
  expect([addUnread(one, undefined), addUnread(undefined, other), addUnread(undefined, undefined)]).toEqual([
    one,
    other,
    undefined,
  ]);
});
