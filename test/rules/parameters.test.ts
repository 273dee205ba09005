/** Parameters and tools of requests: what no example of a rule shows. */
import { expect, it } from 'vitest';
import { bytesOf } from '../../src/rules/shared/images.js';
import { checked, examine } from '../shared/examined.js';

const REQUEST = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
const found = (more: object, rule: string) =>
  checked({ ...REQUEST, ...more }, 'anthropic', rule, { asRequest: true }).findings;

it.each([
  [['END'], 0],
  [[' '], 1],
  [['END', '\n'], 1],
])('stop_sequences %j: %i findings, as a blank one stops nothing', (stop, count) => {
  expect(found({ stop_sequences: stop }, 'request/parameter-removed')).toHaveLength(count);
});

it.each([
  [null, 0],
  [0.94, 1],
  [0.95, 0],
  [1, 0],
])('top_p %j beside thinking: %i findings, as it may be left out or at least 0.95', (top_p, count) => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  expect(found({ thinking, max_tokens: 2000, top_p }, 'request/parameter-removed')).toHaveLength(count);
});

const PLAIN = { role: 'user', content: 'hi' };
const IN_BLOCKS = { role: 'user', content: [{ type: 'text', text: 'hi' }] };

it.each([
  ['openai-chat', [PLAIN, IN_BLOCKS], true, 1],
  ['anthropic-messages', [PLAIN], true, 1],
  ['anthropic-messages', [PLAIN, IN_BLOCKS], true, 0],
  ['anthropic-messages', [PLAIN], false, 0],
])(
  'settings beside messages of %s %j, as a request %j, are of the API that is named: %i',
  (from, messages, as, count) => {
    const text = JSON.stringify({ model: 'gpt-4o', temperature: 5, messages });
    expect(examine(text, 'openai-chat', { asRequest: as, from }).findings).toHaveLength(count);
  },
);

it('a forced tool is minded beside thinking, and the text says that this is why', () => {
  const tools = [{ name: 'f', input_schema: { type: 'object' } }];
  const forced = (more: object) =>
    found({ tools, tool_choice: { type: 'any' }, ...more }, 'request/thinking-tool-choice');
  expect(forced({})).toEqual([]);
  expect(forced({ thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 })).toEqual([
    'request/thinking-tool-choice: `tool_choice` forces a tool while thinking is enabled',
  ]);
});

it('a strict tool of OpenAI requires all of its properties, and says which it does not', () => {
  const strict = (required: readonly string[]) => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const parameters = { type: 'object', properties, required, additionalProperties: false };
    const tools = [{ type: 'function', function: { name: 'f', strict: true, parameters } }];
    const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }], tools };
    return checked(request, 'openai-chat', 'request/tool-schema', { asRequest: true });
  };
  const path = 'tools[0].function.parameters';
  expect(strict(['a', 'b']).findings).toEqual([]);
  const { findings, mended } = strict(['a']);
  expect(findings).toEqual([`request/tool-schema: \`${path}\` is strict, but \`b\` is not required`]);
  expect(mended).toHaveProperty(`${path}.required`, ['a', 'b']);
});

it('a custom tool of Anthropic without a schema is as incomplete as one without a type', () => {
  const [plain] = found({ tools: [{ name: 'a' }] }, 'request/tool-incomplete');
  expect(plain).toContain('input_schema');
  expect(found({ tools: [{ type: 'custom', name: 'a' }] }, 'request/tool-incomplete')).toEqual([plain]);
  expect(found({ tools: [{ name: 'a', input_schema: { type: 'object' } }] }, 'request/tool-incomplete')).toEqual([]);
  expect(found({ tools: [{ name: 'a', input_schema: null }] }, 'request/tool-incomplete')).toEqual([
    'request/tool-incomplete: `tools[0]` has null as `input_schema`',
  ]);
  const tools = [{ type: 'function', function: { name: 'a', parameters: null } }];
  const judged = (provider: string) =>
    checked({ messages: [PLAIN], tools }, provider, 'request/tool-incomplete', { asRequest: true }).findings;
  expect(judged('minimax')).toEqual(['request/tool-incomplete: `tools[0].function` has null as `parameters`']);
  expect(judged('openai-chat')).toEqual([]); // `parameters` can be left out there
});

