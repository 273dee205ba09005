/** Writes chat messages. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { longest, textOf } from '../../transcript/text.js';
import type {
  CallPart,
  ContentPart,
  Message,
  OpaquePart,
  Part,
  ResultPart,
  ThinkingPart,
} from '../../transcript/types.js';
import { CUSTOM } from '../shared/custom-calls.js';
import { json, jsonValue, present } from '../shared/json-fields.js';
import { isBareText, isCall, isContent, isResult, writeContent } from '../shared/parts.js';
import { writeImages } from './openai-chat-images.js';
import { REASONING } from './openai-chat-read.js';
import { writeReasoning } from './openai-chat-reasoning.js';

/** Writes an edited message as a patch of its source, an added one from scratch. */
export function writeMessage(message: Message): Json {
  const { raw } = message;
  if (!(raw instanceof JsonNode)) return freshMessage(message);
  if (message.role === 'meta') return raw;
  const images = raw.get('images');
  const audio = present(raw, 'audio');
  const contentIn = (parts: readonly Part[]) => ({
    content: writeBlocks(contentOf(parts, [images, audio]), raw.get('content')),
    ...(images === undefined ? {} : writeImages(parts, images)),
    ...(audio && { audio: writeSpeech(parts, audio) }),
  });
  const result = message.parts.find(isResult);
  if (result !== undefined) return patch(raw, { ...resultId(result), ...contentIn(result.content) });
  return patch(raw, {
    ...contentIn(message.parts),
    ...(REASONING.some((key) => raw.get(key) !== undefined) ? writeReasoning(message, raw) : {}),
    ...writeCalls(message.parts.filter(isCall), raw, message.emptyCalls),
  });
}

function writeBlocks(parts: readonly ContentPart[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, (part) => {
    if (isBareText(part, old)) return json(part.text);
    return old?.isArray && part.raw instanceof JsonNode && part.raw.isObject
      ? writeBlock(part, part.raw)
      : freshBlock(part);
  });
}

function writeBlock(part: ContentPart, raw: JsonNode): Json {
  if (part.type !== 'text') return raw;
  return patch(raw, { [raw.get('text') === undefined ? 'value' : 'text']: json(part.text) });
}

function freshBlock(part: ContentPart): Json {
  if (part.type === 'text') return { type: 'text', text: json(part.text) };
  return part.raw instanceof JsonNode ? part.raw : { type: part.type };
}

function writeCalls(calls: readonly CallPart[], raw: JsonNode, mayBeEmpty = true): JsonFields {
  const list = present(raw, 'tool_calls');
  const legacy = calls.find((call) => call.legacy);
  const items = calls
    .filter((call) => !call.legacy)
    .map((call) => (call.raw instanceof JsonNode ? writeCall(call, call.raw) : freshCall(call)));
  const fields: Record<string, Json | undefined> = {};
  if (list !== undefined)
    fields['tool_calls'] = items.length === 0 && (list.length > 0 || !mayBeEmpty) ? undefined : patchItems(list, items);
  else if (items.length > 0) fields['tool_calls'] = items;
  const called = present(raw, 'function_call');
  if (called !== undefined)
    fields['function_call'] = legacy === undefined ? undefined : writeFunction(legacy, called, 'arguments');
  return fields;
}

function writeCall(call: CallPart, raw: JsonNode): Json {
  const custom = raw.get('custom');
  const key = custom === undefined ? 'function' : 'custom';
  const id = call.callId === '' ? {} : { id: call.callId };
  const called = raw.get(key);
  if (called === undefined) return freshCall(call); // read in another format
  return patch(raw, { ...id, [key]: writeFunction(call, called, key === 'custom' ? 'input' : 'arguments') });
}

/** The function of a call, with its arguments as a string or, if they were one, as a value. */
function writeFunction(call: CallPart, called: JsonNode, input: string): Json {
  const old = called.get(input);
  if (call.input === '' && (old === undefined || old.isNull)) return called;
  return patch(called, { [input]: old?.isString === false && !old.isNull ? jsonValue(call.input) : json(call.input) });
}

