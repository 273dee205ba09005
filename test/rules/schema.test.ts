/**
 * The rules against the published schemas: histories spoiled in some hundred ways each, and where rules and schema
 * differ, why.
 */
import { describe, expect, it } from 'vitest';
import { TranscriptError } from '../../src/errors.js';
import { examine } from '../shared/examined.js';
import { type Json, mutated, mutationsOf } from '../shared/schema-mutations.js';
import { refused } from '../shared/schemas.js';

interface Subject {
  readonly provider: string;
  readonly format: string;
  /** The schema that judges it, where several providers share a format. */
  readonly schema?: string;
  readonly key: string;
  readonly document: Json[];
  /** Where the rules refuse what the schema takes. */
  readonly stricter: readonly (readonly [what: RegExp, reason: string])[];
  /** Where the schema refuses what the rules take. */
  readonly laxer: readonly (readonly [what: RegExp, reason: string])[];
}

/** Of all providers: what a schema that looks at one message at a time, and at shapes alone, cannot say. */
const BEYOND: readonly (readonly [RegExp, string])[] = [
  [/→ (?!.*\/schema)/, 'the API refuses it in the words that the rule quotes: pairs, empty texts, ids, names of tools'],
];
const URI = [
  /(?:image_url|url) is an? (?:empty )?text → /,
  'the schema asks for the format `uri`, which is not validated here',
] as const;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const subjects: readonly Subject[] = [
  {
    provider: 'openai-chat',
    format: 'openai-chat',
    key: 'messages',
    document: [
      { role: 'system', content: 'be brief' },
      { role: 'developer', content: [{ type: 'text', text: 'really' }] },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { file_id: 'file-1' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I look' }],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c2', type: 'custom', custom: { name: 'sql', input: 'x' } }],
      },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: 'done', refusal: null },
      { role: 'user', content: 'thanks' },
    ],
    stricter: [
      ...BEYOND,
      URI,
      [/name is an empty text → .*openai-chat\/schema/, 'the API has a pattern for names, which the schema leaves out'],
    ],
    laxer: [
      [/^2\.name is null$/, 'recorded requests with `name: null` and `tool_calls: null` were taken'],
      [
        /^\d\.(content(\.0)? is (an empty list|missing)|tool_calls\.0\.type is missing)$/,
        'a note in an export, an error in a request',
      ],
    ],
  },
  {
    provider: 'openai-responses',
    format: 'openai-responses',
    key: 'input',
    document: [
      { type: 'message', role: 'developer', content: 'be brief' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
          { type: 'input_file', file_id: 'file-1' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'QUJD' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'ls', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'call_1', output: 'a' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'sql', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'b' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] },
      { role: 'user', content: 'thanks' },
    ],
    stricter: [
      ...BEYOND,
      URI,
      [
        /^[23]\.type is null/,
        'by the schema an item with an id and `type: null` is a reference, whatever else it holds',
      ],
    ],
    laxer: [
      [/detail is (?:missing|null)$/, 'the API takes `auto` where nothing is said'],
      [/status is null$/, 'recorded requests with `status: null` were taken'],
      [/^7\.type is missing$/, 'recorded requests with an `output_text` and without `type` were taken'],
    ],
  },
  {
    provider: 'anthropic',
    format: 'anthropic-messages',
    key: 'messages',
    document: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title: 't' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'QUJD' },
          { type: 'text', text: 'I look' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: false,
            content: [{ type: 'text', text: 'a' }],
          },
        ],
      },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'thanks' },
    ],
    stricter: BEYOND,
    laxer: [],
  },
  {
    provider: 'gemini',
    format: 'gemini-contents',
    key: 'contents',
    document: [
      { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { functionCall: { id: 'c1', name: 'ls', args: { path: '.' } }, thoughtSignature: 'QUJD' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a' } } }] },
      { role: 'model', parts: [{ text: 'done' }] },
      { role: 'user', parts: [{ fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }] },
    ],
    stricter: [
      ...BEYOND,
      [/role is a(?:n empty)? text → .*gemini\/schema/, 'the API takes `user` and `model`; the type says any string'],
    ],
    laxer: [[/ is null$/, 'the API reads null as protobuf does: the member is not there']],
  },
  {
    provider: 'bedrock',
    format: 'bedrock-converse',
    key: 'messages',
    document: [
      {
        role: 'user',
        content: [
          { text: 'look' },
          { image: { format: 'png', source: { bytes: PNG } } },
          { document: { format: 'txt', name: 'a', source: { text: 'x' } } },
          { cachePoint: { type: 'default', ttl: '5m' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'hm', signature: 'QUJD' } } },
          { text: 'I look' },
          { toolUse: { toolUseId: 't1', name: 'ls', input: { path: '.' } } },
        ],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }, { json: { b: 1 } }], status: 'success' } }],
      },
      {
        role: 'assistant',
        content: [
          { citationsContent: { content: [{ text: 'done' }], citations: [{ location: { web: { url: 'u' } } }] } },
        ],
      },
      { role: 'user', content: [{ video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/a.mp4' } } } }] },
    ],
    stricter: [
      ...BEYOND,
      [/(?:bytes|uri) is an? (?:empty )?text →/, 'the service model has lengths and patterns, which its types lack'],
    ],
    laxer: [],
  },
  {
    provider: 'cohere',
    format: 'openai-chat',
    schema: 'cohere',
    key: 'messages',
    document: [
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        tool_plan: 'I look',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'document', document: { data: { a: 1 }, id: 'd' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'done' },
        ],
      },
      { role: 'user', content: 'thanks' },
    ],
    stricter: [
      ...BEYOND,
      [/arguments is null → chat\/arguments-invalid-json/, 'what was called cannot be told without arguments'],
    ],
    laxer: [[/document\.data is an? (?:empty )?text$/, 'the examples of the documentation send a text of JSON']],
  },
  {
    provider: 'groq',
    format: 'openai-chat',
    schema: 'groq',
    key: 'messages',
    document: [
      { role: 'system', content: 'be brief', name: 's' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning: 'hm',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      { role: 'user', content: 'thanks' },
    ],
    stricter: [
      ...BEYOND,
      URI,
      [/→ .*openai-chat\/schema/, 'Groq’s types leave out what OpenAI’s API says of names and empty lists'],
    ],
    laxer: [
      [
        /^[01]\.name is null$|^2\.reasoning is|^[12]\..*\..* has one more$/,
        'that Groq refuses it is not known: its errors name unknown members of messages',
      ],
      [/type is missing$/, 'a note in an export, an error in a request'],
    ],
  },
];

