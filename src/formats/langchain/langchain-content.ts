/** Reads and writes the content of LangChain messages: a text, or a list of blocks with calls among them. */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { MediaPart, Part, ThinkingPart } from '../../transcript/types.js';
import { json, stringIn, wrongType } from '../shared/json-fields.js';
import { isContent, readMedia, readText } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { isCallBlock } from './langchain-calls.js';

const MEDIA = table<MediaPart['kind']>({
  image_url: 'image',
  image: 'image',
  input_image: 'image',
  audio: 'audio',
  input_audio: 'audio',
  file: 'file',
  document: 'file',
  input_file: 'file',
  video: 'file',
  media: 'file',
});
/** The types of reasoning blocks, and the path to their text. */
const THINKING_PATHS = table<readonly string[]>({
  thinking: ['thinking'],
  reasoning: ['reasoning'],
  reasoning_content: ['reasoning_content', 'text'],
  redacted_thinking: [],
});

/** The parts of a content, without its calls. */
export function readContent(content: JsonNode | undefined, path: string): Part[] {
  if (content === undefined || content.isNull) return [];
  if (content.isString) return [{ type: 'text', text: content, raw: content }];
  if (!content.isArray) return wrongType(content, path, 'a string or an array of blocks');
  return content.items().flatMap((block, index) => {
    if (isCallBlock(block)) return [];
    const summaries = summariesIn(block);
    return summaries.length > 0 ? readSummaries(summaries) : [readBlock(block, `${path}[${index}]`)];
  });
}

/**
 * The summaries of a reasoning block that has no text of its own, as blocks of `responses/v1` have them.
 * https://github.com/langchain-ai/langchain/blob/master/libs/partners/openai/langchain_openai/chat_models/base.py
 */
function summariesIn(block: JsonNode): readonly JsonNode[] {
  return block.get('type')?.string === 'reasoning' && !block.get('reasoning')?.string ? summariesOf(block) : [];
}

/** Each summary as a thought. */
export function readSummaries(summaries: readonly JsonNode[]): ThinkingPart[] {
  return summaries.map((raw) => ({ type: 'thinking', text: raw.get('text')!, raw }));
}

function readBlock(block: JsonNode, path: string): Part {
  if (block.isString) return { type: 'text', text: block, raw: block };
  if (!block.isObject) return wrongType(block, path, 'an object');
  const type = stringIn(block.get('type'), `${path}.type`) ?? '';
  if (type === 'text') return readText('text', block, 'text', path);
  const thinkingPath = THINKING_PATHS[type];
  if (thinkingPath !== undefined) {
    const text = thinkingPath.reduce<JsonNode | undefined>((node, key) => node?.get(key), block);
    return { type: 'thinking', text: text?.isString ? text : '', raw: block };
  }
  return readMedia(block, MEDIA[type]);
}

/** The reasoning that DeepSeek and compatible providers put beside the content; undefined if there is none. */
export function reasoningBeside(fields: JsonNode): JsonNode | undefined {
  const text = fields.get('additional_kwargs')?.get('reasoning_content');
  return text?.isString && text.byteLength > 0 ? text : undefined;
}

/** The summaries of reasoning that LangChain puts beside the content of a reply of OpenAI Responses. */
export function summariesBeside(fields: JsonNode): readonly JsonNode[] {
  return summariesOf(fields.get('additional_kwargs')?.get('reasoning'));
}

function summariesOf(item: JsonNode | undefined): readonly JsonNode[] {
  const summary = item?.get('summary');
  return summary?.isArray ? summary.items().filter((one) => one.get('text')?.isString) : [];
}

/** The texts of the summaries of which parts are left, as they are now, by what they were. */
export function summariesLeft(parts: readonly Part[], summaries: readonly JsonNode[]): ReadonlyMap<string, string> {
  return new Map(
    summaries.flatMap((one): [string, string][] => {
      const part = parts.find(({ type, raw }) => type === 'thinking' && one.is(raw)) as ThinkingPart | undefined;
      return part === undefined ? [] : [[one.get('text')!.text, textOf(part.text)]];
    }),
  );
}

/** A reasoning item with the summaries that are left, and without those that are gone, by their texts. */
export function withSummaries(item: JsonNode, left: ReadonlyMap<string, string>): Json {
  const summary = item.get('summary');
  if (!summary?.isArray) return item;
  const kept = summary.items().flatMap((one): Json[] => {
    const text = one.get('text')?.string;
    const now = text === undefined ? undefined : left.get(text);
    if (now === text) return [one];
    return now === undefined ? [] : [patch(one, { text: now })];
  });
  return patch(item, { summary: patchItems(summary, kept) });
}

/** Calls to write, by the position of each copy in the source; undefined where the call was removed. */
export type WrittenCopies = ReadonlyMap<number, Json | undefined>;

const NO_COPIES: WrittenCopies = new Map();

/** Writes parts into the old content: what is kept stays in its place, and so do the calls between. */
export function writeContent(parts: readonly Part[], old: JsonNode | undefined, written = NO_COPIES): Json | undefined {
  const contents = parts.filter((part) => isContent(part) || part.type === 'thinking');
  if (old?.isArray) {
    const items = old.items();
    const partOf = new Map(items.map((item) => [item.at, contents.find((part) => item.is(part.raw))]));
    const kept = items.flatMap((item): Json => {
      const part = partOf.get(item.at);
      if (part !== undefined) return writeBlock(part, item);
      const summaries = summariesIn(item);
      if (summaries.length > 0) return writeSummaries(contents, item, summaries);
      if (written.has(item.at)) return written.get(item.at) ?? [];
      return isCallBlock(item) ? item : [];
    });
    const placed = new Set(partOf.values());
    return patchItems(old, [...kept, ...contents.filter((part) => !placed.has(part)).flatMap(freshBlock)]);
  }
  // Reasoning that was read beside the content is not written into it.
  const inContent = contents.filter((part) => part.type !== 'thinking' || isFresh(part));
  const [first] = inContent;
  if (first === undefined) return old === undefined || old.isNull ? old : '';
  return inContent.length === 1 && first.type === 'text' ? json(first.text) : inContent.flatMap(freshBlock);
}

function writeSummaries(parts: readonly Part[], item: JsonNode, summaries: readonly JsonNode[]): Json {
  const left = summariesLeft(parts, summaries);
  return left.size === 0 ? [] : withSummaries(item, left);
}

function writeBlock(part: Part, item: JsonNode): Json {
  if (part.type !== 'text') return item;
  return item.isString ? json(part.text) : patch(item, { text: json(part.text) });
}

function isFresh({ raw }: Part): boolean {
  return !(raw instanceof JsonNode);
}

function freshBlock(part: Part): Json[] {
  if (part.type === 'text') return [{ type: 'text', text: json(part.text) }];
  if (part.type === 'thinking') return isFresh(part) ? [{ type: 'thinking', thinking: json(part.text) }] : [];
  return part.raw instanceof JsonNode ? [part.raw] : [];
}