it.each([
  ['', 0],
  ['QQ==', 1],
  ['QUI=', 2],
  ['QUJD', 3],
  ['QU\nJD\nQQ==', 4],
])('%j holds %i bytes', (base64, bytes) => {
  expect(bytesOf(base64)).toBe(bytes);
});

it.each([
  [{ name: 'a', parameters: {} }, ['`tools[0]` has no `type`']],
  [{ type: 'function', parameters: {} }, ['`tools[0]` has no `name`']],
  [{ type: 'custom' }, ['`tools[0]` has no `name`']],
  [{ type: 'web_search' }, []],
  [{ type: 'function', name: 'a', parameters: {} }, []],
])('of the Responses API, the tool %j is said to be: %j', (tool, texts) => {
  const text = JSON.stringify({ model: 'gpt-5', input: [{ role: 'user', content: 'hi' }], tools: [tool] });
  const { findings } = examine(text, 'openai-responses', { asRequest: true });
  const own = findings.filter(({ rule }) => rule.id === 'request/tool-incomplete');
  expect(own.map((finding) => finding.text)).toEqual(texts);
});

it.each([
  [undefined, 1],
  [false, 1],
  [true, 0],
])('reasoning without encrypted content is stored on the server where `store` is %j: %i findings', (store, count) => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
  const input = [{ role: 'user', content: 'hi' }, reasoning, { role: 'assistant', content: 'x' }];
  const text = JSON.stringify({ model: 'gpt-5', store, input: [...input, { role: 'user', content: 'so' }] });
  const { findings } = examine(text, 'openai-responses', { asRequest: true });
  expect(findings.filter(({ rule }) => rule.id === 'responses/item-not-found')).toHaveLength(count);
});

it('a response of Gemini without a name says so, whatever its call is called', () => {
  const said = (name: string, answer: object) => {
    const contents = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { ...answer, response: { r: 1 } } }] },
    ];
    return checked({ contents }, 'gemini', 'gemini/function-response-name').findings;
  };
  expect(said('a', { name: 'a' })).toEqual([]);
  expect(said('a', { name: '' })).toEqual(['gemini/function-response-name: the result of a has no `name`']);
});

it('a schema of arguments is judged down to 64 levels', () => {
  const nested = (depth: number, inner: unknown, wrap: (value: unknown) => unknown) =>
    Array.from({ length: depth }).reduce((value) => wrap(value), inner);
  const findings = (depth: number) => {
    const parameters = nested(depth, { type: 'string' }, (a) => ({ type: 'object', properties: { a } }));
    const input = JSON.stringify(nested(depth, 1, (a) => ({ a })));
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: input } };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'y' },
    ];
    const tools = [{ type: 'function', function: { name: 'f', parameters } }];
    return checked({ model: 'gpt-4o', messages, tools }, 'openai-chat', 'core/arguments-invalid', { asRequest: true })
      .findings.length;
  };
  expect([1, 20, 100].map(findings)).toEqual([1, 1, 0]);
});

it('a keyword of a schema that is no text is told with its first 40 characters', () => {
  const told = (length: number) => {
    const description = ['x'.repeat(length - '[""]'.length)];
    const parameters = { type: 'object', description, properties: { a: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'f', parameters } }];
    const request = { model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }], tools };
    return checked(request, 'openai-chat', 'request/tool-schema', { asRequest: true }).findings;
  };
  const said = (value: string) => [`request/tool-schema: \`tools[0].function.parameters.description\` is ${value}`];
  expect(told(40)).toEqual(said(`["${'x'.repeat(36)}"]`));
  expect(told(41)).toEqual(said(`["${'x'.repeat(37)}"`));
});

