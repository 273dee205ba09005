/**
 * Message histories of Pydantic AI, as `all_messages_json()` and `ModelMessagesTypeAdapter` write them: a list of
 * requests, each with several parts (system prompt, user's prompt, results, retries), and responses.
 * https://ai.pydantic.dev/message-history/
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py
 */
import { ArrayEdit, type Json, patch, patchItems } from '../../json/edit.js';
import { type Nested, nested, renested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import type { Media, MediaPlace } from '../encode.js';
import { type Bundle, type Description, defineFormat, type Envelope } from '../format.js';
import { objectsIn } from '../shared/json-fields.js';
import { withMedia } from '../shared/media-tokens.js';
import { isContent, joinedString } from '../shared/parts.js';
import { costText, isEmpty, recordedOf, timeOf, tokens, usageFromTotals, wholeOutput } from '../shared/recorded.js';
import { instructionsIn, isOwner, isResponse, ownersAfter, Unit, UnitList } from './pydantic-list.js';
import { readRequest, readResponsePart, writeFresh, writeRequestPart, writeResponseParts } from './pydantic-parts.js';

/** Members of a record that hold the list, also as JSON in a string: what the documentation and others call it. */
const LISTS = [
  ...['messages', 'all_messages', 'new_messages', 'message_history', 'message_list', 'history'],
  ...['all_messages_json', 'new_messages_json', 'model_messages', 'raw_model_messages'],
];

const envelope: Envelope = {
  holders: LISTS,
  open(record) {
    const list = listIn(record)?.list;
    return list && [new UnitList(list.value.items(), list)];
  },
  close(record, [after]) {
    const { base, written } = edited(after!);
    const { list } = base;
    const items = patchItems(list!.value, written.flat());
    const key = listIn(record)!.key;
    return key === undefined ? items : patch(record, { [key]: renested(list!, items) });
  },
  describe: (list, record) => (record.get('id') === undefined ? describe(list) : {}),
};

const bundle: Bundle = {
  eachRow: true,
  open: (records) => (records.some(isOwner) ? [new UnitList(records)] : undefined),
  close: (_, [after]) => edited(after!).written,
  describe,
};

export default defineFormat({
  id: 'pydantic-ai',
  traits: { flagsErrors: true },
  messagePaths: [],
  score: (raw) => (raw instanceof Unit ? scoreOf(raw) : 0),
  read(raw) {
    if (!isOwner(raw)) return readRequest([raw], raw);
    if (!isResponse(raw)) {
      const text = instructionsIn(raw);
      if (text === undefined) return readRequest(raw.get('parts')!.items(), raw); // it was added
      return { role: 'system', parts: [{ type: 'text', text, raw: text }], raw };
    }
    const parts = objectsIn(raw.get('parts'), 'parts').map(readResponsePart);
    const model = raw.get('model_name')?.string;
    return { role: 'assistant', parts, ...(model === undefined ? {} : { model }), raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof Unit)) return writeFresh(message);
    if (message.role === 'meta') return raw;
    if (isResponse(raw.owner)) {
      const old = raw.get('parts')!;
      return patch(raw, { parts: patchItems(old, writeResponseParts(parts, old)) });
    }
    return raw.instructions === undefined
      ? writeRequestPart(message, raw)
      : patch(raw, { instructions: joinedString(parts.filter(isContent)) });
  },
  describe: (record) => ({ id: record.get('id')?.string }),
  recorded,
  envelope,
  bundle,
  encode: {
    messages: 'messages',
    media,
    acceptsThinking: true,
    resultNeedsToolName: true,
  },
});

interface FoundList {
  /** Undefined where the record is the list. */
  readonly key: string | undefined;
  readonly list: Nested;
}

/** The list of messages in a record, or that it is. */
function listIn(record: JsonNode): FoundList | undefined {
  if (record.isArray) return isList(record) ? { key: undefined, list: { value: record, strings: [] } } : undefined;
  for (const key of LISTS) {
    const value = record.get(key);
    const list = value && nested(value);
    if (list?.value.isArray && isList(list.value)) return { key, list };
  }
  return undefined;
}

