/**
 * The calls of a LangChain message: each stands up to five times, in `tool_calls`, as a block of the content, and as the provider and the
 * stream spelled it. It is read once, with all its copies, and written to each of them in its own spelling.
 * https://python.langchain.com/api_reference/core/messages.html
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Text } from '../../transcript/types.js';
import { objectsIn, present, stringIn, tryParse } from '../shared/json-fields.js';

/** Blocks that are calls, whole or in pieces. */
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
  /** Where it stands, the place that it was read from included. */
  readonly copies: Copy[];
}

interface Copy {
  readonly node: JsonNode;
  /** Not the first of a copy that was streamed in pieces. */
  readonly isMore: boolean;
}

/** The calls of a message. A list that repeats them has them under their ids, in their order; one without ids by name, or by order alone. */
export function callsIn(fields: JsonNode, path = ''): readonly Call[] {
  const calls: Call[] = [];
  for (const list of callLists(fields, path)) {
    const open = new Set(calls);
    const streamed = new Map<string, Call>(); // by index: only the first piece has an id
    for (const node of list) {
      const id = idOf(node);
      const tool = callee(node).get('name')?.string;
      const index = node.get('index')?.text;
      const isNamed = id !== undefined || tool !== undefined;
      const before = index === undefined || isNamed ? undefined : streamed.get(index);
      const known =
        before ??
        [...open].find(({ part }) => (id === undefined ? !isNamed || part.tool === tool : part.callId === id));
      if (known === undefined && !isNamed) continue;
      const call = known ?? { part: readCall(node, path), copies: [] };
      if (known === undefined) calls.push(call);
      call.copies.push({ node, isMore: before !== undefined });
      open.delete(call);
      if (index !== undefined) streamed.set(index, call);
    }
  }
  const legacy = legacyIn(fields);
  if (legacy === undefined) return calls;
  const repeated = calls.findLast(({ part }) => part.tool === legacy.get('name')?.string); // Google's integration repeats the last call here
  if (repeated !== undefined) repeated.copies.push({ node: legacy, isMore: false });
  else
    calls.push({
      part: { ...readCall(legacy, path), callId: undefined, legacy: true },
      copies: [{ node: legacy, isMore: false }],
    });
  return calls;
}

/** The lists in which calls stand, the most telling first. */
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

/** Blocks of OpenAI Responses have an id of their own beside the call's. */
function idKey(node: JsonNode): string {
  return node.get('call_id') === undefined ? 'id' : 'call_id';
}

function idOf(node: JsonNode): string | undefined {
  return node.get(idKey(node))?.string || undefined;
}

/** The name and the arguments stand in `function`, where OpenAI's spelling is kept. */
function callee(node: JsonNode): JsonNode {
  const inner = node.get('function');
  return inner?.isObject ? inner : node;
}

/** The members that hold the arguments: what was streamed may have them as text, too. */
function inputKeys(target: JsonNode): readonly string[] {
  return ['args', 'arguments', 'input', 'partial_json'].filter((key) => present(target, key) !== undefined);
}

/** A copy keeps its own spelling: arguments as a value or as text, its own id beside the call's. */
export function writeCopy({ node, isMore }: Copy, part: CallPart, old: CallPart): Json {
  const target = callee(node);
  const isSame = part.input === old.input || (part.input instanceof JsonNode && part.input.is(old.input));
  const changed = isSame ? [] : inputKeys(target);
  const input = Object.fromEntries(
    changed.map((key) => [
      key,
      !target.get(key)!.isString ? argumentsOf(part.input) : isMore ? '' : textOf(part.input),
    ]),
  );
  const id = part.callId && part.callId !== old.callId && !isMore ? { [idKey(node)]: part.callId } : {};
  return target === node ? patch(node, { ...id, ...input }) : patch(node, { ...id, function: patch(target, input) });
}

/** Arguments as the value that their text is; what is no JSON stays text. */
export function argumentsOf(input: Text): Json {
  return input instanceof JsonNode && !input.isString ? input : (tryParse(textOf(input)) ?? textOf(input));
}