/** `is not valid under any of the given schemas`: hugomossberg/Babel#13. Google alone takes its names. */
it.each<[string, (schema: object) => object, number]>([
  ['anthropic', (input_schema) => ({ ...REQUEST, tools: [{ name: 'f', input_schema }] }), 2],
  [
    'openai-chat',
    (parameters) => ({
      model: 'gpt-4o',
      messages: [PLAIN],
      tools: [{ type: 'function', function: { name: 'f', parameters } }],
    }),
    2,
  ],
  [
    'gemini',
    (parameters) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'f', parameters }] }],
    }),
    0,
  ],
])('types in capitals for %s', (provider, request, count) => {
  const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
  const { findings, mended } = checked(request(schema), provider, 'request/tool-schema', { asRequest: true });
  expect(findings).toHaveLength(count);
  const mendedSchema = '{"type":"object","properties":{"a":{"type":"string"}}}';
  expect(JSON.stringify(mended).includes(mendedSchema)).toBe(count > 0);
});

/** Only these two are taken: the sources stand at the rule. */
it.each([
  [0.6, 0],
  [1, 0],
  [0.7, 1],
  [1.6, 1],
])('temperature %d for Kimi K2.5: %i findings', (temperature, count) => {
  const request = { model: 'kimi-k2.5', messages: [{ role: 'user', content: 'x' }], temperature };
  expect(checked(request, 'moonshot', 'request/parameter-removed', { asRequest: true }).findings).toHaveLength(count);
});

/** Models that reason take these as if they were not there: at their default, which the API would use. */
it.each([
  ['temperature', 1, 0.2],
  ['top_p', 1, 0.9],
  ['presence_penalty', 0, 0.5],
  ['frequency_penalty', 0, 1],
  ['logprobs', false, true],
  ['logit_bias', {}, { 50256: -100 }],
])('%s for a model that reasons: %j is no finding, %j is one', (name, usual, other) => {
  const count = (value: unknown) => {
    const request = { model: 'o3', messages: [{ role: 'user', content: 'x' }], [name]: value };
    return checked(request, 'openai-chat', 'request/parameter-removed', { asRequest: true }).findings.length;
  };
  expect([usual, other].map(count)).toEqual([0, 1]);
});

it.each([
  [{}, 'no signature'],
  [{ signature: '' }, 'an empty signature'],
])('a thinking block with %j is told to have %s', (more, what) => {
  const thinking = { type: 'thinking', thinking: 'Hm.', ...more };
  const messages = [...REQUEST.messages, { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] }];
  expect(found({ messages }, 'anthropic/thinking-signature')).toEqual([
    `anthropic/thinking-signature: the thinking block has ${what}`,
  ]);
});

it.each([
  'anthropic',
  'vertex-claude',
  'openai-chat',
  'azure',
  'deepseek',
  'gemini',
  'vertex',
  'github-copilot',
  'xai',
])('%s rejects two tools of one name, and gets the first alone', (provider) => {
  const plain = ['read', 'write', 'read'];
  const chat = plain.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
  const claude = plain.map((name) => ({ name, input_schema: { type: 'object' } }));
  const gemini = [{ functionDeclarations: plain.map((name) => ({ name })) }];
  const request = {
    ...{ anthropic: { ...REQUEST, tools: claude }, 'vertex-claude': { ...REQUEST, tools: claude } }[provider],
    ...(provider === 'gemini' || provider === 'vertex'
      ? { contents: [{ role: 'user', parts: [{ text: 'x' }] }], tools: gemini }
      : {}),
  };
  const asked = 'tools' in request ? request : { model: 'm', messages: REQUEST.messages, tools: chat };
  const { findings, left } = checked(asked, provider, 'request/tool-name-duplicate', { asRequest: true });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain('read');
  expect(left).toEqual([]);
});