/** What the rules say: the ids of those that find an error, or that the history cannot be read. */
function said({ provider, format, key }: Subject, document: Json[]): string | undefined {
  try {
    const { findings } = examine(
      JSON.stringify({ model: 'm', max_tokens: 9, toolConfig: {}, [key]: document }),
      provider,
      {
        from: format,
      },
    );
    const errors = findings.filter(({ rule, isNote }) => rule.severity === 'error' && !isNote);
    return errors.length === 0 ? undefined : errors.map(({ rule, text }) => `${rule.id}: ${text}`).join('; ');
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    return `unreadable: ${error.message}`;
  }
}

describe.each(subjects)('$provider', (subject) => {
  const { document, format, schema = format, stricter, laxer } = subject;
  const verdicts = mutationsOf(document).map((mutation) => {
    const after = mutated(document, mutation);
    return { name: mutation.name, ours: said(subject, after), theirs: refused(schema, after)[0] };
  });

  it('takes the history as it is, as its schema does', () => {
    expect(said(subject, document)).toBeUndefined();
    expect(refused(schema, document)).toEqual([]);
  });

  it('is spoiled in at least 40 ways that the schema refuses', () => {
    expect(verdicts.filter(({ theirs }) => theirs !== undefined).length).toBeGreaterThanOrEqual(40);
  });

  it('refuses what the schema refuses, but for what is explained', () => {
    const missed = verdicts.filter(({ ours, theirs }) => theirs !== undefined && ours === undefined);
    expect(missed.filter(({ name }) => !laxer.some(([what]) => what.test(name))).map(({ name }) => name)).toEqual([]);
    for (const [what] of laxer) expect(missed.filter(({ name }) => what.test(name))).not.toEqual([]);
  });

  it('takes what the schema takes, but for what is explained', () => {
    const more = verdicts.filter(({ ours, theirs }) => ours !== undefined && theirs === undefined);
    const unexplained = more.filter(({ name, ours }) => !stricter.some(([what]) => what.test(`${name} → ${ours}`)));
    expect(unexplained.map(({ name, ours }) => `${name} → ${ours}`)).toEqual([]);
    for (const [what] of stricter)
      expect(more.filter(({ name, ours }) => what.test(`${name} → ${ours}`))).not.toEqual([]);
  });
});
