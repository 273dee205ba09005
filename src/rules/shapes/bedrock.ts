/**
 * Messages by the service model of the Converse API (AWS's `bedrock-runtime` 2023-09-30, botocore 1.43.107, 2026-11),
 * which the types of `@aws-sdk/client-bedrock-runtime` are made from. Ids, names, inputs, blank texts and empty
 * contents have rules of their own.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 */
import type { Shape, Shapes } from './shape.js';

const closed = (fields: Shapes): Shape => ({ fields, closed: true });
const listOf = (list: Shape): Shape => ({ list });

const bytes: Shape = { pattern: /./s, expected: 'data' };
const s3Location = closed({
  uri: { pattern: /^s3:\/\/[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9](?:\/.*)?$/s, expected: 'an S3 URI' },
  'bucketOwner?': { pattern: /^\d{12}$/, expected: 'an account id' },
});
const texts = listOf({ union: { text: 'string' } });
const citations = closed({ enabled: 'boolean' });
const stored = { union: { bytes, s3Location } };
const error = { 'error?': closed({ 'message?': 'string' }) };

const image = closed({ format: ['png', 'jpeg', 'gif', 'webp'], source: stored, ...error });
const audio = closed({
  format: 'mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm'.split(' '),
  source: stored,
  ...error,
});
const video = closed({ format: 'mkv mov mp4 webm flv mpeg mpg wmv three_gp'.split(' '), source: stored });
const document = closed({
  'format?': ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'],
  name: 'string',
  source: { union: { bytes, s3Location, text: 'string', content: texts } },
  'context?': 'string',
  'citations?': citations,
});
const searchResult = closed({
  source: 'string',
  title: 'string',
  content: listOf(closed({ text: 'string' })),
  'citations?': citations,
});

const span = (...keys: readonly string[]): Shape =>
  closed(Object.fromEntries([...keys, 'start', 'end'].map((key) => [`${key}?`, 'number'])));
const citation = closed({
  'title?': 'string',
  'source?': 'string',
  'sourceContent?': texts,
  'location?': {
    union: {
      web: closed({ 'url?': 'string', 'domain?': 'string' }),
      documentChar: span('documentIndex'),
      documentPage: span('documentIndex'),
      documentChunk: span('documentIndex'),
      searchResultLocation: span('searchResultIndex'),
    },
  },
});

const tool = closed({ tool: closed({ 'type?': 'string', 'name?': 'string', 'serverName?': 'string' }) });

const block: Shape = {
  union: {
    text: 'string',
    image,
    document,
    video,
    audio,
    toolUse: closed({ toolUseId: 'string', name: 'string', input: 'any', 'type?': ['server_tool_use'] }),
    toolResult: closed({
      toolUseId: 'string',
      content: listOf({ union: { json: 'any', text: 'string', image, document, video, searchResult } }),
      'status?': ['success', 'error'],
      'type?': 'string',
    }),
    guardContent: {
      union: {
        text: closed({ text: 'string', 'qualifiers?': listOf(['grounding_source', 'query', 'guard_content']) }),
        image: closed({ format: ['png', 'jpeg'], source: { union: { bytes } } }),
      },
    },
    cachePoint: closed({ type: ['default'], 'ttl?': ['5m', '1h'] }),
    reasoningContent: {
      union: { reasoningText: closed({ text: 'string', 'signature?': 'string' }), redactedContent: 'string' },
    },
    citationsContent: closed({ 'content?': texts, 'citations?': listOf(citation) }),
    searchResult,
    toolAddition: tool,
    toolRemoval: tool,
  },
};

/** A message. */
export const BEDROCK_MESSAGE: Shape = closed({ role: ['user', 'assistant', 'system'], content: listOf(block) });

/** The tools beside the messages. */
export const BEDROCK_TOOLS: Shape = {
  list: {
    union: {
      toolSpec: closed({
        name: 'string',
        'description?': bytes,
        inputSchema: { union: { json: 'object' } },
        'strict?': 'boolean',
      }),
      systemTool: closed({ name: 'string' }),
      cachePoint: 'object',
    },
  },
  least: 1,
};
