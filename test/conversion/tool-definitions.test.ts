/** The definitions of tools, in the words of each API. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../src/engine/convert/convert.js';
import { readTools } from '../../src/formats/shared/tools.js';
import { examine } from '../shared/examined.js';
import { refusedTools } from '../shared/schemas.js';

type Request = Record<string, unknown>;

const TARGETS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse', 'gemini-contents'];

const requestIn = (text: string, to: string) => convert(text, to)[0]!.value as Request;

/** The schema of each tool in a request, in whichever place the format has it. */
function schemasIn(request: Request): unknown[] {
  const found: unknown[] = [];
  JSON.stringify([request['toolConfig'], request['tools']], (key, value: unknown) => {
    if (/^(?:parameters|input_schema|parametersJsonSchema|json)$/.test(key)) found.push(value);
    return value;
  });
  return found;
}

/** By Google's own words: https://ai.google.dev/api/caching#Schema */
const GEMINI = JSON.stringify({
  model: 'gemini-2.5-pro',
  contents: [{ role: 'user', parts: [{ text: 'weather?' }] }],
  tools: [
    {
      functionDeclarations: [
        {
          name: 'w',
          description: 'Weather',
          parameters: {
            type: 'OBJECT',
            properties: {
              type: { type: 'STRING', description: 'STRING' },
              days: { type: 'INTEGER', nullable: true },
              unit: { type: 'STRING', enum: ['C', 'F'], nullable: true },
              at: { type: 'ARRAY', items: { type: 'NUMBER' }, minItems: '2', max_items: '2' },
              by: { any_of: [{ type: 'STRING' }, { type: 'BOOLEAN' }], nullable: true },
            },
            required: ['type'],
          },
        },
      ],
    },
  ],
});

/** https://docs.cohere.com/v1/reference/chat */
const COHERE = JSON.stringify({
  model: 'command-r',
  chat_history: [{ role: 'USER', message: 'hi' }],
  message: 'search it',
  tools: [
    {
      name: 'search',
      description: 'web',
      parameter_definitions: {
        query: { description: 'q', type: 'str', required: true },
        sites: { type: 'List[str]' },
        limits: { type: 'Dict[str, int]', required: false },
        box: { description: 'where', type: 'Tuple[int, int]' },
      },
    },
  ],
});

describe.each(TARGETS)('as JSON Schema in %s', (to) => {
  it.each<[string, string]>([
    ['Gemini', GEMINI],
    ['Cohere v1', COHERE],
    ...readFileSync('fixtures/formats/gemini-contents/pydantic-ai-requests.jsonl', 'utf8')
      .split('\n')
      .filter((line) => line.includes('"OBJECT"'))
      .map((line): [string, string] => ['a recorded request', line]),
  ])('of %s', (_, text) => {
    const request = requestIn(text, to);
    if (to === 'gemini-contents' && text !== COHERE) return; // its own tools stay
    expect(refusedTools(to, request)).toEqual([]);
    expect(JSON.stringify(schemasIn(request))).not.toMatch(/"type":"[A-Z]/);
  });
});

it('says the same of Gemini’s types, null and counts', () => {
  expect(schemasIn(requestIn(GEMINI, 'anthropic'))).toEqual([
    {
      type: 'object',
      properties: {
        type: { type: 'string', description: 'STRING' },
        days: { type: ['integer', 'null'] },
        unit: { type: ['string', 'null'], enum: ['C', 'F', null] },
        at: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
        by: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
      },
      required: ['type'],
    },
  ]);
});

it('says the same of Cohere’s Python types', () => {
  expect(schemasIn(requestIn(COHERE, 'openai'))).toEqual([
    {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'q' },
        sites: { type: 'array', items: { type: 'string' } },
        limits: { type: 'object', additionalProperties: { type: 'integer' } },
        box: { description: 'where (Tuple[int, int])' },
      },
      required: ['query'],
    },
  ]);
});

it('leaves `nullable` of a JSON Schema', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string', nullable: true } } };
  const chat = {
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name: 'a', parameters } }],
  };
  expect(schemasIn(requestIn(JSON.stringify(chat), 'anthropic'))).toEqual([parameters]);
});

const LONG = 'mcp__plugin_company_internal_documentation_server__search_documents_by_';

/** A request with two tools, whose names differ in the end alone. */
function longNames(isDefined: boolean): string {
  const names = ['title', 'author'].map((end) => `${LONG}${end}`);
  return JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    ...(isDefined ? { tools: names.map((name) => ({ name, input_schema: { type: 'object', properties: {} } })) } : {}),
    ...(isDefined ? { tool_choice: { type: 'tool', name: names[0] } } : {}),
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: names.map((name, at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input: {} })),
      },
      {
        role: 'user',
        content: names.map((_, at) => ({ type: 'tool_result', tool_use_id: `toolu_${at}`, content: 'a' })),
      },
    ],
  });
}

