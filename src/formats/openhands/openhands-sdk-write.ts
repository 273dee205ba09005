/** Writes events of the OpenHands SDK. Its classes take no members that they do not know. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { hasContent, textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, ResultPart, ThinkingPart } from '../../transcript/types.js';
import { json, jsonValue, present, tryParse } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, joinedString, joinedText, writeContent } from '../shared/parts.js';
import { ERROR_TEXTS, kindOf, observedKey, PROMPTS, reasoningItem, summaryOf } from './openhands-sdk-read.js';

// --- events that were read

export function writeEvent(parts: readonly Part[], raw: JsonNode): Json {
  const kind = kindOf(raw);
  if (kind === 'system') return patch(raw, writePrompts(parts, raw));
  if (kind === 'message') return writeMessage(parts, raw);
  if (kind === 'summary') return patch(raw, { summary: joinedString(parts) });
  const result = parts.find(isResult);
  if (kind === 'result') return result === undefined ? raw : writeResult(result, raw);
  const call = parts.find(isCall);
  return call === undefined ? asMessage(parts, raw) : writeAction(call, parts, raw);
}

/** Texts go where they stood, and added ones where the text before them does; without a context, behind the first. */
function writePrompts(parts: readonly Part[], raw: JsonNode): JsonFields {
  const [first, second] = PROMPTS;
  const context = present(raw, second);
  const found = context === undefined ? -1 : parts.findIndex((part) => context.is(part.raw));
  const texts = found < 0 ? parts.filter((part) => isContent(part) && hasContent(part)) : parts;
  const at = found < 0 ? 1 : found;
  const prompt = patch(raw.get(first)!, { text: joinedText(texts.slice(0, at)) });
  if (texts.length <= at) return { [first]: prompt, [second]: undefined };
  return { [first]: prompt, [second]: patch(context ?? raw.get(first)!, { text: joinedText(texts.slice(at)) }) };
}

function writeMessage(parts: readonly Part[], raw: JsonNode): Json {
  const message = raw.get('llm_message')!;
  const { own, extended } = apart(parts.filter(isContent), raw);
  const content = blocks(own, message.get('content'));
  return patch(raw, { llm_message: patch(message, { ...writeThinking(parts, message), content }), ...extended });
}

/** The content of an event, and what the SDK put behind it, from where that begins. */
function apart<P extends Part>(parts: readonly P[], raw: JsonNode): { own: readonly P[]; extended: JsonFields } {
  const list = raw.get('extended_content');
  const found = parts.findIndex((part) => part.raw instanceof JsonNode && list?.encloses(part.raw));
  const at = found < 0 ? parts.length : found;
  const extended = list === undefined ? {} : { extended_content: blocks(parts.slice(at), list) };
  return { own: parts.slice(0, at), extended };
}

function writeAction(call: CallPart, parts: readonly Part[], raw: JsonNode): Json {
  return patch(raw, { ...writeThinking(parts, raw), thought: writeThought(parts, raw), ...writeCall(call, raw) });
}

/** A text without words is not read, and stays as long as none comes. */
function writeThought(parts: readonly Part[], raw: JsonNode): Json | undefined {
  const old = raw.get('thought');
  const texts = parts.filter(isContent);
  const items = old?.items() ?? [];
  const hasOnlyEmpty = items.length > 0 && items.every((item) => item.get('text')?.byteLength === 0);
  return texts.length === 0 && hasOnlyEmpty ? old : blocks(texts, old);
}

function writeCall(call: CallPart, raw: JsonNode): JsonFields {
  const old = present(raw, 'tool_call');
  const input = old?.get('arguments');
  const action = present(raw, 'action');
  const ids = idField('tool_call_id', call);
  const written = { ...idField('id', call), name: call.tool };
  if (call.input instanceof JsonNode && (call.input.is(input) || call.input.is(action)))
    return { ...ids, tool_call: old && patch(old, written) };
  const text = textOf(call.input);
  return {
    ...ids,
    tool_call: old && patch(old, { ...written, arguments: text }),
    action: old === undefined ? jsonValue(call.input) : action && changedAction(action, input?.text ?? '', text),
  };
}

/** The arguments as the SDK read them; without them, if these cannot follow: then only the call is sent. */
function changedAction(action: JsonNode, before: string, after: string): Json | undefined {
  const [old, now] = [tryParse(before), tryParse(after)];
  if (!old?.isObject || !now?.isObject) return undefined;
  const keys = new Set([...old.members(), ...now.members()].map(({ key }) => key.text));
  const fields: Record<string, Json> = {};
  for (const key of keys) {
    const [was, is] = [old.get(key), now.get(key)];
    if (was !== undefined && is !== undefined && was.json === is.json) continue;
    if (is === undefined || action.get(key) === undefined) return undefined;
    fields[key] = is;
  }
  return patch(action, fields);
}

/** A call that went leaves what was said before it. */
function asMessage(parts: readonly Part[], raw: JsonNode): Json {
  const llmMessage = {
    role: 'assistant',
    content: blocks(parts.filter(isContent), raw.get('thought')),
    ...Object.fromEntries([...REASONING, 'reasoning_details'].map((key) => [key, raw.get(key)])),
    ...writeThinking(parts, raw),
  };
  return patch(raw, {
    ...Object.fromEntries(OF_ACTION.map((key) => [key, undefined])),
    llm_message: llmMessage,
    activated_skills: [],
    extended_content: [],
    kind: 'MessageEvent',
  });
}

