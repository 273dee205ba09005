/** Writes the items of a session of Continue. A call stands in the message and in its state: both follow an edit. */
import { type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, ContentPart, Message, Part, ResultPart } from '../../transcript/types.js';
import { json, jsonValue, optionalObjects, present } from '../shared/json-fields.js';
import { idField, isCall, isContent, isResult, writeContent } from '../shared/parts.js';
import { argumentsIn, FAILED, messageIn, resultIn, statesIn, statesOfCalls, summaryIn } from './continue-read.js';

export function writeItem(message: Message, raw: JsonNode): Json {
  const inner = messageIn(raw);
  if (message.role === 'meta' || inner === undefined) return raw;
  const parts = message.parts;
  const context = raw.get('contextItems');
  const summary = summaryIn(raw);
  const thought = raw.get('reasoning')?.get('text');
  const isBeside = ({ raw: from }: Part) =>
    from instanceof JsonNode && [context, summary, thought].some((place) => place?.encloses(from) === true);
  const old = inner.get('content');
  const content = writeContent(parts.filter((part) => !isBeside(part)).flatMap(asContent), old, writeBlock);
  const { calls, states } = writeCalls(parts, raw, inner);
  return patch(raw, {
    message: patch(inner, { content, toolCalls: calls }),
    ...(context?.isArray && message.role === 'user' ? { contextItems: writeContext(context, parts) } : {}),
    ...(thought?.string ? { reasoning: writeThought(raw.get('reasoning')!, thought, parts) } : {}),
    ...(content === old || old?.is(content) ? {} : copiesOf(raw, content)),
    ...(summary === undefined ? {} : { conversationSummary: textFrom(summary, parts) }),
    ...states,
  });
}

/** Content of the message: a thought there is a text. */
function asContent(part: Part): ContentPart[] {
  if (part.type === 'thinking') return [{ ...part, type: 'text' }];
  return isContent(part) ? [part] : [];
}

function writeBlock({ raw, ...part }: ContentPart): Json {
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { type: part.type };
  if (raw instanceof JsonNode && raw.isObject) return patch(raw, { text: json(part.text) });
  return { type: 'text', text: json(part.text) };
}

/** The text of the part that was read from here; undefined if it is gone. */
function textFrom(node: JsonNode, parts: readonly Part[]): Json | undefined {
  const part = parts.find(({ raw }) => node.is(raw));
  return part !== undefined && 'text' in part && part.text !== undefined ? json(part.text) : undefined;
}

function writeContext(items: JsonNode, parts: readonly Part[]): Json {
  const written = items.items().flatMap((item) => {
    if (!item.get('content')?.string) return [item];
    const text = textFrom(item, parts);
    return text === undefined ? [] : [patch(item, { content: text })];
  });
  return patchItems(items, written);
}

function writeThought(reasoning: JsonNode, thought: JsonNode, parts: readonly Part[]): Json {
  return patch(reasoning, { text: textFrom(thought, parts) ?? '' });
}

/** What repeats the text: the summary of the command line, and what the input field of the extensions shows. */
function copiesOf(raw: JsonNode, content: Json | undefined): JsonFields {
  const [summary, editor] = [raw.get('conversationSummary'), raw.get('editorState')];
  const isCopy = summary?.isString && summaryIn(raw) === undefined;
  return {
    ...(isCopy ? { conversationSummary: content } : {}),
    ...(editor === undefined || editor.isNull ? {} : { editorState: editor.isObject ? documentOf(content) : content }),
  };
}

/** A document of TipTap, the input field. */
function documentOf(content: Json | undefined): Json {
  const text = content ?? '';
  const isText = typeof text === 'string' || (text instanceof JsonNode && text.isString);
  const shown = isText && text !== '' ? [{ type: 'text', text }] : [];
  return { type: 'doc', content: [{ type: 'paragraph', ...(shown.length === 0 ? {} : { content: shown }) }] };
}

// --- calls

/** A call and its result, and the state that holds both. */
interface Slot {
  readonly state: JsonNode | undefined;
  readonly call: CallPart | undefined;
  result?: ResultPart;
}

function writeCalls(parts: readonly Part[], raw: JsonNode, inner: JsonNode) {
  const known = optionalObjects(inner, 'toolCalls');
  const states = statesIn(raw);
  const slots = slotsOf(parts, known, states);
  const isOwn = (call: CallPart) => states.some((state) => state.get('toolCall')?.is(call.raw));
  const calls = slots.flatMap(({ call }) => (call === undefined || isOwn(call) ? [] : [writeCall(call)]));
  const written = slots.flatMap((slot) => writeState(slot));
  const list = present(inner, 'toolCalls');
  return {
    calls: calls.length === 0 && known.length > 0 ? undefined : listOver(list, calls),
    states: statesOver(raw, states, written),
  };
}

function listOver(list: JsonNode | undefined, items: readonly Json[]): Json | undefined {
  if (list !== undefined) return patchItems(list, items);
  return items.length === 0 ? undefined : items;
}

function statesOver(raw: JsonNode, before: readonly JsonNode[], written: readonly Json[]): JsonFields {
  const single = present(raw, 'toolCallState');
  if (single?.isObject && written.length < 2 && before.length < 2) return { toolCallState: written[0] };
  const list = present(raw, 'toolCallStates');
  const left = written.length === 0 && before.length > 0 ? undefined : listOver(list, written);
  return { ...(single?.isObject ? { toolCallState: undefined } : {}), toolCallStates: left };
}

