/**
 * The calls of a LangChain message. Up to five copies of each exist: in `tool_calls`, as a block of the content, and in
 * the spellings of the provider and of the stream. A call is read once with all its copies, and written to each of
 * them. https://python.langchain.com/api_reference/core/messages.html
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Text } from '../../transcript/types.js';
import { objectsIn, present, stringIn, tryParse } from '../shared/json-fields.js';
import { contentKey } from './langchain-kinds.js';

/** Types of blocks that are calls, or pieces of them. */
const CALL_BLOCKS = commaSet(`
  tool_use, tool_call, function_call, custom_tool_call, invalid_tool_call, tool_call_chunk, input_json_delta,
  functionCall, computer_call
`);

/** Whether a block of the content is a call, or a piece of one. */
export function isCallBlock(block: JsonNode): boolean {
  return CALL_BLOCKS.has(block.get('type')?.string ?? '');
}

interface Call {
  readonly part: CallPart;
  /** All copies, the one that was read included. */
  readonly copies: Copy[];
}

interface Copy {
  readonly node: JsonNode;
  /** Whether this is a further piece of a streamed copy. */
  readonly isContinuation: boolean;
}

/**
 * The calls of a message. Copies are matched by id, without ids by the tool's name, without names by order. `isJs`:
 * whether the message is of LangChain.js. `path` is the path to the fields, for errors.
 */
export function callsIn(fields: JsonNode, isJs: boolean, path = ''): readonly Call[] {
  const calls: Call[] = [];
  for (const { nodes, areSent } of callLists(fields, isJs, path)) {
    const unmatched = new Set(calls);
    const streamed = new Map<string, Call>(); // by index: only the first piece has an id
    for (const node of nodes) {
      const id = idOf(node);
      const tool = callee(node).get('name')?.string;
      const index = node.get('index')?.text;
      const isNamed = id !== undefined || tool !== undefined;
      const before = index === undefined || isNamed ? undefined : streamed.get(index);
      const known =
        before ??
        [...unmatched].find(({ part }) => (id === undefined ? !isNamed || part.tool === tool : part.callId === id));
      if (known === undefined && !(isNamed && areSent)) continue;
      const call = known ?? { part: readCall(node, path), copies: [] };
      if (known === undefined) calls.push(call);
      call.copies.push({ node, isContinuation: before !== undefined });
      unmatched.delete(call);
      if (index !== undefined) streamed.set(index, call);
    }
  }
  const legacy = legacyIn(fields);
  if (legacy === undefined) return calls;
  const copy = { node: legacy, isContinuation: false };
  // Google's integration repeats the last call in `function_call`.
  const repeated = calls.findLast(({ part }) => part.tool === legacy.get('name')?.string);
  if (repeated !== undefined) repeated.copies.push(copy);
  else calls.push({ part: { ...readCall(legacy, path), callId: undefined, legacy: true }, copies: [copy] });
  return calls;
}

interface CallList {
  readonly nodes: readonly JsonNode[];
  /** Whether a call that is in no list before reaches the model, and needs a result. */
  readonly areSent: boolean;
}

/**
 * The lists that hold calls, the most complete first. LangChain.js does not send invalid calls, and sends those of
 * `additional_kwargs` only where `tool_calls` is empty; Python's LangChain sends both.
 */
function callLists(fields: JsonNode, isJs: boolean, path: string): readonly CallList[] {
  const calls = objectsIn(fields.get('tool_calls'), `${path}tool_calls`);
  const invalid = objectsIn(fields.get('invalid_tool_calls'), `${path}invalid_tool_calls`);
  const repeated = objectsIn(fields.get('additional_kwargs')?.get('tool_calls'), `${path}additional_kwargs.tool_calls`);
  const chunks = objectsIn(fields.get('tool_call_chunks'), `${path}tool_call_chunks`);
  const blocks = callBlocks(fields.get(contentKey(fields)));
  const isSentBlock = (block: JsonNode) => !isJs || block.get('type')?.string !== 'invalid_tool_call';
  return [
    { nodes: isJs ? calls : [...calls, ...invalid], areSent: true },
    { nodes: blocks.filter(isSentBlock), areSent: true },
    { nodes: repeated, areSent: !isJs || calls.length === 0 },
    { nodes: chunks, areSent: !isJs },
    { nodes: callBlocks(fields.get('response_metadata')?.get('output')), areSent: true },
    { nodes: callBlocks(fields.get('additional_kwargs')?.get('tool_outputs')), areSent: true },
    { nodes: isJs ? [...invalid, ...blocks.filter((block) => !isSentBlock(block))] : [], areSent: false },
  ];
}