/** All names of these tools in a request. */
const namesIn = (request: Request) => JSON.stringify(request).match(/(?<=")mcp__[^"]*/g)!;

describe.each([
  ['openai-chat', 'openai-chat', 64],
  ['openai-responses', 'openai-responses', 64],
  ['bedrock', 'bedrock', 64],
  ['gemini', 'gemini', 64],
  ['anthropic', 'anthropic', 128],
])('names that are too long for %s', (to, provider, longest) => {
  it.each([true, false])('are one in calls, definitions and the choice; defined: %j', (isDefined) => {
    const text = longNames(isDefined);
    const [{ value, repairs, faults }] = convert(text, to) as unknown as [ReturnType<typeof convert>[0]];
    const names = namesIn(value as Request);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(longest);
    expect([repairs, faults]).toEqual([[], []]);
    for (const asRequest of [false, true])
      expect(examine(JSON.stringify(value), provider, { asRequest }).findings.map(({ text }) => text)).toEqual([]);
  });
});

it('a repetition of a definition is taken out, once', () => {
  const tool = { name: 'a', input_schema: { type: 'object', properties: {} } };
  const text = JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'x' }],
    tools: [tool, tool],
  });
  const [{ value, repairs, faults }] = convert(text, 'bedrock') as unknown as [ReturnType<typeof convert>[0]];
  expect(schemasIn(value as Request)).toHaveLength(1);
  expect([repairs.map(({ rule, count }) => [rule, count]), faults]).toEqual([[['bedrock/tool-duplicate', 1]], []]);
});

const OPEN = { type: 'object', properties: { x: { type: 'string' }, y: { type: 'string' } }, required: ['x'] };
const CLOSED = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false };
const CHAT = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] };
const CLAUDE = { ...CHAT, model: 'claude-sonnet-4-5', max_tokens: 9 };
const chatTool = (more: object) => ({ type: 'function', function: { name: 'a', ...more } });

describe('strict', () => {
  const written = (request: object, to: string) =>
    JSON.stringify(requestIn(JSON.stringify(request), to)).match(/"strict":\w+/)?.[0];

  it.each<[string, object, string, string | undefined]>([
    ['of Chat Completions', { ...CHAT, tools: [chatTool({ strict: true, parameters: CLOSED })] }, 'openai', 'true'],
    ['of Chat Completions', { ...CHAT, tools: [chatTool({ strict: true, parameters: CLOSED })] }, 'responses', 'true'],
    ['of Chat Completions', { ...CHAT, tools: [chatTool({ strict: true, parameters: CLOSED })] }, 'anthropic', 'true'],
    ['of Claude', { ...CLAUDE, tools: [{ name: 'a', strict: true, input_schema: CLOSED }] }, 'openai', 'true'],
    ['not, in Chat Completions', { ...CHAT, tools: [chatTool({ parameters: OPEN })] }, 'responses', 'false'],
    ['not, in Chat Completions', { ...CHAT, tools: [chatTool({ parameters: OPEN })] }, 'anthropic', undefined],
    ['expressly not', { ...CHAT, tools: [chatTool({ strict: false, parameters: OPEN })] }, 'openai', 'false'],
    ['expressly not', { ...CHAT, tools: [chatTool({ strict: false, parameters: OPEN })] }, 'anthropic', undefined],
    [
      'where the schema is none',
      { ...CLAUDE, tools: [{ name: 'a', strict: true, input_schema: OPEN }] },
      'openai',
      undefined,
    ],
  ])('%s: %#', (_, request, to, strict) => {
    expect(written(request, to)).toBe(strict && `"strict":${strict}`);
  });

  it('is named where it is lost', () => {
    const request = { ...CLAUDE, tools: [{ name: 'a', strict: true, input_schema: OPEN }] };
    const [{ lost }] = convert(JSON.stringify(request), 'openai') as unknown as [ReturnType<typeof convert>[0]];
    expect(lost.map(({ what }) => what).join()).toContain('that a tool is strict');
  });
});

