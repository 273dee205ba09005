/** The definitions of tools, in the words of each API. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../src/engine/convert/convert.js';
import { examine } from '../shared/examined.js';
import { refusedTools } from '../shared/schemas.js';

type Request = Record<string, unknown>;

const TARGETS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse', 'gemini-contents'];

const requestIn = (text: string, to: string) => convert(text, to)[0]!.value as Request;

/** The schema of each tool in a request, in whichever place the format has it. */
function schemasIn(request: Request): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(request['toolConfig'] ?? request['tools'], (key, value: unknown) => {
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