function callBlocks(list: JsonNode | undefined): readonly JsonNode[] {
  return list?.items().filter(isCallBlock) ?? [];
}

function legacyIn(fields: JsonNode): JsonNode | undefined {
  const legacy = fields.get('additional_kwargs')?.get('function_call');
  return legacy?.isObject ? legacy : undefined;
}

function readCall(node: JsonNode, path: string): CallPart {
  const target = callee(node);
  const [key] = inputKeys(target);
  return {
    type: 'call',
    callId: idOf(node) ?? '',
    tool: stringIn(target.get('name'), `${path}name`) ?? '',
    input: key === undefined ? '{}' : target.get(key)!,
    raw: node,
  };
}

/**
 * Blocks of OpenAI Responses have their own id in `id`, and that of the call in `call_id`. LangChain swaps both in its
 * own spelling of a custom tool's call.
 */
function idKey(node: JsonNode): string {
  return node.get('call_id') === undefined || node.get('type')?.string === 'tool_call' ? 'id' : 'call_id';
}

/** Gemini's blocks have the id beside the name. */
function idHolder(node: JsonNode): JsonNode {
  return node.get('functionCall') === undefined ? node : callee(node);
}

function idOf(node: JsonNode): string | undefined {
  const holder = idHolder(node);
  return holder.get(idKey(holder))?.string || undefined;
}

/** The members with an object that has the name and the arguments: of OpenAI's spelling, and of Gemini's. */
const CALLEES = ['function', 'functionCall'];

/** The object with the name and the arguments. */
function callee(node: JsonNode): JsonNode {
  return calleeOf(node)?.target ?? node;
}

function calleeOf(node: JsonNode): { readonly key: string; readonly target: JsonNode } | undefined {
  for (const key of CALLEES) {
    const target = node.get(key);
    if (target?.isObject) return { key, target };
  }
  return undefined;
}

/** The members that hold the arguments; streamed blocks may have them twice, as a value and as text. */
function inputKeys(target: JsonNode): readonly string[] {
  return ['args', 'arguments', 'input', 'partial_json'].filter((key) => present(target, key) !== undefined);
}

/** A copy with the call's new arguments and id, in its own spelling. */
export function writeCopy({ node, isContinuation }: Copy, part: CallPart, old: CallPart): Json {
  const inner = calleeOf(node);
  const target = inner?.target ?? node;
  const isSame = part.input === old.input || (part.input instanceof JsonNode && part.input.is(old.input));
  const changed = isSame ? [] : inputKeys(target);
  const asText = () => (isContinuation ? '' : textOf(part.input)); // the first piece gets the whole text
  const input = Object.fromEntries(
    changed.map((key) => [key, target.get(key)!.isString ? asText() : argumentsOf(part.input)]),
  );
  const isRenamed = part.callId && part.callId !== old.callId && !isContinuation;
  const holder = idHolder(node);
  const id = isRenamed && (holder === node || idOf(node) !== undefined) ? { [idKey(holder)]: part.callId } : {};
  if (inner === undefined) return patch(node, { ...id, ...input });
  return holder === node
    ? patch(node, { ...id, [inner.key]: patch(target, input) })
    : patch(node, { [inner.key]: patch(target, { ...id, ...input }) });
}

/** Arguments as a JSON value; as text if they are no JSON. */
export function argumentsOf(input: Text): Json {
  return input instanceof JsonNode && !input.isString ? input : (tryParse(textOf(input)) ?? textOf(input));
}
