/**
 * ShareGPT datasets as LLaMA-Factory reads them: `conversations` of `{from, value}`, tool definitions and perhaps the system prompt
 * beside them. A call is a message whose value is JSON text `{name, arguments}`; there are no ids, results answer by order.
 * https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md#sharegpt-format
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, Role, Text, TextPart } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { optionalString, present, tryParse, wrongType } from '../shared/json-fields.js';
import { isCall, joinedText } from '../shared/parts.js';
import { table } from '../shared/table.js';

/** `tool` is the result of a call that stands as text in a `gpt` message (Hermes): it pairs with nothing, and stays text. */
const ROLES = table<Role>({
  system: 'system',
  human: 'user',
  user: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  function_call: 'assistant',
  observation: 'tool',
  tool: 'tool',
});
const FROM: Readonly<Record<Role, string>> = {
  system: 'system',
  user: 'human',
  assistant: 'gpt',
  tool: 'tool',
  meta: 'human',
};

export default defineFormat({
  id: 'sharegpt',
  traits: {},
  byteHints: { toolCalls: ['"func', '"observ', '"tool'] },
  messagePaths: ['=system? + conversations', '=system? + conversation', 'data[].conversations'],
  score(raw) {
    const from = raw.get('from')?.string;
    if (from === undefined || raw.get('role') !== undefined || raw.get('value') === undefined) return 0;
    return from in ROLES ? 1 : 0.3;
  },
  read(raw) {
    if (!raw.isObject) return { role: 'system', parts: textIn(raw, 'system'), raw }; // the prompt beside the conversation
    const from = optionalString(raw, 'from') ?? '';
    const role = ROLES[from];
    if (role === undefined) return { role: 'meta', parts: [], raw };
    const value = raw.get('value');
    const texts = textIn(value, 'value');
    if (from === 'observation')
      return { role, parts: [{ type: 'result', callId: undefined, content: texts, raw }], raw };
    return { role, parts: from === 'function_call' && value?.isString ? [readCall(value, raw)] : texts, raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode) || (raw.get('from')?.string === 'function_call' && !parts.some(isCall)))
      return fresh(message);
    if (message.role === 'meta') return raw;
    const value = raw.isObject ? raw.get('value') : raw;
    const written = writeValue(parts, value);
    return raw.isObject ? patch(raw, { value: written }) : (written ?? raw);
  },
  describe(record) {
    const id = record.get('id');
    return { id: id?.isString ? id.text : undefined, tools: present(record, 'tools') };
  },
  encode: {
    messages: 'conversations',
    system: { key: 'system', write: (text) => text },
    tools: (definitions) => ({ tools: printed(definitions.map((definition) => ({ ...definition }))) }),
    pairsByOrder: true,
    onePartPerMessage: true,
    objectArgumentsOnly: true,
  },
});

function textIn(value: JsonNode | undefined, path: string): TextPart[] {
  if (value === undefined || value.isNull) return [];
  return value.isString ? [{ type: 'text', text: value, raw: value }] : wrongType(value, path, 'a string');
}

function readCall(value: JsonNode, raw: JsonNode): CallPart {
  const { tool, input } = calledIn(value);
  return { type: 'call', callId: undefined, tool, input, raw };
}

interface Called {
  readonly tool: string;
  readonly input: Text;
}

/** What a value calls. An array of calls has one observation: it is one call, of tools that are named together. Other text is a call of nothing. */
function calledIn(value: Text): Called {
  const call = tryParse(textOf(value));
  if (call?.isArray) return { tool: call.items().map(nameIn).join(', '), input: value };
  const tool = call === undefined ? '' : nameIn(call);
  return tool === '' ? { tool, input: value } : { tool, input: call?.get('arguments') ?? '' };
}

function nameIn(call: JsonNode): string {
  return call.get('name')?.string ?? '';
}

function writeValue(parts: readonly Part[], old: JsonNode | undefined): Json | undefined {
  const call = parts.find(isCall);
  if (call !== undefined) return writeCall(call, old);
  const texts = parts
    .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
    .filter((part) => part.type === 'text');
  if (texts.length === 0) return old === undefined || old.isNull ? old : '';
  return joinedText(texts);
}

function writeCall({ tool, input }: CallPart, old: JsonNode | undefined): Json {
  const before = old?.isString ? calledIn(old) : undefined;
  if (before?.tool === tool && textOf(before.input) === textOf(input)) return old!;
  const whole = calledIn(input);
  if (whole.tool === tool && textOf(whole.input) === textOf(input)) return textOf(input); // an array of calls, or no JSON
  const quoted =
    tryParse(textOf(input)) === undefined ||
    (before?.input instanceof JsonNode && before.input.isString && before.input !== old);
  return `{"name": ${JSON.stringify(tool)}, "arguments": ${quoted ? JSON.stringify(textOf(input)) : textOf(input)}}`;
}

function fresh({ role, parts }: Message): Json {
  const from = parts.some(isCall)
    ? 'function_call'
    : parts.some(({ type }) => type === 'result')
      ? 'observation'
      : FROM[role];
  return { from, value: writeValue(parts, undefined) ?? '' };
}
