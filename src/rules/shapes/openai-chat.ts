/**
 * Chat Completions messages by OpenAI's published schema (ChatCompletionRequestMessage, OpenAPI description 2.3.0),
 * which allows unknown members. Null contents, missing ids and empty lists of calls have rules of their own.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
import type { Shape, Shapes } from './shape.js';

/** The API rejects other names, though the schema has no pattern. It accepted null in recorded requests. */
const NAME: Shape = {
  either: [{ pattern: /^[^\s<|\\/>]+$/, expected: 'a name without spaces and the characters < | \\ / >' }, 'null'],
};
const URI: Shape = { pattern: /^[a-z][a-z\d+.-]*:\S+$/i, expected: 'a URL such as https:… or data:…' };
const CACHE: Shape = { fields: { mode: ['explicit'] } };

const text: Shape = { fields: { text: 'string', 'prompt_cache_breakpoint?': CACHE } };
const shownToModel: Shapes = {
  text,
  image_url: {
    fields: {
      image_url: { fields: { url: URI, 'detail?': ['auto', 'low', 'high'] } },
      'prompt_cache_breakpoint?': CACHE,
    },
  },
  input_audio: {
    fields: { input_audio: { fields: { data: 'string', format: ['wav', 'mp3'] } }, 'prompt_cache_breakpoint?': CACHE },
  },
  file: {
    fields: {
      file: { fields: { 'filename?': 'string', 'file_data?': 'string', 'file_id?': 'string' } },
      'prompt_cache_breakpoint?': CACHE,
    },
  },
};

function contentOf(parts: Shapes, ...more: readonly Shape[]): Shape {
  return { either: ['string', { list: { tag: 'type', of: parts }, least: 1 }, ...more] };
}

const call: Shapes = {
  function: { fields: { 'id?': 'string', function: { fields: { name: 'string', arguments: 'string' } } } },
  custom: { fields: { 'id?': 'string', custom: { fields: { name: 'string', input: 'string' } } } },
};

const instructions: Shape = { fields: { 'content?': contentOf({ text }, 'null'), 'name?': NAME } };

/** A message, by its role. */
export const CHAT_MESSAGE: Shape = {
  tag: 'role',
  of: {
    system: instructions,
    developer: instructions,
    user: { fields: { 'content?': contentOf(shownToModel, 'null'), 'name?': NAME } },
    assistant: {
      fields: {
        'content?': contentOf({ text, refusal: { fields: { refusal: 'string' } } }, 'null'),
        'refusal?': 'string|null',
        'name?': NAME,
        'audio?': { either: [{ fields: { id: 'string' } }, 'null'] },
        'tool_calls?': { either: [{ list: { tag: 'type', of: call }, most: 128 }, 'null'] }, // openai/openai-dotnet#317
        'function_call?': { either: [{ fields: { arguments: 'string', name: 'string' } }, 'null'] },
      },
    },
    tool: { fields: { 'content?': contentOf({ text }, 'null'), 'tool_call_id?': 'string' } },
    function: { fields: { content: 'string|null', name: 'string' } },
  },
};
