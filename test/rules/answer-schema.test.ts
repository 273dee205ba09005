/**
 * Schemas of the answer, by provider: where each API has them, and what it takes of JSON Schema.
 * https://platform.openai.com/docs/guides/structured-outputs, https://ai.google.dev/api/caching#Schema,
 * https://docs.claude.com/en/docs/build-with-claude/structured-outputs (2026-11)
 */
import { describe, expect, it } from 'vitest';
import { checked } from '../shared/examined.js';

const RULE = 'request/output-schema';
const CLOSED = { type: 'object', properties: {}, additionalProperties: false };
type Fields = Readonly<Record<string, unknown>>;

const CHAT = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
const CLAUDE = { ...CHAT, model: 'claude-sonnet-4-5', max_tokens: 9 };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const inChat = (format: unknown) => ({ ...CHAT, response_format: format });
const inText = (format: unknown) => ({ model: 'gpt-4o', input: CHAT.messages, text: { format } });
const inConfig = (schema: unknown) => ({ ...CLAUDE, output_config: { format: { type: 'json_schema', schema } } });
const inGeneration = (responseSchema: unknown) => ({ ...CONTENTS, generationConfig: { responseSchema } });
const found = (request: Fields, provider: string) =>
  checked(request, provider, RULE, { asRequest: true }).findings.map((one) => one.slice(`${RULE}: `.length));

describe.each<[string, string, (member: Fields | undefined) => Fields]>([
  ['openai-chat', 'response_format.json_schema', (member) => inChat({ type: 'json_schema', json_schema: member })],
  ['azure', 'response_format.json_schema', (member) => inChat({ type: 'json_schema', json_schema: member })],
  ['openai-responses', 'text.format', (member) => inText({ type: 'json_schema', ...member })],
])('the format of an answer of %s', (provider, path, request) => {
  it.each<[string, Fields | undefined, readonly string[]]>([
    ['whole', { name: 'a', strict: true, schema: CLOSED }, []],
    ['with a name of 64 signs', { name: 'a_-Z9'.padEnd(64, '0'), schema: CLOSED }, []],
    ['with a name of 65 signs', { name: 'a'.repeat(65), schema: {} }, ['not 1 to 64 letters']],
    ['with an empty name', { name: '', schema: {} }, ['not 1 to 64 letters']],
    ['with a space in its name', { name: 'a b', schema: {} }, ['`a b`, not 1 to 64 letters']],
    ['without a name', { schema: {} }, [`\`${path}.name\` is missing`]],
    ['without a schema', { name: 'a' }, [`\`${path}.schema\` is missing`]],
    ['without either', {}, [`\`${path}.name\` is missing`, `\`${path}.schema\` is missing`]],
    ['open, but not strict', { name: 'a', schema: { type: 'object' } }, []],
    ['open, and expressly not strict', { name: 'a', strict: false, schema: { type: 'object' } }, []],
    [
      'open, and strict',
      { name: 'a', strict: true, schema: { type: 'object', properties: {} } },
      [`\`${path}.schema\` is strict, but has no \`additionalProperties: false\``],
    ],
    [
      'of which a property may be missing',
      { name: 'a', strict: true, schema: { ...CLOSED, properties: { b: { type: 'string' } }, required: [] } },
      [`\`${path}.schema\` is strict, but \`b\` is not required`],
    ],
  ])('%s', (_, member, said) => {
    const findings = found(request(member), provider);
    expect(findings).toHaveLength(said.length);
    for (const [index, text] of said.entries()) expect(findings[index]).toContain(text);
  });

  it.each(['text', 'json_object'])('%s has neither a name nor a schema', (type) => {
    expect(found(provider === 'openai-responses' ? inText({ type }) : inChat({ type }), provider)).toEqual([]);
  });

  it('is mended, so that nothing is left', () => {
    const schema = { type: 'object', properties: { b: { type: 'array' } } };
    const { mended, left } = checked(request({ name: 'a', strict: true, schema }), provider, RULE, { asRequest: true });
    expect(left).toEqual([]);
    expect(mended).toHaveProperty(`${path}.schema`, {
      ...{ type: 'object', properties: { b: { type: 'array', items: { type: 'string' } } } },
      ...{ additionalProperties: false, required: ['b'] },
    });
  });
});

it.each(['anthropic', 'vertex-claude'])('%s closes every object and bounds nothing', (provider) => {
  const path = 'output_config.format.schema';
  expect(found(inConfig(CLOSED), provider)).toEqual([]);
  expect(found(inConfig({ type: 'object' }), provider)).toEqual([
    `\`${path}\` is strict, but has no \`additionalProperties: false\``,
  ]);
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'];
  for (const bound of [...bounds, 'maxItems']) {
    const schema = { ...CLOSED, properties: { b: { type: 'integer', [bound]: 1 } } };
    const unknown = `\`${path}.properties.b\` has \`${bound}\`, which the API does not know`;
    expect(found(inConfig(schema), provider)).toEqual([unknown]);
  }
  expect(
    found(inConfig({ ...CLOSED, properties: { b: { type: 'array', minItems: 1, items: {} } } }), provider),
  ).toEqual([]);
});

