/** Tokens of messages and their parts, by the transcript's model. Each message is counted once and cached. */

import { detailOf, mediaOf } from '../../formats/shared/media.js';
import { readTools } from '../../formats/shared/tools.js';
import { JsonNode } from '../../json/node.js';
import { PlainNode } from '../../json/plain-node.js';
import type { Vocabulary } from '../../tokens/bpe/vocabularies.js';
import { type CountText, countMessage, type MessageTexts, overheadOf } from '../../tokens/count.js';
import { countTools, type Definition, type ToolUse, toolPromptTokens } from '../../tokens/definitions.js';
import { imageTokens, sizeOf } from '../../tokens/images.js';
import { type Encoding, modelInfo } from '../../tokens/models.js';
import { createRepeated } from '../../tokens/repeated.js';
import { textOf } from '../../transcript/text.js';
import type {
  CallPart,
  LazyText,
  MediaPart,
  Message,
  OpaquePart,
  Part,
  ResultPart,
  Role,
  Text,
  Transcript,
} from '../../transcript/types.js';

/** The counter of an encoding. The caller provides it, because it may have to be loaded. */
export interface Tokenizer {
  (encoding: Encoding): CountText;
  /** The counter of an open model's vocabulary; undefined if that is not installed. */
  readonly vocabulary?: (name: Vocabulary) => CountText | undefined;
}

/** The encoding if the model is missing or unknown: that of OpenAI's current models. */
const DEFAULT_ENCODING: Encoding = 'o200k_base';

export interface Counting {
  readonly model: string | undefined;
  /** The encoding or vocabulary that texts are counted with. */
  readonly vocabulary: Encoding | Vocabulary;
  /** `exact`: by the model's own encoding. `estimated`: by another one, times the factor in the model table. */
  readonly source: 'exact' | 'estimated';
  /** The factor for counts of the encoding; 1 if they are exact. */
  readonly factor: number;
  /** Tokens of every request beyond its messages and tools. */
  readonly perRequest: number;
  text(text: Text): number;
  message(message: Message): number;
  /** The tokens of a call's name and arguments within their message. */
  call(part: CallPart): number;
  /** Tool definitions as JSON. */
  tools(tools: LazyText | undefined, use?: ToolUse): number;
  /** The tool definitions of a transcript; some models count them differently after a system prompt. */
  definitions(transcript: Pick<Transcript, 'tools' | 'messages'>): number;
}

/** A counting for each model, created once. `factors` override those of the model table. */
export function countings(
  tokenizer: Tokenizer,
  factors: ReadonlyMap<string, number> = new Map(),
  remembers = true,
): (model: string | undefined) => Counting {
  const known = new Map<string | undefined, Counting>();
  return (model) => {
    const counting =
      known.get(model) ??
      createCounting(model, tokenizer, model === undefined ? undefined : factors.get(model), remembers);
    known.set(model, counting);
    return counting;
  };
}

/**
 * `factor`: a calibrated factor instead of the one in the model table. `remembers`: whether to cache counts by message;
 * if each message is counted once, a cache costs more time than it saves.
 */
export function createCounting(
  model: string | undefined,
  tokenizer: Tokenizer,
  factor?: number,
  remembers = true,
): Counting {
  const info = model === undefined ? undefined : modelInfo(model);
  const own = info?.vocabulary === undefined ? undefined : tokenizer.vocabulary?.(info.vocabulary);
  const encoding = info?.encoding ?? DEFAULT_ENCODING;
  const encode = own ?? tokenizer(encoding);
  const countOf = counterOf(encode);
  const isOwn = own !== undefined || info?.exact === true;
  const times = factor ?? (isOwn ? 1 : (info?.factor ?? 1));
  const text = (counted: Text) => Math.round(countOf(counted) * times);
  const overhead = overheadOf(model ?? '');
  const known = remembers ? new WeakMap<Message, number>() : undefined;
  const count = (message: Message) =>
    message.role === 'meta' || isHidden(message)
      ? 0
      : Math.round(countMessage<Text>(textsOf(message), countOf, overhead) * times) +
        imageTokensOf(message, model ?? '');
  const toolTokens = (tools: LazyText | undefined, use?: ToolUse) => {
    const definitions = tools === undefined ? [] : definitionsIn(tools.text);
    return definitions.length === 0
      ? 0
      : Math.round(countTools(definitions, model ?? '', encode, use) * times) +
          toolPromptTokens(model ?? '', use?.choice);
  };
  return {
    model,
    vocabulary: own === undefined ? encoding : info!.vocabulary!,
    source: isOwn && times === 1 ? 'exact' : 'estimated',
    factor: times,
    perRequest: overhead.perRequest,
    text,
    message(message) {
      const before = known?.get(message);
      if (before !== undefined) return before;
      const tokens = count(message);
      known?.set(message, tokens);
      return tokens;
    },
    call: (part) => text(part.tool) + text(part.input),
    tools: toolTokens,
    definitions: ({ tools, messages }) => toolTokens(tools, { system: messages.some(({ role }) => role === 'system') }),
  };
}

