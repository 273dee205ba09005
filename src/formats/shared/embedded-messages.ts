/**
 * Messages inside of traces: they may be of any provider's shape, so each is read and written by the lens that knows it best.
 * A trace's transcript is a list of our own making, an element for each message: `{about?, format, request?, beside?, reply?, message}`. `format` is
 * the lens, `request` what the trace recorded of the request that the message answers, `beside` says that it stands outside of the
 * list, as a system prompt may, `reply` that the exchange ends with it.
 */
import { TranscriptError } from '../../errors.js';
import { type ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { joinTexts } from '../../transcript/text.js';
import type { Message, Part, Recorded, Role, Traits } from '../../transcript/types.js';
import anthropicMessages from '../anthropic/anthropic-messages.js';
import { type Description, defineFormat, type Format } from '../format.js';
import geminiContents from '../gemini/gemini-contents.js';
import langchain from '../langchain/langchain.js';
import bareCalls, { bareCallsIn } from '../openai/bare-calls.js';
import chatVariants from '../openai/chat-variants.js';
import openaiChat from '../openai/openai-chat.js';
import openaiResponses from '../openai/openai-responses.js';
import otelGenai from '../otel/otel-genai.js';
import vercelModel from '../vercel/vercel-model.js';
import { json } from './json-fields.js';

/** Every lens whose messages traces hold, the most particular first. What has its own log format (Claude Code, Codex) is in none. */
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

/** A text that is a message as a whole: a prompt, a reply, a system prompt (which may be a list of texts). */
const TEXTS = { user: plain('user'), assistant: plain('assistant'), system: plain('system') } as const;

const BY_ID = new Map([...LENSES, bareCalls, ...Object.values(TEXTS)].map((format) => [format.id, format]));

/** As sure as a lens has to be of a message, found where one may stand. */
const SURE = 0.5;
/** What only one format writes. */
const CERTAIN = 0.9;

/** The lens that knows a value best as a message; undefined where it is none. */
export function lensOf(node: JsonNode): Format | undefined {
  if (!node.isObject) return bareCallsIn(node) && bareCalls;
  let best: Format | undefined;
  let most = 0;
  for (const lens of LENSES) {
    const confidence = lens.score(node);
    if (confidence > most) [best, most] = [lens, confidence];
  }
  return most >= SURE ? best : undefined;
}

/** The messages among the elements of a list. A message that many formats could write is of the one that others of its list surely are. */
export function lensesOf(items: readonly JsonNode[]): Carried[] {
  const found = items.flatMap((message): Carried[] => {
    const lens = lensOf(message);
    return lens === undefined ? [] : [{ lens, message }];
  });
  const sure = found.find(({ lens, message }) => lens.score(message) >= CERTAIN)?.lens;
  return found.map((carried) =>
    sure !== undefined && carried.lens.score(carried.message) < CERTAIN && isMessageOf(sure, carried.message)
      ? { ...carried, lens: sure }
      : carried,
  );
}

/** Whether a lens could have written a message: one of a role that it does not know is a message of another. */
function isMessageOf(lens: Format, message: JsonNode): boolean {
  if (lens.score(message) <= 0) return false;
  try {
    return lens.read(message).role !== 'meta';
  } catch (error) {
    if (error instanceof TranscriptError) return false;
    throw error;
  }
}

/** The lens of a text that is a message as a whole. */
export function plainText(role: 'user' | 'assistant' | 'system'): Format {
  return TEXTS[role];
}

// --- the list

/** A message, and the lens that knows it. */
export interface Carried {
  readonly lens: Format;
  readonly message: JsonNode;
  readonly beside?: boolean;
}

/** What is said of the transcript as a whole: it stands in the first element. */
export type About = Pick<Description, 'id' | 'model'> & { readonly tools?: JsonNode };

/** The list as a value. The messages keep their bytes. */
export function carry(
  messages: readonly Carried[],
  requests: ReadonlyMap<Carried, Recorded>,
  endsOnReply: boolean,
  { id, model, tools }: About,
): JsonNode {
  const told = [
    ...Object.entries({ id, model }).flatMap(([key, value]) =>
      value === undefined ? [] : [`"${key}":${JSON.stringify(value)}`],
    ),
    ...(tools === undefined ? [] : [`"tools":${tools.text}`]),
  ];
  const about = told.length === 0 ? '{' : `{"about":{${told.join(',')}},`;
  const elements = messages.map((carried, index) => {
    const { lens, message, beside } = carried;
    const said = {
      format: lens.id,
      request: requests.get(carried),
      beside,
      reply: (endsOnReply && index === messages.length - 1) || undefined,
    };
    return `${index === 0 ? about : '{'}${JSON.stringify(said).slice(1, -1)},"message":${printed(message)}}`;
  });
  return parse(`[${elements.join(',')}]`);
}

/** The members that a format shares whose transcripts are such lists. */
export const carriedMessages: Pick<Format, 'traits' | 'messagePaths' | 'score' | 'read' | 'write' | 'recorded'> = {
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
      const lens = near === undefined ? writerAlone(message) : writerOf(lensIn(near));
      return { format: lens.id, message: lens.write({ ...message, parts: message.parts.map(asText) }) };
    }
    return patch(raw, { message: lensIn(raw).write({ ...message, raw: raw.get('message') }) });
  },
  recorded: (raw) =>
    raw.get('request') === undefined ? undefined : (JSON.parse(raw.get('request')!.text) as Recorded),
};

