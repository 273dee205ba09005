/**
 * The calls of a LangChain message. Up to five copies of each exist: in `tool_calls`, as a block of the content, and in
 * the spellings of the provider and of the stream. A call is read once with all its copies, and written to each of
 * them. https://python.langchain.com/api_reference/core/messages.html
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Text } from '../../transcript/types.js';
import { objectsIn, present, stringIn, tryParse } from '../shared/json-fields.js';

/** Types of blocks that are calls, or pieces of them. */
const CALL_BLOCKS = new Set([
  'tool_use',
  'tool_call',
  'function_call',
  'custom_tool_call',
  'invalid_tool_call',
  'tool_call_chunk',
  'input_json_delta',
]);

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
 * The calls of a message. Copies are matched by id, without ids by the tool's name, without names by order. `path` is
 * the path to the fields, for errors.
 */
export function callsIn(fields: JsonNode, path = ''): readonly Call[] {
  const calls: Call[] = [];
  for (const list of callLists(fields, path)) {
    const unmatched = new Set(calls);
    const streamed = new Map<string, Call>(); // by index: only the first piece has an id
    for (const node of list) {
      const id = idOf(node);
      const tool = callee(node).get('name')?.string;
      const index = node.get('index')?.text;
      const isNamed = id !== undefined || tool !== undefined;
      const before = index === undefined || isNamed ? undefined : streamed.get(index);
      const known =
        before ??
        [...unmatched].find(({ part }) => (id === undefined ? !isNamed || part.tool === tool : part.callId === id));
      if (known === undefined && !isNamed) continue;
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

/** The lists that hold calls, the most complete first. */
function callLists(fields: JsonNode, path: string): readonly (readonly JsonNode[])[] {
  return [
    [
      ...objectsIn(fields.get('tool_calls'), `${path}tool_calls`),
      ...objectsIn(fields.get('invalid_tool_calls'), `${path}invalid_tool_calls`),
    ],
    callBlocks(fields.get('content')),
    objectsIn(fields.get('additional_kwargs')?.get('tool_calls'), `${path}additional_kwargs.tool_calls`),
    objectsIn(fields.get('tool_call_chunks'), `${path}tool_call_chunks`),
    callBlocks(fields.get('response_metadata')?.get('output')),
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

/** Blocks of OpenAI Responses have their own id in `id`, and that of the call in `call_id`. */
function idKey(node: JsonNode): string {
  return node.get('call_id') === undefined ? 'id' : 'call_id';
}

function idOf(node: JsonNode): string | undefined {
  return node.get(idKey(node))?.string || undefined;
}

/** The object with the name and the arguments: in OpenAI's spelling, `function`. */
function callee(node: JsonNode): JsonNode {
  const inner = node.get('function');
  return inner?.isObject ? inner : node;
}

/** The members that hold the arguments; streamed blocks may have them twice, as a value and as text. */
function inputKeys(target: JsonNode): readonly string[] {
  return ['args', 'arguments', 'input', 'partial_json'].filter((key) => present(target, key) !== undefined);
}

/** A copy with the call's new arguments and id, in its own spelling. */
export function writeCopy({ node, isContinuation }: Copy, part: CallPart, old: CallPart): Json {
  const target = callee(node);
  const isSame = part.input === old.input || (part.input instanceof JsonNode && part.input.is(old.input));
  const changed = isSame ? [] : inputKeys(target);
  const asText = () => (isContinuation ? '' : textOf(part.input)); // the first piece gets the whole text
  const input = Object.fromEntries(
    changed.map((key) => [key, target.get(key)!.isString ? asText() : argumentsOf(part.input)]),
  );
  const id = part.callId && part.callId !== old.callId && !isContinuation ? { [idKey(node)]: part.callId } : {};
  return target === node ? patch(node, { ...id, ...input }) : patch(node, { ...id, function: patch(target, input) });
}

/** Arguments as a JSON value; as text if they are no JSON. */
export function argumentsOf(input: Text): Json {
  return input instanceof JsonNode && !input.isString ? input : (tryParse(textOf(input)) ?? textOf(input));
}
