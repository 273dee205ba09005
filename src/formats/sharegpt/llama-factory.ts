/**
 * LLaMA-Factory's message list (v1): content is always an array of `{type, value}`. A call is a part whose value is
 * JSON text `{name, arguments}`. There are no ids: results answer calls in order.
 * https://github.com/hiyouga/LLaMA-Factory
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { joinTexts, textOf } from '../../transcript/text.js';
import type { Part, ResultPart, Role } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { json, optionalObjects, optionalString, present, tryParse, wrongMember } from '../shared/json-fields.js';
import { isContent, isResult } from '../shared/parts.js';
import { table } from '../shared/table.js';

const ROLES = table<Role>({ system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' });

export default defineFormat({
  id: 'llama-factory',
  traits: {},
  messagePaths: ['messages'],
  score(raw) {
    const role = raw.get('role')?.string;
    const first = raw.get('content')?.items()[0];
    if (role === undefined || !(role in ROLES) || first === undefined) return 0;
    return first.get('type')?.isString && first.get('value') !== undefined && first.get('text') === undefined ? 1 : -1;
  },
  read(raw) {
    const role = ROLES[optionalString(raw, 'role') ?? ''];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const parts = optionalObjects(raw, 'content').map(readBlock);
    if (role !== 'tool') return { role, parts, raw };
    const listed = resultsIn(raw);
    if (listed !== undefined) return { role, parts: listed.map(readListed), raw };
    return { role, parts: [{ type: 'result', callId: undefined, content: parts.filter(isContent), raw }], raw };
  },
  write(message) {
    const { raw } = message;
    if (message.role === 'meta' && raw instanceof JsonNode) return raw;
    if (raw instanceof JsonNode && resultsIn(raw) !== undefined)
      return writeListed(message.parts.filter(isResult), raw);
    const results = message.parts.filter(isResult);
    if (results.length > 1 && !(raw instanceof JsonNode))
      return { role: 'tool', content: [{ type: 'text', value: `[${results.map(writeResult).join(', ')}]` }] };
    const blocks = message.parts
      .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
      .map(writeBlock);
    if (!(raw instanceof JsonNode)) return { role: message.role, content: blocks };
    const content = raw.get('content');
    if (content === undefined) return blocks.length === 0 ? raw : patch(raw, { content: blocks });
    return patch(raw, { content: patchItems(content, blocks) });
  },
  describe(record) {
    return { tools: present(record, 'tools') };
  },
});

function readBlock(block: JsonNode, index: number): Part {
  const type = optionalString(block, 'type');
  const value = block.get('value');
  if (value === undefined || !value.isString)
    return type === 'text'
      ? wrongMember(value, block, `content[${index}].value`, 'a string')
      : { type: 'opaque', text: block, raw: block };
  if (type === 'text') return { type: 'text', text: value, raw: block };
  if (type === 'reasoning') return { type: 'thinking', text: value, raw: block };
  if (type !== 'tool_call') return { type: 'opaque', text: block, raw: block };
  const call = tryParse(value.text);
  return {
    type: 'call',
    callId: undefined,
    tool: call?.get('name')?.string ?? '',
    input: call?.get('arguments')?.text ?? value,
    raw: block,
  };
}

// --- several results in one message

/** The results of parallel calls as the items of one JSON text, each `{name, content}`. */
function resultsIn(raw: JsonNode): readonly JsonNode[] | undefined {
  const blocks = raw.get('content')?.items() ?? [];
  const value = blocks.length === 1 ? blocks[0]!.get('value') : undefined;
  const items = value?.isString && value.text.trimStart().startsWith('[') ? (tryParse(value.text)?.items() ?? []) : [];
  const isResults = items.length > 1 && items.every((item) => item.get('name')?.isString && item.get('content'));
  return isResults ? items : undefined;
}

/** A result out of such a list. Its text has no `raw`, so that it can be written as a block. */
function readListed(item: JsonNode): ResultPart {
  const text = item.get('content')!;
  return {
    type: 'result',
    callId: undefined,
    tool: item.get('name')!.text,
    content: [{ type: 'text', text }],
    raw: item,
  };
}

function writeListed(results: readonly ResultPart[], raw: JsonNode): Json {
  const items = resultsIn(raw)!;
  const written = results.map(writeResult);
  if (written.length === items.length && items.every((item, index) => item.text === written[index])) return raw;
  const [block] = raw.get('content')!.items();
  return patch(raw, {
    content: patchItems(raw.get('content')!, [patch(block!, { value: `[${written.join(', ')}]` })]),
  });
}

function writeResult({ tool = '', content, raw }: ResultPart): string {
  const text = joinTexts(content);
  const old = raw instanceof JsonNode ? raw.get('content') : undefined;
  if (old !== undefined && old.text === text) return (raw as JsonNode).text;
  return JSON.stringify({ name: tool, content: text });
}

function writeBlock(part: Part): Json {
  const { raw } = part;
  if (part.type === 'text' || part.type === 'thinking') {
    if (raw instanceof JsonNode) return patch(raw, { value: json(part.text) });
    return { type: part.type === 'text' ? 'text' : 'reasoning', value: json(part.text) };
  }
  if (part.type !== 'call') return raw instanceof JsonNode ? raw : { type: part.type };
  const value = raw instanceof JsonNode ? raw.get('value') : undefined;
  const call = value === undefined ? undefined : tryParse(value.text);
  if (raw instanceof JsonNode && (call?.get('arguments')?.text ?? value?.text) === textOf(part.input)) return raw;
  const input = textOf(part.input);
  const isJson = tryParse(input) !== undefined;
  if (part.tool === '' && !isJson) return { type: 'tool_call', value: input }; // a call that was read from no JSON
  const args = isJson ? input : JSON.stringify(input);
  return { type: 'tool_call', value: `{"name": ${JSON.stringify(part.tool)}, "arguments": ${args}}` };
}
