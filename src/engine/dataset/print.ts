/** A row as a line of JSON: the same members, of the same types, in every row. */
import { withJsonSchema } from '../../formats/shared/tool-schemas.js';
import { readTools } from '../../formats/shared/tools.js';
import { layOut } from '../../json/lay-out.js';
import { JsonNode, parse } from '../../json/node.js';
import type { LazyText } from '../../transcript/types.js';
import type { RowValues } from './options.js';
import type { RowCall, RowMessage } from './row.js';

export type Spelling = Pick<RowValues, 'arguments' | 'schemas'>;

export function messagesJson(messages: readonly RowMessage[], spelling: Spelling): string {
  return `[${messages.map((message) => messageJson(message, spelling)).join(',')}]`;
}

function messageJson(message: RowMessage, { arguments: kind }: Spelling): string {
  const { role, content, reasoning_content, tool_calls, tool_call_id, name } = message;
  const calls = tool_calls === null ? 'null' : `[${tool_calls.map((call) => callJson(call, kind)).join(',')}]`;
  const texts = `"role":"${role}","content":${JSON.stringify(content)}`;
  const thought = `"reasoning_content":${JSON.stringify(reasoning_content)}`;
  const answered = `"tool_call_id":${JSON.stringify(tool_call_id)},"name":${JSON.stringify(name)}`;
  return `{${texts},${thought},"tool_calls":${calls},${answered}}`;
}

function callJson({ id, function: { name, arguments: text } }: RowCall, kind: Spelling['arguments']): string {
  const given = kind === 'object' ? oneLine(text) : JSON.stringify(text);
  const called = `{"name":${JSON.stringify(name)},"arguments":${given}}`;
  return `{"id":${JSON.stringify(id)},"type":"function","function":${called}}`;
}

/** As it is written, if it has no line breaks: numbers keep their digits. */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? layOut(parse(json), 0) : json;
}

// --- tools

export interface RowTools {
  /** A list as JSON. */
  readonly json: string;
  /** Tools that have no definition, or take free text: they are left out. */
  readonly leftOut: number;
}

/** The rows of a file mostly define the same tools. */
const known = new Map<string, RowTools>();
const MOST_KNOWN = 32;
const NO_TOOLS: RowTools = { json: '[]', leftOut: 0 };

export function rowTools(tools: LazyText | undefined): RowTools {
  if (tools === undefined) return NO_TOOLS;
  const { text } = tools;
  let made = known.get(text);
  if (made === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    made = toolsOf(text);
    known.set(text, made);
  }
  return made;
}

function toolsOf(text: string): RowTools {
  const { definitions, customs, others } = readTools(text);
  const all = definitions.map(withJsonSchema).map(({ name, description, parameters }) => {
    const schema = parameters instanceof JsonNode ? oneLine(parameters.json) : JSON.stringify(parameters);
    const about = `"name":${JSON.stringify(name)},"description":${JSON.stringify(description ?? '')}`;
    return `{"type":"function","function":{${about},"parameters":${schema}}}`;
  });
  return { json: `[${all.join(',')}]`, leftOut: customs.length + others.length };
}

/** A row with a value everywhere: of its types are the columns, also in a part of a dataset that has none. */
export function templateRow(spelling: Spelling): string | undefined {
  if (spelling.arguments === 'object' || spelling.schemas === 'object') return undefined;
  const call: RowCall = { id: '', type: 'function', function: { name: '', arguments: '' } };
  const message: RowMessage = {
    ...{ role: 'tool', content: '', reasoning_content: '', tool_calls: [call], tool_call_id: '', name: '' },
  };
  const metadata = '{"source":"","row":1,"agent":"","format":"","model":""}';
  return `{"messages":${messagesJson([message], spelling)},"tools":"","metadata":${metadata}}`;
}
