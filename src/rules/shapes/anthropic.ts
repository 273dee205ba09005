/**
 * Messages by the types of `@anthropic-ai/sdk` 1.12.0 (MessageParam, with its beta API). Unknown members are
 * reported by
 * the rule anthropic/extra-fields. Tool inputs, empty lists and ids have rules of their own.
 * https://docs.anthropic.com/en/api/messages
 */
import { commaList } from '../../lists.js';
import type { Shape, Shapes } from './shape.js';

const closed = (fields: Shapes): Shape => ({ fields, closed: true });
/** An object with a `type`. */
const typed = (fields: Shapes): Shape => closed({ type: 'string', ...fields });
const listOf = (list: Shape): Shape => ({ list });
const orNull = (shape: Shape): Shape => ({ either: [shape, 'null'] });

const cache = { 'cache_control?': orNull(closed({ type: ['ephemeral'], 'ttl?': ['5m', '1h'] })) };
const caller = { 'caller?': 'object' };
const toolset = { 'toolset_name?': 'string|null' };

const citation: Shape = {
  tag: 'type',
  of: {
    char_location: citing({ document_index: 'number', start_char_index: 'number', end_char_index: 'number' }),
    page_location: citing({ document_index: 'number', start_page_number: 'number', end_page_number: 'number' }),
    content_block_location: citing({
      document_index: 'number',
      start_block_index: 'number',
      end_block_index: 'number',
    }),
    web_search_result_location: typed({
      cited_text: 'string',
      encrypted_index: 'string',
      title: 'string|null',
      url: 'string',
    }),
    search_result_location: typed({
      cited_text: 'string',
      source: 'string',
      title: 'string|null',
      search_result_index: 'number',
      start_block_index: 'number',
      end_block_index: 'number',
    }),
  },
};

/** Responses add the file of a citation, which requests may keep. */
function citing(place: Shapes): Shape {
  return typed({ cited_text: 'string', document_title: 'string|null', 'file_id?': 'string|null', ...place });
}

const text = typed({ text: 'string', 'citations?': orNull(listOf(citation)), ...cache });
const url = typed({ url: 'string' });
const file = typed({ file_id: 'string' });
const image = typed({
  source: {
    tag: 'type',
    of: {
      base64: typed({ media_type: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], data: 'string' }),
      url,
      file,
    },
  },
  'transformations?': orNull(closed({ 'oversized_image?': ['downsize', 'error'] })),
  ...cache,
});
const citations = closed({ 'enabled?': 'boolean' });
const blocksOf = (of: Shapes): Shape => ({ either: ['string', listOf({ tag: 'type', of })] });
const document = typed({
  source: {
    tag: 'type',
    of: {
      base64: typed({ media_type: ['application/pdf'], data: 'string' }),
      text: typed({ media_type: ['text/plain'], data: 'string' }),
      content: typed({ content: blocksOf({ text, image }) }),
      url,
      file,
    },
  },
  'title?': 'string|null',
  'context?': 'string|null',
  'citations?': orNull(citations),
  ...cache,
});
const searchResult = typed({
  source: 'string',
  title: 'string',
  content: listOf({ tag: 'type', of: { text } }),
  'citations?': citations,
  ...cache,
});

/** The result of a server tool; its content is checked less strictly than by the schema. */
const answer = (content: Shape, more: Shapes = {}) => typed({ tool_use_id: 'string', content, ...more, ...cache });
const serverUse = { id: 'string', name: 'string', input: 'any' };

const anyones: Shapes = {
  text,
  image,
  document,
  search_result: searchResult,
  container_upload: typed({ file_id: 'string', ...cache }),
  server_tool_use: typed({
    ...serverUse,
    name: commaList(`
      web_search, web_fetch, code_execution, bash_code_execution, text_editor_code_execution, tool_search_tool_regex,
      tool_search_tool_bm25, advisor
    `),
    ...caller,
    ...cache,
  }),
  web_search_tool_result: answer('object|array', caller),
  web_fetch_tool_result: answer('object', caller),
  code_execution_tool_result: answer('object'),
  bash_code_execution_tool_result: answer('object'),
  text_editor_code_execution_tool_result: answer('object'),
  tool_search_tool_result: answer('object'),
  advisor_tool_result: answer('object'),
  mcp_tool_use: typed({ ...serverUse, server_name: 'string', ...cache }),
  mcp_tool_result: typed({ tool_use_id: 'string', 'content?': blocksOf({ text }), 'is_error?': 'boolean', ...cache }),
  mcp_tool_listing: typed({ mcp_server_name: 'string', tools: 'array' }),
  compaction: typed({
    'content?': 'string|null',
    'encrypted_content?': 'string|null',
    'signature?': 'string|null',
    'tool_changes?': 'array|null',
    ...cache,
  }),
  tool_addition: typed({ tool: 'object', ...cache }),
  tool_removal: typed({ tool: 'object', ...cache }),
  fallback: typed({ from: 'object', to: 'object', 'trigger?': 'any' }),
};

const models: Shapes = {
  thinking: typed({ thinking: 'string', 'signature?': 'string' }),
  redacted_thinking: typed({ data: 'string' }),
  tool_use: typed({ 'id?': 'string', name: 'string', input: 'any', ...caller, ...toolset, ...cache }),
};

const users: Shapes = {
  tool_result: typed({
    'tool_use_id?': 'string',
    'content?': blocksOf({
      text,
      image,
      search_result: searchResult,
      document,
      tool_reference: typed({ tool_name: 'string', ...cache }),
      browser_state: typed({ tabs: 'array', 'state_changes?': 'array|null', ...cache }),
    }),
    'is_error?': 'boolean',
    ...toolset,
    ...cache,
  }),
};

const message = (of: Shapes): Shape => closed({ role: 'string', content: blocksOf(of) });
const effort = orNull(['low', 'medium', 'high', 'xhigh', 'max']);

/** Amid a conversation: instructions and tools from here on, or only a setting. */
const system = closed({
  role: 'string',
  'content?': blocksOf({ text, tool_addition: anyones['tool_addition']!, tool_removal: anyones['tool_removal']! }),
  'clear_at?': orNull(['next_user_message', 'never']),
  'output_config?': orNull(closed({ 'effort?': effort })),
});

/** A message, by its role. */
export const ANTHROPIC_MESSAGE: Shape = {
  tag: 'role',
  of: { user: message({ ...anyones, ...users }), assistant: message({ ...anyones, ...models }), system },
};

/** A separate system prompt that is an array. */
export const ANTHROPIC_SYSTEM: Shape = listOf({ tag: 'type', of: { text } });