it('an array that may be null has items, too', () => {
  const schema = { ...CLOSED, properties: { b: { type: ['array', 'null'] } }, required: ['b'] };
  const request = inChat({ type: 'json_schema', json_schema: { name: 'a', strict: true, schema } });
  const at = 'response_format.json_schema.schema.properties.b';
  expect(found(request, 'openai-chat')).toEqual([`\`${at}\` is an array without \`items\``]);
});

const AT = 'generationConfig.responseSchema';
describe.each<[string, { readonly isVertex: boolean }]>([
  ['gemini', { isVertex: false }],
  ['vertex', { isVertex: true }],
])('a schema of %s', (provider, { isVertex }) => {
  const both = (schema: Fields) => found(inGeneration({ type: 'OBJECT', properties: { b: schema } }), provider);
  const B = `\`${AT}.properties.b`;

  it.each<[Fields, readonly string[]]>([
    [{ type: 'STRING', enum: ['x'], format: 'enum' }, []],
    [{ type: 'string', format: 'date-time', nullable: true }, []],
    [{ type: 'ARRAY', items: { type: 'INTEGER' }, minItems: 1, maxItems: 2 }, []],
    [{ type: 'ARRAY' }, [`${B}\` is an array without \`items\``]],
    [{ type: ['string', 'null'] }, [`${B}.type\` is a list, not one type`]],
    [{ type: 'STRING', enum: [''] }, [`${B}.enum\` has values other than texts that are not empty`]],
    [{ type: 'STRING', enum: ['x', 1] }, [`${B}.enum\` has values other than texts that are not empty`]],
    [{ type: 'INTEGER', enum: ['1'] }, [`${B}\` has an \`enum\`, which only a STRING may have`]],
    [{ type: 'STRING', format: 'enum' }, [`${B}\` has the format \`enum\`, but no values`]],
    [
      { type: 'OBJECT', properties: { c: { type: 'STRING' } }, required: ['c', 'd'] },
      [`${B}.required\` names \`d\`, which is not a property`],
    ],
    [{ type: 'STRING', const: 'x' }, [`${B}\` has \`const\`, which the API does not know`]],
    [{ type: 'STRING', pattern: 'x', minLength: 1, maxLength: 2, title: 't', example: 'x', default: 'x' }, []],
    [{ type: 'thing' }, [`${B}.type\` is "thing"`]],
  ])('%j', (schema, said) => {
    expect(both(schema)).toEqual(said);
  });

  it.each<[Fields, string]>([
    [{ type: 'STRING', format: 'uri' }, `${B}.format\` is \`uri\`, not \`enum\` or \`date-time\``],
    [{ type: 'OBJECT', properties: {} }, `${B}.properties\` is empty`],
    [
      { type: 'OBJECT', additionalProperties: false },
      `${B}\` has \`additionalProperties\`, which the API does not know`,
    ],
  ])('%j is one of Vertex', (schema, said) => {
    expect(both(schema)).toEqual(isVertex ? [] : [said]);
  });

  it('states its type where it is not empty, and none beside `anyOf`, for Vertex', () => {
    expect(found(inGeneration({}), provider)).toEqual([]);
    expect(found(inGeneration({ type: 'STRING' }), provider)).toEqual(
      isVertex ? [`\`${AT}.type\` is not \`object\``] : [],
    );
    expect(both({ type: 'STRING', anyOf: [{ type: 'STRING' }] })).toEqual(
      isVertex ? [`${B}\` has a type beside \`anyOf\``] : [],
    );
  });

  it.each<[Fields, Fields]>([
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [{ type: ['integer'] }, { type: 'integer' }],
    [
      { type: 'STRING', enum: ['', 'x', 5] },
      { type: 'STRING', enum: ['x'] },
    ],
    [{ type: 'STRING', enum: [''] }, { type: 'STRING' }],
    [
      { type: 'STRING', const: 'x' },
      { type: 'STRING', enum: ['x'] },
    ],
    [{ type: 'INTEGER', const: 1 }, { type: 'INTEGER' }],
    [{ type: 'ARRAY' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    [{ type: 'INTEGER', enum: ['1'] }, { type: 'INTEGER' }],
    [{ type: 'STRING', format: 'enum' }, { type: 'STRING' }],
    [
      { type: 'OBJECT', properties: { c: { type: 'STRING' } }, required: ['c', 'd'] },
      { type: 'OBJECT', properties: { c: { type: 'STRING' } }, required: ['c'] },
    ],
    [
      { type: 'OBJECT', properties: { c: { type: 'STRING' } }, required: ['d'] },
      { type: 'OBJECT', properties: { c: { type: 'STRING' } } },
    ],
  ])('%j is mended to %j', (schema, mended) => {
    const request = inGeneration({ type: 'OBJECT', properties: { b: schema } });
    const after = checked(request, provider, RULE, { asRequest: true });
    expect(after.left).toEqual([]);
    expect(after.mended).toHaveProperty(`${AT}.properties.b`, mended);
  });
});