/** The calls at the end of a recording may be waiting; but not one whose result came before it. */
it('a last call whose result stands before it is unanswered', () => {
  const call = { role: 'assistant', content: null, tool_calls: [chatCall('a')] };
  const result = { role: 'tool', tool_call_id: 'a', content: 'x' };
  const told = (...messages: object[]) =>
    checked({ messages: [...REQUEST.messages, ...messages] }, 'openai-chat', 'chat/tool-call-unanswered').findings;
  expect(told(call)).toEqual([]);
  expect(told(result, call)).toEqual([expect.stringContaining('has its result elsewhere')]);
});

const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

it('a thinking budget is at least 1024, and the limit of the answer above it', () => {
  const thinking = { type: 'enabled', budget_tokens: 512 };
  const rule = 'anthropic/thinking-budget';
  const judged = checked({ ...REQUEST, max_tokens: 1000, thinking }, 'anthropic', rule, { asRequest: true });
  expect(judged).toMatchObject({
    findings: [`${rule}: the thinking budget is 512; at least 1024 are needed`],
    mended: { max_tokens: 2024, thinking: { type: 'enabled', budget_tokens: 1024 } },
    left: [],
  });
});

/** `clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive: anthropics/claude-code#11971 */
it('old thinking is cleared only in a request that thinks', () => {
  const cleared = (type: string, more: object = {}) =>
    found({ context_management: { edits: [{ type }] }, ...more }, 'request/parameter-removed');
  expect(cleared('clear_thinking_20251015')).toHaveLength(1);
  expect(cleared('clear_thinking_20251015', { thinking: { type: 'adaptive' } })).toEqual([]);
  expect(cleared('clear_tool_uses_20250919')).toEqual([]);
  const named = { type: 'clear_tool_uses_20250919', exclude_tools: ['clear_thinking_notes'] };
  expect(found({ context_management: { edits: [named] } }, 'request/parameter-removed')).toEqual([]);
  const rule = 'request/parameter-removed';
  const mended = (...types: readonly string[]) => {
    const request = { ...REQUEST, context_management: { edits: types.map((type) => ({ type })), kept: 1 } };
    return checked(request, 'anthropic', rule, { asRequest: true });
  };
  expect(mended('clear_thinking_20251015', 'clear_tool_uses_20250919')).toMatchObject({
    mended: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }], kept: 1 } },
    left: [],
  });
  expect(mended('clear_thinking_20251015').mended).not.toHaveProperty('context_management');
});

it('a schema that is no object is named', () => {
  const judged = (schema: unknown) => found({ tools: [{ name: 'f', input_schema: schema }] }, 'request/tool-schema');
  expect(judged('{"type":"object"}')).toEqual(['request/tool-schema: `tools[0].input_schema` is not an object']);
  const tools = [true, [{ type: 'string' }]].map((items, at) => ({
    type: 'function',
    function: { name: `f${at}`, parameters: { type: 'object', properties: { a: { type: 'array', items } } } },
  }));
  const { findings } = checked({ messages: [PLAIN], tools }, 'moonshot', 'moonshot/tool-schema');
  expect(findings).toEqual([
    'moonshot/tool-schema: the schema of the tool `f0` has a boolean at `parameters.a.items`',
    'moonshot/tool-schema: the schema of the tool `f1` has a list of items at `parameters.a`',
  ]);
});

it('a choice of tools says what it chooses, and stands beside tools', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }];
  const rule = 'request/tool-choice';
  const judged = (more: object) =>
    checked({ model: 'gpt-4o', messages: [PLAIN], ...more }, 'openai-chat', rule, { asRequest: true });
  expect(judged({ tools, tool_choice: {} }).findings).toEqual([
    `${rule}: \`tool_choice\` is of no type, not one of none, auto, required, function, custom, allowed_tools`,
  ]);
  expect(judged({ tools, tool_choice: { type: 'function', name: 'f' } }).findings).toEqual([
    `${rule}: \`tool_choice\` names no tool`,
  ]);
  const { findings, mended } = judged({ parallel_tool_calls: false });
  expect(findings).toEqual([`${rule}: \`parallel_tool_calls\` is set, but there are no tools`]);
  expect(mended).toEqual({ model: 'gpt-4o', messages: [PLAIN] });
});