describe('tools of the same format stay as they are', () => {
  const marked = { cache_control: { type: 'ephemeral' }, input_examples: [{ x: '1' }] };
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };
  const claude = { ...CLAUDE, tools: [{ name: 'a', strict: true, input_schema: CLOSED, ...marked }, search] };
  const input = [{ role: 'user', content: 'Hi' }];
  const responses = {
    model: 'gpt-5',
    input,
    tools: [{ type: 'function', name: 'a', strict: false, parameters: OPEN }, { type: 'web_search' }],
  };
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const spec = { name: 'a', strict: true, inputSchema: { json: CLOSED } };
  const bedrock = {
    modelId: 'anthropic.claude-sonnet-4-5',
    messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
    toolConfig: { tools: [{ toolSpec: spec }, { cachePoint: { type: 'default' } }] },
  };
  const gemini = { contents, tools: [...JSON.parse(GEMINI).tools, { googleSearch: {} }] };

  it.each<[string, Request]>([
    ['anthropic', claude],
    ['openai', { ...CHAT, tools: [chatTool({ strict: true, parameters: CLOSED })] }],
    ['responses', responses],
    ['bedrock', bedrock],
    ['gemini', gemini],
  ])('%s', (to, request) => {
    const [{ value, lost }] = convert(JSON.stringify(request), to) as unknown as [ReturnType<typeof convert>[0]];
    const { tools, toolConfig } = value as Request;
    expect([tools, toolConfig]).toEqual([request['tools'], request['toolConfig']]);
    expect(lost.filter(({ what }) => /the tool |definitions|strict/.test(what))).toEqual([]);
  });

  it('and what another format has no place for is named', () => {
    const [{ lost }] = convert(JSON.stringify(claude), 'openai') as unknown as [ReturnType<typeof convert>[0]];
    const told = lost.map(({ what }) => what);
    expect(told).toContain('what definitions of tools say beside: `cache_control`, `input_examples`');
    expect(told).toContain('the tool `web_search`, which its provider runs');
  });

  it('but for names that the API refuses, which change in the choice, too', () => {
    const tool = { name: 'a.b', input_schema: CLOSED, ...marked };
    const request = { ...CLAUDE, tools: [tool], tool_choice: { type: 'tool', name: 'a.b' } };
    const value = requestIn(JSON.stringify(request), 'anthropic');
    expect([value['tools'], value['tool_choice']]).toEqual([[{ ...tool, name: 'a_b' }], { type: 'tool', name: 'a_b' }]);
  });
});

describe('functions, which are deprecated, become tools', () => {
  const text = readFileSync('fixtures/formats/openai-chat/hand-functions.json', 'utf8');
  const schemas = (JSON.parse(text) as { functions: { parameters: object }[] }).functions.map(
    ({ parameters }) => parameters,
  );

  it.each(TARGETS)('in %s', (to) => {
    const value = requestIn(text, to);
    expect(schemasIn(value)).toEqual(schemas);
    expect(refusedTools(to, value)).toEqual([]);
    expect(value['functions'] ?? value['function_call']).toBeUndefined();
    expect(
      convert(text, to)[0]!
        .lost.map(({ what }) => what)
        .join(),
    ).not.toContain('`functions`');
  });

  it.each([
    ['openai', { type: 'function', function: { name: 'weather' } }],
    ['responses', { type: 'function', name: 'weather' }],
    ['anthropic', { type: 'tool', name: 'weather' }],
  ])('and the call that is asked for is chosen in %s', (to, choice) => {
    expect(requestIn(text, to)['tool_choice']).toEqual(choice);
    for (const word of ['auto', 'none'])
      expect(
        JSON.stringify(requestIn(text.replace('{"name": "weather"}\n}', `"${word}"\n}`), to)['tool_choice']),
      ).toContain(word);
  });
});

describe('a list of tools', () => {
  const known = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
  const read = (value: unknown) => readTools(JSON.stringify(value));

  it('stands alone, in `tools`, or in a text', () => {
    for (const value of [[known], { tools: [known] }, JSON.stringify([known]), JSON.stringify({ tools: [known] })])
      expect(read(value).definitions.map(({ name }) => name)).toEqual(['f']);
    expect(read({ others: [known] }).definitions).toEqual([]);
  });

  it.each<[boolean, object]>([
    [true, { type: 'mcp', server_label: 's' }],
    [true, { type: 'mcp_toolset', mcp_server_name: 's' }],
    [true, { type: 'namespace', name: 's' }],
    [true, { type: 'tool_search_tool_regex_20251119', name: 'tool_search' }],
    [true, { ...known, defer_loading: true }],
    [false, { ...known, defer_loading: false }],
    [false, { type: 'web_search' }],
    [false, known],
  ])('may have more than it says: %s, %o', (isOpen, entry) => {
    expect([read([entry]).isOpen, read([known, entry]).isOpen]).toEqual([isOpen, isOpen]);
  });
});