function freshCall(call: CallPart): Json {
  if (call.kind === CUSTOM)
    return { id: call.callId ?? '', type: 'custom', custom: { name: call.tool, input: json(call.input) } };
  return { id: call.callId ?? '', type: 'function', function: { name: call.tool, arguments: json(call.input) } };
}

function resultId(result: ResultPart): JsonFields {
  const raw = result.raw;
  if (!(raw instanceof JsonNode) || result.callId === undefined || result.callId === '') return {};
  const ids = raw.get('tool_call_ids');
  if (present(raw, 'tool_call_id') === undefined && ids?.isArray)
    return ids.items()[0]?.string === result.callId
      ? {}
      : { tool_call_ids: patchItems(ids, [result.callId, ...ids.items().slice(1)]) };
  return { tool_call_id: result.callId };
}

/**
 * A message that was added. Beside calls stands an empty text: OpenAI takes null there, too, but xAI and Ollama refuse
 * it (langchain-ai/langchain#34140, 2025-11; SAIL-Research-Lab/cheetahclaws#72, 2026-04), and DeepSeek takes the text
 * (agentjido/req_llm#966, 2026-08). Servers that refuse the text are told by the model's name: `nullBesideCalls`.
 */
function freshMessage(message: Message): Json {
  const { role, parts, name, isSilent, emptyReasoning } = message;
  const result = parts.find(isResult);
  if (result !== undefined) {
    const content = writeBlocks(contentOf(result.content), undefined) ?? '';
    const images = imagesIn(result.content);
    if (result.legacy || result.callId === undefined)
      return { role: 'function', name: result.tool ?? '', content, images };
    return { role: 'tool', tool_call_id: result.callId, name: result.tool, content, images };
  }
  const calls = parts.filter(isCall);
  const listed = calls.filter((call) => !call.legacy);
  const legacy = calls.find((call) => call.legacy);
  return {
    role: role === 'meta' ? 'user' : role,
    name,
    reasoning_content: joined(parts.filter(isOpenThought)) ?? (emptyReasoning ? '' : undefined),
    content:
      writeBlocks(contentOf(parts), undefined) ??
      (role === 'assistant' && (calls.length === 0 || isSilent) ? null : ''),
    images: imagesIn(parts),
    refusal: joined(parts.filter((part): part is OpaquePart => part.type === 'opaque' && isString(part))),
    tool_calls: listed.length === 0 ? undefined : listed.map(freshCall),
    function_call: legacy && { name: legacy.tool, arguments: json(legacy.input) },
  };
}

function joined(parts: readonly (ThinkingPart | OpaquePart)[]): string | undefined {
  return parts.length === 0 ? undefined : parts.map(({ text }) => textOf(text ?? '')).join('\n');
}

/** Whether a part is reasoning that is not encrypted: what is has no text. */
function isOpenThought(part: Part): part is ThinkingPart {
  return part.type === 'thinking' && longest(part.text) > 0;
}

/** What the model spoke: gone with its words and its sound. */
function writeSpeech(parts: readonly Part[], audio: JsonNode): Json | undefined {
  const own = parts.find(({ raw }) => audio.is(raw));
  return own?.type === 'text' ? patch(audio, { transcript: json(own.text) }) : own && audio;
}

/** What belongs into `content`: reasoning, refusals, pictures and speech that stood beside it have their own fields. */
function contentOf(parts: readonly Part[], others: readonly (JsonNode | undefined)[] = []): ContentPart[] {
  const isBeside = ({ raw }: Part) => raw instanceof JsonNode && others.some((other) => other?.encloses(raw));
  return parts.filter(isContent).filter((part) => (part.type === 'text' || !isString(part)) && !isBeside(part));
}

/** Whether a part was read from a string. */
function isString({ raw }: Part): boolean {
  return raw instanceof JsonNode && raw.isString;
}

/** Pictures in base64, which stand beside the content; undefined if there are none. */
function imagesIn(parts: readonly Part[]): Json | undefined {
  const images = parts.filter((part) => part.type === 'media' && isString(part));
  return images.length === 0 ? undefined : images.map(({ raw }) => raw as JsonNode);
}
