/**
 * ShareGPT datasets as LLaMA-Factory reads them: `conversations` of `{from, value}`, beside them tool definitions and
 * sometimes the system prompt. A call is a message whose value is JSON text `{name, arguments}`. There are no ids:
 * results answer calls in order.
 * https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md#sharegpt-format
 */
import { type Json, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, Message, Part, Role, Text, TextPart } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { optionalString, present, tryParse, wrongType } from '../shared/json-fields.js';
import { isCall, isResult, joinedText } from '../shared/parts.js';
import { table } from '../shared/table.js';

/** A `tool` message (Hermes) answers a call that is part of the text of a `gpt` message, so it is read as text, too. */
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
    if (!raw.isObject) return { role: 'system', parts: textIn(raw, 'system'), raw };
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
    tools: (definitions) => ({ tools: printed(definitions.map(({ strict: _, ...definition }) => definition)) }),
    pairsByOrder: true,
    onePartPerMessage: true,
    joinsTexts: ['user', 'result'],
    objectArgumentsOnly: true,
  },
});

function textIn(value: JsonNode | undefined, path: string): TextPart[] {
  if (value === undefined || value.isNull) return [];
  return value.isString ? [{ type: 'text', text: value, raw: value }] : wrongType(value, path, 'a string');
}

function readCall(value: JsonNode, raw: JsonNode): CallPart {
  const { tool, input } = parseCall(value);
  return { type: 'call', callId: undefined, tool, input, raw };
}

/**
 * The tool and arguments in a value. An array of calls has one observation, so it is one call of all its tools; any
 * other text is a call without a name.
 */
function parseCall(value: Text): { readonly tool: string; readonly input: Text } {
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
  const before = old?.isString ? parseCall(old) : undefined;
  if (before?.tool === tool && textOf(before.input) === textOf(input)) return old!;
  const text = textOf(input);
  const whole = parseCall(input);
  if (whole.tool === tool && textOf(whole.input) === text) return text; // an array of calls, or no JSON
  const isString =
    tryParse(text) === undefined ||
    (before?.input instanceof JsonNode && before.input.isString && before.input !== old);
  return `{"name": ${JSON.stringify(tool)}, "arguments": ${isString ? JSON.stringify(text) : text}}`;
}

function fresh({ role, parts }: Message): Json {
  return { from: freshFrom(role, parts), value: writeValue(parts, undefined) ?? '' };
}

function freshFrom(role: Role, parts: readonly Part[]): string {
  if (parts.some(isCall)) return 'function_call';
  return parts.some(isResult) ? 'observation' : FROM[role];
}