const REASONING = ['reasoning_content', 'thinking_blocks', 'responses_reasoning_item'] as const;
/** What a message does not have. */
const OF_ACTION = [
  ...REASONING,
  ...['thought', 'reasoning_details', 'action', 'tool_name', 'tool_call_id', 'tool_call', 'security_risk', 'summary'],
];

function writeResult(result: ResultPart, raw: JsonNode): Json {
  const ids = idField('tool_call_id', result);
  const key = ERROR_TEXTS[raw.get('kind')!.text];
  if (key !== undefined) return patch(raw, { ...ids, [key]: joinedString(result.content) });
  const { own, extended } = apart(result.content, raw);
  const observation = raw.get('observation');
  if (observation === undefined) return patch(raw, { ...ids, ...extended });
  const at = observedKey(observation);
  return patch(raw, {
    ...ids,
    observation: patch(observation, { [at]: blocks(own, observation.get(at)) }),
    ...extended,
  });
}

/** Reasoning where it stood; of blocks, `reasoning_content` is a copy. */
function writeThinking(parts: readonly Part[], old: JsonNode): JsonFields {
  const thinking = parts.filter((part) => part.type === 'thinking');
  const item = reasoningItem(old);
  const ofItem = thinking.find((part) => item?.is(part.raw));
  const rest = thinking.filter((part) => part !== ofItem);
  const fields = item === undefined ? {} : { responses_reasoning_item: ofItem && writeItem(ofItem, item) };
  const [list, text] = [old.get('thinking_blocks'), old.get('reasoning_content')];
  if ((list?.length ?? 0) === 0 && rest.length < 2) {
    const written = rest.length === 0 ? undefined : joinedText(rest);
    return { ...fields, ...(text?.string || written ? { reasoning_content: written } : {}) };
  }
  const written = list?.isArray ? patchItems(list, rest.map(writeBlock)) : rest.map(writeBlock);
  const copy =
    text?.string && written !== list ? { reasoning_content: rest.map(({ text }) => textOf(text)).join('') } : {};
  return {
    ...fields,
    thinking_blocks: written,
    ...(rest.length === 0 && text !== undefined ? { reasoning_content: undefined } : copy),
  };
}

function writeItem(part: ThinkingPart, item: JsonNode): Json {
  const isSame = typeof part.text === 'string' && part.text === summaryOf(item);
  return isSame ? item : patch(item, { summary: [textOf(part.text)], content: undefined });
}

function blocks(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  return writeContent(parts, old, writeBlock, ({ text }) => (old?.isString ? json(text) : undefined));
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  const isOwn = raw instanceof JsonNode && raw.isObject;
  if (part.type === 'text')
    return isOwn ? patch(raw, { text: json(part.text) }) : { type: 'text', text: json(part.text) };
  if (part.type === 'thinking') {
    if (!isOwn) return { type: 'thinking', thinking: json(part.text) };
    return raw.get('thinking') === undefined ? raw : patch(raw, { thinking: json(part.text) });
  }
  return isOwn ? raw : { type: part.type };
}

// --- events that were added: `beforeWrite` gives them ids and links

export function freshEvent({ role, parts }: Message): JsonFields {
  const result = parts.find(isResult);
  if (result !== undefined) return freshResult(result);
  const call = parts.find(isCall);
  const content = parts.filter(isContent).filter(hasContent).map(writeBlock);
  const thinking = parts.filter((part) => part.type === 'thinking').map(writeBlock);
  if (call !== undefined) return freshAction(call, content, thinking);
  if (role === 'system') return freshPrompt(parts.filter(isContent).filter(hasContent));
  return {
    source: role === 'assistant' ? 'agent' : 'user',
    llm_message: { role: role === 'assistant' ? role : 'user', content, thinking_blocks: thinking },
    activated_skills: [],
    extended_content: [],
    kind: 'MessageEvent',
  };
}

function freshPrompt([first, ...others]: readonly Part[]): JsonFields {
  const prompt = (parts: readonly Part[]) => ({ type: 'text', text: joinedString(parts) });
  return {
    source: 'agent',
    system_prompt: prompt(first === undefined ? [] : [first]),
    tools: [],
    dynamic_context: others.length === 0 ? undefined : prompt(others),
    kind: 'SystemPromptEvent',
  };
}

/** Without an `action`, which only the class of its tool can read, it is a call that was not run. */
function freshAction(call: CallPart, thought: readonly Json[], thinking: readonly Json[]): JsonFields {
  const id = call.callId ?? '';
  return {
    source: 'agent',
    thought,
    thinking_blocks: thinking,
    tool_name: call.tool,
    tool_call_id: id,
    tool_call: { id, name: call.tool, arguments: textOf(call.input), origin: 'completion' },
    llm_response_id: id,
    kind: 'ActionEvent',
  };
}

/** What went wrong is text alone; all else is of the one class of observations that any tool may have. */
function freshResult({ callId = '', tool, content, isError }: ResultPart): JsonFields {
  const names = { source: 'environment', tool_name: tool ?? '', tool_call_id: callId };
  if (isError === true && content.every(({ type }) => type === 'text') && content.length < 2)
    return { ...names, source: 'agent', error: joinedString(content), kind: 'AgentErrorEvent' };
  const kind = 'MCPToolObservation';
  const observation = { content: content.map(writeBlock), is_error: isError === true, tool_name: tool ?? '', kind };
  return { ...names, observation, action_id: '', extended_content: [], kind: 'ObservationEvent' };
}
