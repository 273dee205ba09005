/**
 * Reasoning beside the content of a chat message: a text by one name or another, and blocks that repeat it for the
 * provider, with signatures. Blocks that stand alone are read; those that repeat a text go if it changes.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens (`reasoning_details`), 2026-01
 * https://docs.litellm.ai/docs/reasoning_content (`thinking_blocks`, `provider_specific_fields`), 2026-01
 */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { Message, Part, Text, ThinkingPart } from '../../transcript/types.js';
import { json } from '../shared/json-fields.js';

/** Names of the text: that of vLLM and Groq, DeepSeek's, and Ollama's. Some servers write two of them. */
const TEXTS = ['reasoning', 'reasoning_content', 'thinking'];
/** OpenRouter's blocks, and LiteLLM's. */
const BLOCKS = ['reasoning_details', 'thinking_blocks'];
const REPEATS = [...BLOCKS, 'reasoning_items'];
/** The keys of a block's text; one without is encrypted. */
const TEXT_KEYS = ['text', 'summary', 'thinking'];

/** The thoughts of a message: a text that stands twice is one, and so are blocks that are all encrypted. */
export function readReasoning(raw: JsonNode): ThinkingPart[] {
  const texts = textsIn(raw);
  const thoughts = texts.filter(({ text }, index) => texts.findIndex((other) => other.text === text) === index);
  if (thoughts.length > 0) return thoughts.map((text) => ({ type: 'thinking', text, raw: text }));
  const list = listIn(raw);
  if (list === undefined) return [];
  const open = list.items().filter((block) => textKey(block) !== undefined);
  if (open.length === 0) return [{ type: 'thinking', text: '', raw: list }];
  return open.map((block) => ({ type: 'thinking', text: block.get(textKey(block)!)!, raw: block }));
}

/** The members that hold reasoning, if any of it changed or went. */
export function writeReasoning({ parts, emptyReasoning }: Message, raw: JsonNode): JsonFields {
  const before = readReasoning(raw);
  const left = leftOf(parts, raw);
  if (before.every((part) => isSame(part.text, left.get(placeOf(part))))) return {};
  const list = textsIn(raw).length > 0 ? undefined : listIn(raw);
  const blocks = list === undefined ? {} : { [keyOf(raw, list)]: writeBlocks(list, left) };
  const fields = TEXTS.filter((key) => isSaid(raw.get(key))).map((key) => {
    const part = before.find(({ text }) => textOf(text) === raw.get(key)!.text)!;
    const text = left.get(placeOf(part));
    const gone = emptyReasoning && key === 'reasoning_content' ? '' : undefined;
    return [key, text === undefined ? gone : isSame(raw.get(key)!, text) ? raw.get(key) : json(text)];
  });
  return { ...withoutRepeats(raw), ...blocks, ...Object.fromEntries(fields) };
}

/** The members that repeat reasoning, without it. */
export function withoutRepeats(message: JsonNode): JsonFields {
  const extra = message.get('provider_specific_fields');
  const gone = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, undefined]));
  return {
    ...gone(REPEATS),
    ...(extra?.isObject ? { provider_specific_fields: patch(extra, gone([...TEXTS, ...REPEATS])) } : {}),
  };
}

function textsIn(raw: JsonNode): JsonNode[] {
  return TEXTS.flatMap((key) => raw.get(key) ?? []).filter(isSaid);
}

function isSaid(text: JsonNode | undefined): boolean {
  return text?.isString === true && text.byteLength > 0;
}

/** The first list that has blocks. */
function listIn(raw: JsonNode): JsonNode | undefined {
  return BLOCKS.flatMap((key) => raw.get(key) ?? []).find((list) => list.items().some(({ isObject }) => isObject));
}

function keyOf(raw: JsonNode, list: JsonNode): string {
  return BLOCKS.find((key) => raw.get(key)?.is(list))!;
}

function textKey(block: JsonNode): string | undefined {
  return TEXT_KEYS.find((key) => isSaid(block.get(key)));
}

/** By the place of what they were read from: the texts that thoughts of this message have now. */
type Left = ReadonlyMap<number, Text>;

function leftOf(parts: readonly Part[], { source }: JsonNode): Left {
  const thoughts = parts.filter((part) => part.type === 'thinking');
  const own = thoughts.filter((part) => part.raw instanceof JsonNode && part.raw.source === source);
  return new Map(own.map((part) => [placeOf(part), part.text]));
}

function placeOf({ raw }: ThinkingPart): number {
  return (raw as JsonNode).at;
}

function isSame(before: Text, now: Text | undefined): boolean {
  if (now === undefined || before === now) return now !== undefined;
  return (before instanceof JsonNode && before.is(now)) || textOf(before) === textOf(now);
}

/** Encrypted blocks stay as long as one is left that says something. */
function writeBlocks(list: JsonNode, left: Left): Json | undefined {
  const items = list.items().flatMap((item): Json[] => {
    const [text, key] = [left.get(item.at), textKey(item)];
    if (key === undefined) return [item];
    return text === undefined ? [] : [patch(item, { [key]: json(text) })];
  });
  return left.size === 0 ? undefined : patchItems(list, items);
}
