/**
 * Messages inside traces. They can have any provider's format, so each is read and written by the lens that fits best.
 * A transcript of a trace is a list that this module builds, with an element per message:
 * `{about?, format, request?, beside?, reply?, message}`
 * - `about`: metadata of the transcript (first element only)
 * - `format`: the id of the lens
 * - `request`: usage, model and time of the request that this message answers
 * - `beside`: the message comes from outside of the message list, as a system prompt can
 * - `reply`: the exchange ends with this message
 */
import { TranscriptError } from '../../errors.js';
import { type ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed, reparsed } from '../../json/print.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, Part, Recorded, Role, Traits } from '../../transcript/types.js';
import anthropicMessages from '../anthropic/anthropic-messages.js';
import { type Description, defineFormat, type Format } from '../format.js';
import geminiContents from '../gemini/gemini-contents.js';
import langchain from '../langchain/langchain.js';
import bareCalls, { bareCallsOf } from '../openai/bare-calls.js';
import chatVariants from '../openai/chat-variants.js';
import openaiChat from '../openai/openai-chat.js';
import openaiResponses from '../openai/openai-responses.js';
import aiSdkReply from '../otel/ai-sdk-reply.js';
import otelGenai from '../otel/otel-genai.js';
import vercelModel from '../vercel/vercel-model.js';
import { json } from './json-fields.js';

/** The lenses for messages in traces, most specific first. Formats of agent logs (Claude Code, Codex) never occur. */
const LENSES: readonly Format[] = [
  otelGenai,
  geminiContents,
  vercelModel,
  langchain,
  anthropicMessages,
  openaiResponses,
  chatVariants,
  openaiChat,
];

/** Lenses for a plain text as a message: a prompt, a reply, a system prompt (possibly a list of texts). */
const TEXT_LENSES = { user: textLens('user'), assistant: textLens('assistant'), system: textLens('system') } as const;

const BY_ID = new Map(
  [...LENSES, bareCalls, aiSdkReply, ...Object.values(TEXT_LENSES)].map((format) => [format.id, format]),
);

/** Minimum score to accept an embedded message. */
const MIN_SCORE = 0.5;
/** From this score on, only one format writes such a message. */
const CERTAIN = 0.9;

/** The lens with the highest score for a value; undefined if it is not a message. */
export function bestLens(node: JsonNode): Format | undefined {
  if (!node.isObject) return bareCallsOf(node) && bareCalls;
  let best: Format | undefined;
  let most = 0;
  for (const lens of LENSES) {
    const confidence = lens.score(node);
    if (confidence > most) [best, most] = [lens, confidence];
  }
  return most >= MIN_SCORE ? best : undefined;
}

/** The messages among the elements of a list. Ambiguous ones get the lens that is certain for others in the list. */
export function embeddedMessages(items: readonly JsonNode[]): EmbeddedMessage[] {
  const found = items.flatMap((message): EmbeddedMessage[] => {
    const lens = bestLens(message);
    return lens === undefined ? [] : [{ lens, message }];
  });
  const sure = found.find(({ lens, message }) => lens.score(message) >= CERTAIN)?.lens;
  return found.map((embedded) =>
    sure !== undefined && embedded.lens.score(embedded.message) < CERTAIN && canRead(sure, embedded.message)
      ? { ...embedded, lens: sure }
      : embedded,
  );
}

/** Whether a lens can read a message, including its role. */
function canRead(lens: Format, message: JsonNode): boolean {
  if (lens.score(message) <= 0) return false;
  try {
    return lens.read(message).role !== 'meta';
  } catch (error) {
    if (error instanceof TranscriptError) return false;
    throw error;
  }
}

/** The lens for a plain text as a message. */
export function plainText(role: 'user' | 'assistant' | 'system'): Format {
  return TEXT_LENSES[role];
}

// --- the list

/** A message in a trace, with its lens. */
export interface EmbeddedMessage {
  readonly lens: Format;
  readonly message: JsonNode;
  /** From outside of the message list, as a system prompt can be. */
  readonly beside?: boolean;
}

/** Metadata of the transcript, stored in the first element. */
export type ListMetadata = Pick<Description, 'id' | 'model' | 'others'> & { readonly tools?: JsonNode };

/** Builds the list. The messages keep their bytes. */
export function buildList(
  messages: readonly EmbeddedMessage[],
  requests: ReadonlyMap<EmbeddedMessage, Recorded>,
  endsOnReply: boolean,
  { id, model, tools, others }: ListMetadata,
): JsonNode {
  const metadata = [
    ...Object.entries({ id, model, others: others?.length ? others : undefined }).flatMap(([key, value]) =>
      value === undefined ? [] : [`"${key}":${JSON.stringify(value)}`],
    ),
    ...(tools === undefined ? [] : [`"tools":${tools.text}`]),
  ];
  const about = metadata.length === 0 ? '{' : `{"about":{${metadata.join(',')}},`;
  const elements = messages.map((embedded, index) => {
    const { lens, message, beside } = embedded;
    const fields = {
      format: lens.id,
      request: requests.get(embedded),
      beside,
      reply: (endsOnReply && index === messages.length - 1) || undefined,
    };
    return `${index === 0 ? about : '{'}${JSON.stringify(fields).slice(1, -1)},"message":${printed(message)}}`;
  });
  return parse(`[${elements.join(',')}]`);
}