function isList(node: JsonNode): boolean {
  return node.items(1).some(isOwner);
}

/** What an edit made of a list. */
function edited(after: Json): { readonly base: UnitList; readonly written: readonly (readonly Json[])[] } {
  const base = (after instanceof ArrayEdit ? after.base : after) as UnitList;
  return { base, written: ownersAfter(base, after) };
}

function describe(list: JsonNode): Description {
  const [first] = list instanceof UnitList ? list.owners : [];
  return { id: (first?.get('conversation_id') ?? first?.get('run_id'))?.string };
}

/** A part of an unknown kind says little. */
function scoreOf(unit: Unit): number {
  if (unit.instructions !== undefined) return 1;
  const [part] = isResponse(unit.owner) ? unit.get('parts')!.items(1) : [unit];
  return part === undefined || part.get('part_kind')?.isString ? 1 : UNKNOWN;
}

const UNKNOWN = 0.2;

// --- usage

/** Of a response, its usage; of a part of a request, when it was said. */
function recorded(raw: JsonNode): Recorded | undefined {
  if (!(raw instanceof Unit)) return undefined;
  const time = timeOf(raw.get('timestamp')) ?? timeOf(raw.owner.get('timestamp'));
  if (!isResponse(raw.owner)) return raw.instructions === undefined ? recordedOf({ time }) : undefined;
  const usage = raw.get('usage');
  return recordedOf({
    responseId: (raw.get('provider_response_id') ?? raw.get('vendor_id'))?.string,
    model: raw.get('model_name')?.string,
    time,
    usage: usageIn(usage),
    cost: costIn(usage?.get('cost')),
  });
}

/**
 * The input includes what the cache read and wrote: https://github.com/pydantic/genai-prices (RequestUsage follows it).
 * Before version 1 it was `request_tokens`, and what the provider said beside stood in `details`.
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/usage.py
 */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  const details = usage?.get('details');
  const input = tokens(usage, 'input_tokens') ?? tokens(usage, 'request_tokens');
  const output = tokens(usage, 'output_tokens') ?? tokens(usage, 'response_tokens');
  const told = (key: string, ...older: readonly string[]) =>
    tokens(usage, key) || older.map((name) => tokens(details, name)).find((count) => count !== undefined) || 0;
  const reasoning = told('reasoning_tokens', 'reasoning_tokens', 'thoughts_tokens');
  const whole = output && wholeOutput(output, input ?? 0, reasoning, tokens(usage, 'total_tokens'));
  const found = usageFromTotals(input, whole, {
    cacheRead: told('cache_read_tokens', 'cache_read_input_tokens', 'cached_tokens', 'cached_content_tokens'),
    cacheWrite5m: told('cache_write_tokens', 'cache_creation_input_tokens'),
    reasoning,
  });
  if (found === undefined || isEmpty(found)) return undefined; // as for a reply that no model gave
  const heard = tokens(usage, 'input_audio_tokens');
  const said = tokens(usage, 'output_audio_tokens');
  if (!heard && !said) return found;
  const cached = tokens(usage, 'cache_audio_read_tokens');
  return withMedia(found, (name) => (name === 'Audio' ? [heard, cached, said] : [0, 0, 0]));
}

/** A decimal number is a text in JSON. */
function costIn(cost: JsonNode | undefined): string | undefined {
  return cost?.isString && /^\d+(?:\.\d+)?$/.test(cost.text) ? cost.text : costText(cost);
}

// --- conversion

function media({ kind, type, base64, url }: Media, place: MediaPlace): Json | undefined {
  if (base64 !== undefined) {
    const content = { data: base64, media_type: type ?? 'application/octet-stream', kind: 'binary' };
    return content;
  }
  if (place === 'assistant') return undefined; // what a model made is in the response itself
  const kinds = { image: 'image-url', audio: 'audio-url', file: 'document-url' } as const;
  const isVideo = type?.startsWith('video/');
  return { url: url!, kind: isVideo ? 'video-url' : kinds[kind], ...(type === undefined ? {} : { media_type: type }) };
}