/** What holds for a whole list: how the format of most of its messages differs, and that it ends with a reply. */
export function describeCarried(list: JsonNode): Description {
  const counts = new Map<Format, number>();
  for (const item of list.items()) counts.set(lensIn(item), (counts.get(lensIn(item)) ?? 0) + 1);
  const [most] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [otelGenai as Format, 0]);
  const traits: Traits =
    list.items().at(-1)?.get('reply') !== undefined ? { ...most.traits, endsOnReply: true } : most.traits;
  const about = list.items()[0]?.get('about');
  const tools = about?.get('tools');
  return {
    traits,
    ...(about === undefined ? {} : { id: about.get('id')?.string, model: about.get('model')?.string, tools }),
  };
}

/** An element of a list after a transform. */
export interface Delivered {
  /** What is written of the message: the node itself where it did not change. */
  readonly message: Json;
  /** The index of the element that it was; undefined where it was added. */
  readonly from: number | undefined;
  /** As it is read now. */
  readonly read: Message;
}

/** What a transform left of a list that `carry` made. */
export function deliver(after: Json): {
  readonly before: readonly JsonNode[];
  readonly delivered: readonly Delivered[];
} {
  if (after instanceof JsonNode) {
    const before = after.items();
    return {
      before,
      delivered: before.map((item, from) => ({ message: item.get('message')!, from, read: readCarried(item) })),
    };
  }
  const { base, items } = after as ArrayEdit;
  const before = base.items();
  const indexOf = new Map(before.map((item, index) => [item.at, index]));
  const delivered = items.map((item): Delivered => {
    if (item instanceof JsonNode)
      return { message: item.get('message')!, from: indexOf.get(item.at), read: readCarried(item) };
    const read = readCarried(parse(printed(item)));
    if (item instanceof ObjectEdit)
      return { message: item.fields.get('message')!, from: indexOf.get(item.base.at), read };
    return { message: (item as JsonFields)['message']!, from: undefined, read };
  });
  return { before, delivered };
}

/** An element of the list, read by its lens. */
export function readCarried(item: JsonNode): Message {
  return carriedMessages.read(item);
}

function lensIn(item: JsonNode): Format {
  return BY_ID.get(item.get('format')?.string ?? '') ?? otelGenai;
}

/** What is added beside a plain text, or calls by themselves, is a chat message. */
function writerOf(lens: Format): Format {
  return LENSES.includes(lens) ? lens : openaiChat;
}

/** Of what stands beside nothing, the format that says it all: whether a result is an error, of which tool, in how many texts, and that an id is missing. */
function writerAlone({ parts }: Message): Format {
  const results = parts.filter((part) => part.type === 'result');
  if (results.some(({ isError }) => isError !== undefined)) {
    if (results.some(({ callId }) => callId === undefined)) return geminiContents;
    return results.some(({ tool }) => tool !== undefined) ? vercelModel : anthropicMessages;
  }
  const isChat = parts.some((part) => 'callId' in part && part.callId === '');
  return isChat || results.some(({ callId, content }) => callId !== undefined && content.length > 1)
    ? openaiChat
    : otelGenai;
}

/** A text of its own is a string, even if it was a value as a result. */
function asText(part: Part): Part {
  return part.type === 'text' && part.text instanceof JsonNode && !part.text.isString
    ? { type: 'text', text: part.text.text }
    : part;
}

// --- texts

function plain(role: Role & ('user' | 'assistant' | 'system')): Format {
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
