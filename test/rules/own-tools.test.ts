/** Calls against the tools that the record itself defines, in each format, and what must not be taken for a fault. */
import { describe, expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';

const OWN = ['core/tool-unknown', 'core/arguments-invalid'];
const told = (record: object) =>
  check(JSON.stringify(record))
    .filter(({ rule }) => OWN.includes(rule))
    .map(({ rule, severity, message }) => `${severity} ${rule}: ${message.replace(/^the call of /, '')}`);

type Make = (name: string, args: object, tools?: object[]) => object;
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const user = { role: 'user', content: 'x' };
const chatTool = { type: 'function', function: { name: 'ls', parameters: SCHEMA } };

const chat: Make = (name, args, tools = [chatTool]) => ({
  model: 'gpt-4.1',
  tools,
  messages: [
    user,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'a' },
  ],
});
const fineTuning: Make = (name, args, tools) => {
  const { model: _, ...line } = chat(name, args, tools) as { model: string };
  return { ...line, parallel_tool_calls: false };
};
const responses: Make = (name, args, tools = [{ type: 'function', name: 'ls', parameters: SCHEMA }]) => ({
  model: 'gpt-5',
  tools,
  input: [
    user,
    { type: 'function_call', call_id: 'c', name, arguments: JSON.stringify(args) },
    { type: 'function_call_output', call_id: 'c', output: 'a' },
  ],
});
const anthropic: Make = (name, input, tools = [{ name: 'ls', input_schema: SCHEMA }]) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 9,
  tools,
  messages: [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }] },
  ],
});
const GEMINI = { type: 'OBJECT', properties: { path: { type: 'STRING' } }, required: ['path'] };
const gemini: Make = (name, args, tools = [{ functionDeclarations: [{ name: 'ls', parameters: GEMINI }] }]) => ({
  contents: [
    { role: 'user', parts: [{ text: 'x' }] },
    { role: 'model', parts: [{ functionCall: { name, args } }] },
    { role: 'user', parts: [{ functionResponse: { name, response: { a: 1 } } }] },
  ],
  tools,
});
const bedrock: Make = (name, input, tools = [{ toolSpec: { name: 'ls', inputSchema: { json: SCHEMA } } }]) => ({
  modelId: 'anthropic.claude-sonnet-4-20250514-v1:0',
  toolConfig: { tools },
  messages: [
    { role: 'user', content: [{ text: 'x' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name, input } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: 'a' }] } }] },
  ],
});

describe.each([
  ['openai-chat', chat],
  ['fine-tuning', fineTuning],
  ['openai-responses', responses],
  ['anthropic', anthropic],
  ['gemini', gemini],
  ['bedrock', bedrock],
])('%s', (_, make) => {
  it('says which tool is not there, and which argument is missing', () => {
    expect(told(make('ls', { path: 'src' }))).toEqual([]);
    expect(told(make('dir', { path: 'src' }))).toEqual([
      expect.stringMatching(/^warning core\/tool-unknown: dir.*: the record defines no such tool, but ls$/),
    ]);
    expect(told(make('ls', {}))).toEqual([
      expect.stringMatching(/^warning core\/arguments-invalid: ls.*: `path` is missing$/),
    ]);
    expect(told(make('ls', { path: 3 }))).toEqual([expect.stringMatching(/`path` is number, not string$/)]);
  });

  it('does not judge where no definition is recorded', () => {
    expect(told(make('dir', {}, []))).toEqual([]);
  });
});

it('names five of many tools', () => {
  const tools = [...'abcdefg'].map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } }));
  expect(told(chat('dir', {}, tools))).toEqual([expect.stringMatching(/no such tool, but a, b, c, d, e and 2 more$/)]);
  expect(told(chat('dir', {}, tools.slice(0, 5)))).toEqual([expect.stringMatching(/no such tool, but a, b, c, d, e$/)]);
});

/** A schema, and arguments that it allows. */
const ALLOWED: readonly [string, object, object][] = [
  ['unknown keywords', { type: 'object', 'x-order': 3, unevaluated: false }, { a: 1 }],
  ['types of other languages', { type: 'dict', properties: { a: { type: 'float' } } }, { a: 1 }],
  ['null where OpenAPI says so', { properties: { a: { type: 'STRING', enum: ['b'], nullable: true } } }, { a: null }],
  [
    'null where alternatives may be so',
    { properties: { a: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true } } },
    { a: null },
  ],
  ['patterns of other dialects', { properties: { a: { type: 'string', pattern: '(?P<x>b)' } } }, { a: 'c' }],
  ['names by pattern', { patternProperties: { '^a': {} }, additionalProperties: false }, { ab: 1 }],
  ['names by strange patterns', { patternProperties: { '(?P<x>b)': {} }, additionalProperties: false }, { ab: 1 }],
  ['references that lead nowhere', { properties: { a: { $ref: '#/$defs/gone' } } }, { a: 1 }],
  ['draft-07 tuples', { properties: { a: { type: 'array', items: [{ type: 'number' }] } } }, { a: ['x'] }],
];
it.each(ALLOWED)('lets pass: %s', (_, schema, args) => {
  expect(told(anthropic('ls', args, [{ name: 'ls', input_schema: schema }]))).toEqual([]);
});

it('judges patterns that no text makes slow, and lets the others pass', () => {
  const toldOf = (pattern: string, a: string) =>
    told(anthropic('ls', { a }, [{ name: 'ls', input_schema: { properties: { a: { type: 'string', pattern } } } }]));
  expect(toldOf('^\\d{4}-\\d{2}$', '2026-01')).toEqual([]);
  expect(toldOf('^\\d{4}-\\d{2}$', 'January')).not.toEqual([]);
  expect(toldOf('^[a-z(|)]+$', 'UP')).not.toEqual([]);
  expect(toldOf('^[a-z]+[0-9]*$', 'UP')).toEqual([]); // two of open length may be slow together
  const endless = `${'a'.repeat(50_000)}!`; // each of these takes hours without a linear engine
  for (const pattern of ['^(a+)+$', '^a*a*a*a*$', '(a|a)*$', '^a?a?a?a?a?a?b$'])
    expect(toldOf(pattern, endless)).toEqual([]);
});

/** Lists of tools that may bring more than they name. */
const OPEN: readonly [string, object][] = [
  ['an MCP server', responses('dir', {}, [{ type: 'function', name: 'ls', parameters: {} }, { type: 'mcp' }])],
  [
    'a search for tools',
    anthropic('dir', {}, [
      { name: 'ls', input_schema: {} },
      { type: 'tool_search_tool_bm25_20251119', name: 'find' },
    ]),
  ],
  ["a framework's search", chat('search_tools', {})],
  ["Anthropic's own tools", anthropic('bash', {}, [{ type: 'bash_20250124', name: 'bash' }])],
  [
    "Gemini's own tools",
    gemini('ls', { path: 'a' }, [{ googleSearch: {} }, { functionDeclarations: [{ name: 'ls' }] }]),
  ],
];
it.each(OPEN)('knows no tool as unknown beside %s', (_, record) => {
  expect(told(record)).toEqual([]);
});
