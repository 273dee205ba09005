/**
 * What a streamed response says of its request, as the body of a response would say it: events of a stream that is a
 * text, and JSON line by line. The words of the reply stand in pieces, and stay unread.
 *
 * - Chat Completions: the last chunk has the usage, and of some servers each one.
 *   https://platform.openai.com/docs/api-reference/chat-streaming (2026-12-01)
 * - Responses: its last event has the whole response. https://platform.openai.com/docs/api-reference/responses-streaming
 * - Anthropic: `message_start` has the usage of the prompt, and `message_delta` what came of it since.
 *   https://docs.anthropic.com/en/docs/build-with-claude/streaming
 * - Gemini: each chunk has the usage so far. https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 * - Ollama: the last line is `done`. https://docs.ollama.com/api/streaming
 */
import { type JsonNode, parse } from '../../json/node.js';
import { bodyIn } from './encoded-body.js';
import { tryParse } from './json-fields.js';

/** Server-sent events, JSON line by line, or a list of chunks, as Gemini sends it. */
const STREAM = /^\s*(?:(?:data|event|id|retry):|:|\{.*\}\r?\n\{|\[\s*\{)/;
/** Only events with one of these say what a request took; the others are not decoded. */
const COUNTED = /"(?:usage|usageMetadata|prompt_eval_count)"/;

type Fields = Readonly<Record<string, unknown>>;

/** The body of a response that is no JSON object: what its stream says of the request, or one in base64. */
export function bodyOf(response: JsonNode): JsonNode | undefined {
  const text = bodyIn(response.text);
  const whole = tryParse(text);
  if (whole?.isObject) return whole;
  let body: Fields | undefined;
  for (const event of whole?.isArray ? whole.items().map((item) => item.text) : text.split(/\r?\n|\r/))
    if (COUNTED.test(event)) body = { ...body, ...countedIn(tryParse(event.replace(/^data:/, '')), body) };
  return body && parse(JSON.stringify(body));
}

/** Whether a text is a stream. */
export function isStream(text: string): boolean {
  return STREAM.test(text);
}

/** The members of an event that counts, as a body has them. `before`: those of earlier events. */
function countedIn(event: JsonNode | undefined, before: Fields = {}): Fields {
  const holder = ['response', 'message', 'x_groq'].map((key) => event?.get(key)).find(hasUsage) ?? event;
  const isCounted = hasUsage(holder) || (event?.get('usageMetadata') ?? event?.get('prompt_eval_count')) !== undefined;
  if (!isCounted) return before;
  const { usage, ...others } = JSON.parse(holder!.text) as Fields;
  const id = event!.get('id')?.text;
  return {
    ...(id && { id }),
    ...others,
    ...(usage ? { usage: grown(before['usage'] as Fields, usage as Fields) } : {}),
  };
}

function hasUsage(node: JsonNode | undefined): boolean {
  return node?.get('usage')?.isObject === true;
}

/** Counts only grow, and what an event leaves open an earlier one said. */
function grown(before: Fields | undefined, after: Fields): Fields {
  const isNew = ([key, value]: [string, unknown]) => value !== null && !(Number(value) < Number(before?.[key]));
  return { ...before, ...Object.fromEntries(Object.entries(after).filter(isNew)) };
}