function slotsOf(parts: readonly Part[], known: readonly JsonNode[], states: readonly JsonNode[]): Slot[] {
  const stateOf = statesOfCalls(known, states);
  const slots: Slot[] = [];
  for (const part of parts) {
    if (isCall(part)) {
      const at = known.findIndex((call) => call.is(part.raw));
      const state = at < 0 ? states.find((one) => one.get('toolCall')?.is(part.raw)) : stateOf[at];
      slots.push({ state, call: part });
    } else if (isResult(part)) {
      const state = states.find((one) => one.is(part.raw));
      const isOpen = (slot: Slot) => slot.result === undefined;
      const own = slots.find((slot) => isOpen(slot) && state !== undefined && slot.state?.is(state));
      const last = slots.at(-1);
      const isLast = state === undefined && last?.call !== undefined && isOpen(last);
      const slot = own ?? (isLast && last.call!.callId === part.callId ? last : undefined);
      if (slot === undefined) slots.push({ state, call: undefined, result: part });
      else slot.result = part;
    }
  }
  return slots;
}

function writeCall(call: CallPart): Json {
  const { raw } = call;
  const called = raw instanceof JsonNode ? raw.get('function') : undefined;
  if (!(raw instanceof JsonNode) || called === undefined)
    return { id: call.callId, type: 'function', function: { name: call.tool, arguments: json(call.input) } };
  if (isSameInput(call, raw)) return patch(raw, idField('id', call));
  const input = argumentsIn(raw)?.isString === false ? jsonValue(call.input) : json(call.input);
  return patch(raw, { ...idField('id', call), function: patch(called, { arguments: input }) });
}

function isSameInput({ input }: CallPart, raw: JsonNode): boolean {
  const old = argumentsIn(raw);
  return input instanceof JsonNode ? input.is(old) : input === '{}' && old === undefined;
}

function writeState({ state, call, result }: Slot): Json[] {
  if (state === undefined) {
    if (call?.raw instanceof JsonNode && result === undefined) return []; // there was none
    return [{ ...freshCall(call, result), ...freshResult(result) }];
  }
  return [patch(state, { ...callFields(state, call, result), ...resultFields(state, result) })];
}

function freshCall(call: CallPart | undefined, result: ResultPart | undefined): JsonFields {
  if (call === undefined) return { toolCallId: result?.callId };
  return { toolCallId: call.callId, toolCall: writeCall(call), parsedArgs: jsonValue(call.input) };
}

/** `processedArgs` are made of the arguments. */
function callFields(state: JsonNode, call: CallPart | undefined, result: ResultPart | undefined): JsonFields {
  if (call === undefined)
    return {
      ...(result === undefined ? {} : idField('toolCallId', result)),
      ...{ toolCall: undefined, parsedArgs: undefined, processedArgs: undefined },
    };
  const copy = state.get('toolCall');
  const id = idField('toolCallId', call);
  if (!(call.raw instanceof JsonNode) || isSameInput(call, call.raw))
    return { ...id, ...(copy?.isObject ? { toolCall: patch(copy, idField('id', call)) } : {}) };
  const written = writeCall({ ...call, raw: copy?.isObject ? copy : undefined });
  return { ...id, toolCall: written, parsedArgs: jsonValue(call.input), processedArgs: undefined };
}

function freshResult(result: ResultPart | undefined): JsonFields {
  if (result === undefined) return { status: 'generated' };
  return { status: result.isError ? 'errored' : 'done', output: result.content.map(writeOutput) };
}

function resultFields(state: JsonNode, result: ResultPart | undefined): JsonFields {
  const [old] = resultIn(state);
  if (result === undefined) return old === undefined ? {} : { status: 'calling', output: undefined };
  const status = state.get('status')?.string ?? '';
  const isSame = old !== undefined && FAILED.has(status) === (result.isError === true);
  const output = state.get('output');
  const written = result.content.map(writeOutput);
  return {
    ...(isSame ? {} : { status: result.isError ? 'errored' : 'done' }),
    output: output?.isArray ? patchItems(output, written) : written.length === 0 ? output : written,
  };
}

/** A part of a result that was added gets the words of the command line. */
function writeOutput(part: ContentPart): Json {
  const { raw } = part;
  const own = raw instanceof JsonNode && raw.get('content') !== undefined ? raw : undefined;
  if (part.type !== 'text') return raw instanceof JsonNode ? raw : { content: '' };
  if (own !== undefined) return patch(own, { content: json(part.text) });
  return { content: json(part.text), name: 'Tool Result', description: 'Tool execution result' };
}

// --- added messages

export function freshItem({ role, parts }: Message): Json {
  const thoughts = parts.flatMap((part) => (part.type === 'thinking' ? [textOf(part.text)] : []));
  const slots = slotsOf(parts, [], []).map(({ call, result }): Slot => {
    return { state: undefined, call: call && { ...call, raw: undefined }, ...(result && { result }) };
  });
  const calls = slots.flatMap(({ call }) => (call === undefined ? [] : [writeCall(call)]));
  const content = writeContent(parts.filter(isContent), undefined, writeBlock) ?? '';
  return {
    message: {
      role: role === 'system' || role === 'user' ? role : 'assistant',
      content,
      toolCalls: calls.length === 0 ? undefined : calls,
    },
    contextItems: [],
    toolCallStates: slots.length === 0 ? undefined : slots.flatMap(writeState),
    reasoning: thoughts.length === 0 ? undefined : { active: false, text: thoughts.join('\n') },
  };
}
