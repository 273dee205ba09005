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

/** Server-sent events, JSON line by line, or a list of chunks, as Gemini sends it. */
const STREAM = /^\s*(?:(?:data|event|id|retry):|:|\{.*\}\r?\n\{|\[\s*\{)/;
/** Only events with one of these say what a request took; the others are not decoded. */
const COUNTED = /"(?:usage|usageMetadata|x_groq|prompt_eval_count)"/;

type Fields = Readonly<Record<string, unknown>>;

/** Whether a text is a stream. */
export function isStream(text: string): boolean {
  return STREAM.test(text);
}

/** A body with the usage that the events state, and what stands beside it; undefined if none states any. */
export function streamedResponse(text: string): JsonNode | undefined {
  let body: Fields | undefined;
  for (const event of eventsIn(text)) {
    const fields = fieldsIn(event);
    const counted = fields && countedIn(fields);
    if (counted) body = { ...body, ...counted, usage: joined(body?.['usage'], counted['usage']) };
  }
  return body && parse(JSON.stringify(body));
}

/** The events that may count something. */
function* eventsIn(text: string): Generator<unknown> {
  if (/^\s*\[/.test(text)) {
    const list = decoded(text);
    return yield* Array.isArray(list) ? list : [];
  }
  for (const data of dataIn(text)) if (COUNTED.test(data)) yield decoded(data);
}

function* dataIn(text: string): Generator<string> {
  let data: string[] = [];
  for (const line of text.split(/\r?\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    } else if (line.startsWith('{')) yield line;
  }
  if (data.length > 0) yield data.join('\n');
}

/** The members of an event that counts, as a body has them. */
function countedIn(event: Fields): Fields | undefined {
  const [response, message, groq] = ['response', 'message', 'x_groq'].map((key) => fieldsIn(event[key]));
  const holder = [response, message].find((held) => fieldsIn(held?.['usage'])) ?? event;
  const usage = fieldsIn(holder['usage']) ?? fieldsIn(groq?.['usage']);
  if (usage !== undefined) return { ...holder, usage };
  return 'usageMetadata' in event || 'prompt_eval_count' in event ? event : undefined;
}

/** Counts only grow, and what an event leaves open an earlier one said. */
function joined(before: unknown, after: unknown): unknown {
  const [known, added] = [fieldsIn(before), fieldsIn(after)];
  if (known === undefined || added === undefined) return added ?? known;
  const grown = Object.entries(added).flatMap(([key, value]) => {
    const old = known[key];
    const isLess = typeof old === 'number' && typeof value === 'number' && value < old;
    return value === null || isLess ? [] : [[key, value]];
  });
  return { ...known, ...Object.fromEntries(grown) };
}

function fieldsIn(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Undefined where it is no JSON. */
function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