/** The members shared by all formats whose transcripts are such lists. */
export const embeddedFormat: Pick<Format, 'traits' | 'messagePaths' | 'score' | 'read' | 'write' | 'recorded'> = {
  traits: {},
  messagePaths: [],
  score: (raw) => (raw.get('message') !== undefined && BY_ID.has(raw.get('format')?.string ?? '') ? 0.9 : 0),
  read(raw) {
    const message = lensIn(raw).read(raw.get('message')!);
    return { ...message, raw, model: message.model ?? raw.get('request')?.get('model')?.string };
  },
  write(message, near) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) {
      const lens = near === undefined ? lensForAdded(message) : messageLens(lensIn(near));
      return { format: lens.id, message: lens.write({ ...message, parts: message.parts.map(asText) }) };
    }
    return patch(raw, { message: lensIn(raw).write({ ...message, raw: raw.get('message') }) });
  },
  recorded: (raw) =>
    raw.get('request') === undefined ? undefined : (JSON.parse(raw.get('request')!.text) as Recorded),
};

/** Metadata of a list: the traits of its most frequent lens, and whether it ends with a reply. */
export function describeList(list: JsonNode): Description {
  const counts = new Map<Format, number>();
  for (const item of list.items()) counts.set(lensIn(item), (counts.get(lensIn(item)) ?? 0) + 1);
  const [most] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [otelGenai as Format, 0]);
  const traits: Traits =
    list.items().at(-1)?.get('reply') !== undefined ? { ...most.traits, endsOnReply: true } : most.traits;
  const about = list.items()[0]?.get('about');
  const id = about?.get('id')?.string;
  const model = about?.get('model')?.string;
  const tools = about?.get('tools');
  const others = about?.get('others');
  return {
    traits,
    ...(id === undefined ? {} : { id }),
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(others === undefined ? {} : { others: JSON.parse(others.text) as Recorded[] }),
  };
}

/** An element of a list after a transform. */
export interface EditedElement {
  /** The message to write; the original node if unchanged. */
  readonly message: Json;
  /** The index of the original element; undefined if added. */
  readonly from: number | undefined;
  /** The message as read after the edit. */
  readonly read: Message;
}

/** Compares an edited list with the list that `buildList` made. */
export function readEdits(after: Json): {
  readonly before: readonly JsonNode[];
  readonly elements: readonly EditedElement[];
} {
  if (after instanceof JsonNode) {
    const before = after.items();
    return {
      before,
      elements: before.map((item, from) => ({ message: item.get('message')!, from, read: readElement(item) })),
    };
  }
  const { base, items } = after as ArrayEdit;
  const before = base.items();
  const indexOf = new Map(before.map((item, index) => [item.at, index]));
  const elements = items.map((item): EditedElement => {
    if (item instanceof JsonNode)
      return { message: item.get('message')!, from: indexOf.get(item.at), read: readElement(item) };
    const read = readElement(reparsed(item));
    if (item instanceof ObjectEdit)
      return { message: item.fields.get('message')!, from: indexOf.get(item.base.at), read };
    return { message: (item as JsonFields)['message']!, from: undefined, read };
  });
  return { before, elements };
}

/** Reads an element of the list with its lens. */
export function readElement(item: JsonNode): Message {
  return embeddedFormat.read(item);
}

function lensIn(item: JsonNode): Format {
  return BY_ID.get(item.get('format')?.string ?? '') ?? otelGenai;
}

/** The lens for a message added next to this one: next to a plain text or bare calls, that of chat messages. */
function messageLens(lens: Format): Format {
  return LENSES.includes(lens) ? lens : openaiChat;
}

/** The lens that can express all of an added message without neighbors: error flags, tool names, missing ids, texts. */
function lensForAdded({ parts }: Message): Format {
  const results = parts.filter((part) => part.type === 'result');
  if (results.some(({ isError }) => isError !== undefined)) {
    if (results.some(({ callId }) => callId === undefined)) return geminiContents;
    return results.some(({ tool }) => tool !== undefined) ? vercelModel : anthropicMessages;
  }
  const isChat = parts.some((part) => 'callId' in part && (part.callId === '' || part.legacy));
  return isChat || results.some(({ callId, content }) => callId !== undefined && content.length > 1)
    ? openaiChat
    : otelGenai;
}

/** Turns a text that was another JSON value, as in a result, into a string. */
function asText(part: Part): Part {
  return part.type === 'text' && part.text instanceof JsonNode && !part.text.isString
    ? { type: 'text', text: part.text.text }
    : part;
}

// --- plain texts

function textLens(role: Role & ('user' | 'assistant' | 'system')): Format {
  return defineFormat({
    id: `text-${role}`,
    traits: {},
    messagePaths: [],
    score: () => 0,
    read: (raw) => ({
      role,
      parts: raw.isArray ? raw.items().map(readBlock) : [{ type: 'text', text: raw, raw }],
      raw,
    }),
    write({ raw, parts }) {
      const old = raw instanceof JsonNode ? raw : undefined;
      if (old?.isArray) return patchItems(old, parts.map(writeBlock));
      const [first] = parts;
      return parts.length === 1 && first!.type === 'text'
        ? json(first!.text)
        : joinTexts(parts.filter((part) => part.type === 'text'));
    },
  });
}

function readBlock(block: JsonNode): Part {
  const text = block.isString ? block : (block.get('text') ?? block.get('content'));
  return text?.isString ? { type: 'text', text, raw: block } : { type: 'opaque', text: block, raw: block };
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : '';
  if (!(raw instanceof JsonNode) || raw.isString) return json(part.text);
  return patch(raw, { [raw.get('text') === undefined ? 'content' : 'text']: json(part.text) });
}