/** Parts that are not counted, audio and files: their tokens depend on seconds and pages, which no header has. */
export function uncounted(messages: readonly Message[]): readonly MediaPart[] {
  return messages
    .flatMap(({ parts }) => parts.flatMap(contentOf))
    .filter(
      (part): part is MediaPart => part.type === 'media' && part.kind !== 'image' && documentText(part) === undefined,
    );
}

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  meta: '',
};

/** Counts texts, most of them without decoding, from their bytes. */
function counterOf(encode: CountText): (text: Text) => number {
  const short = new Map<string, number>(); // roles and names of tools
  const repeated = createRepeated();
  const ofNode = (node: JsonNode) => {
    if (node instanceof PlainNode) return encode(node.text);
    const { bytes } = node.source;
    const quotes = node.isString ? 1 : 0;
    const [start, end] = [node.start + quotes, node.end - quotes];
    if (quotes === 0 && isLaidOut(node)) return encode(JSON.stringify(JSON.parse(node.text)));
    const known = repeated.recall(bytes, start, end);
    if (known >= 0) return known;
    const tokens = node.isVerbatim && encode.bytes !== undefined ? encode.bytes(bytes, start, end) : encode(node.text);
    repeated.keep(bytes, start, end, tokens);
    return tokens;
  };
  return (text) => {
    if (text instanceof JsonNode) return ofNode(text);
    if (typeof text !== 'string') return encode(text.text);
    if (text.length > SHORT) return encode(text);
    let tokens = short.get(text);
    if (tokens === undefined) {
      tokens = encode(text);
      if (short.size < MOST_SHORT) short.set(text, tokens);
    }
    return tokens;
  };
}

/** Whether it is JSON over several lines, such as the input of a call in an indented file: the model saw one line. */
function isLaidOut({ source, start, end }: JsonNode): boolean {
  return source.bytes.subarray(start, end).includes(0x0a); // not further: the rest of the file may be one line
}

const SHORT = 32;
const MOST_SHORT = 10_000;

function textsOf({ role, name, parts }: Message): MessageTexts<Text> {
  const texts: Text[] = [];
  const calls: { tool: string; input: Text }[] = [];
  const add = (part: Exclude<Part, ResultPart>) => {
    const text = textIn(part);
    if (text !== undefined) texts.push(text);
  };
  for (const part of parts) {
    if (part.type === 'call') calls.push(part);
    else if (part.type !== 'result') add(part);
    else part.content.forEach(add);
  }
  return { role: ROLE_NAMES[role], name, texts, calls };
}

/** Whether a message is only thinking that the recording does not show: recorded prompts are no longer for it. */
function isHidden({ parts }: Message): boolean {
  return parts.length > 0 && parts.every((part) => part.type === 'thinking' && textOf(part.text ?? '') === '');
}

function contentOf(part: Part): readonly Exclude<Part, ResultPart>[] {
  return part.type === 'result' ? part.content : [part];
}

/** The text of a part that the model reads. Encrypted or redacted thinking has none; its signature is not text. */
function textIn(part: Exclude<Part, ResultPart>): Text | undefined {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return part.text;
    case 'opaque':
      return part.text === undefined ? undefined : readableOf(part);
    case 'media':
      return documentText(part);
    case 'call':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** An unknown part as JSON, without members encrypted for the provider and without base64 media. */
function readableOf({ text }: OpaquePart): string {
  return textOf(text!).replace(ENCRYPTED, '""').replace(BASE64, '');
}

/** Members that only the provider can read (Anthropic, OpenAI, Gemini), with their names. */
const ENCRYPTED = /"(?:encrypted_\w+|signature|thought_?[sS]ignature)"\s*:\s*"[^"]*"/g;
/** No text is this long without a space. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{1000,}={0,2}/g;

/** The text of a plain-text document (Anthropic). */
function documentText({ raw }: MediaPart): string | undefined {
  const source = raw instanceof JsonNode ? raw.get('source') : undefined;
  return source?.get('type')?.string === 'text' ? source.get('data')?.string : undefined;
}

/** Tokens of the images in a message: the provider's own numbers, so no factor applies. */
function imageTokensOf({ parts }: Message, model: string): number {
  let tokens = 0;
  const add = (part: Part) => {
    if (part.type === 'media' && part.kind === 'image') tokens += partImageTokens(part, model);
  };
  for (const part of parts) {
    if (part.type === 'result') part.content.forEach(add);
    else add(part);
  }
  return tokens;
}

function partImageTokens(part: MediaPart, model: string): number {
  const base64 = mediaOf(part)?.base64;
  return imageTokens(base64 === undefined ? undefined : sizeOf(base64), model, detailOf(part));
}

/** Function tools only: providers do not document the tokens of the tools that they run. */
function definitionsIn(text: string): Definition[] {
  return readTools(text).definitions.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters instanceof JsonNode ? (parameters.string ?? JSON.parse(parameters.text)) : parameters,
  }));
}
