/** How formats spell which tools the model must or may call. */
import type { Json, JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';

/** How a format spells a choice: undefined for what it does not have, or what is not one of these. */
export interface Spelling<Value> {
  read(node: JsonNode): Value | undefined;
  write(value: Value): Json | undefined;
}

export type ToolChoice = 'auto' | 'none' | 'required' | ChosenTools;
/** One of these tools has to be called, or only these may be. */
interface ChosenTools {
  readonly tools: readonly string[];
  readonly isRequired: boolean;
}
export function at(node: JsonNode, path: string): JsonNode | undefined {
  return path.split('.').reduce<JsonNode | undefined>((inner, key) => inner?.get(key), node);
}

const WORDS: ReadonlySet<string> = new Set(['auto', 'none', 'required']);

/** A word, or an object with the tool's name, or with those that are allowed, in these holders. */
export function wordOrTool(held: string | undefined, allowed: string | undefined): Spelling<ToolChoice> {
  const inside = (key: string | undefined, fields: JsonFields) => (key === undefined ? fields : { [key]: fields });
  const named = (name: string) => ({ type: 'function', ...inside(held, { name }) });
  const nameIn = (node: JsonNode) => {
    const type = node.get('type')?.string;
    if (type === undefined && held !== undefined) return node.get('name')?.string; // in `function_call`
    return type === 'function' ? (held ? node.get(held) : node)?.get('name')?.string : undefined;
  };
  return {
    read(node) {
      if (node.isString) return WORDS.has(node.text) ? (node.text as ToolChoice) : undefined;
      const list = node.get('type')?.string === 'allowed_tools' ? (allowed ? node.get(allowed) : node) : undefined;
      const tools = list === undefined ? [nameIn(node)] : (list.get('tools')?.items() ?? []).map(nameIn);
      const isRequired = list === undefined || list.get('mode')?.string === 'required';
      return tools.every((name) => name !== undefined) ? { tools, isRequired } : undefined;
    },
    write(value) {
      if (typeof value === 'string') return value;
      const { tools, isRequired } = value;
      if (tools.length === 1 && isRequired) return named(tools[0]!);
      const list = { mode: isRequired ? 'required' : 'auto', tools: tools.map(named) };
      return { type: 'allowed_tools', ...inside(allowed, list) };
    },
  };
}

/** An object with a word for the mode; `names`: the words for auto, none and required. */
export function mode(
  read: (node: JsonNode) => string | undefined,
  tools: (node: JsonNode) => readonly string[],
  write: (mode: string | undefined, tools: readonly string[]) => Json | undefined,
  words: Readonly<Partial<Record<'auto' | 'none' | 'required', string>>>,
): Spelling<ToolChoice> {
  return {
    read(node) {
      const named = tools(node);
      if (named.length > 0) return { tools: named, isRequired: true };
      const word = read(node);
      const found = Object.entries(words).find(([, spelling]) => spelling === word);
      return found?.[0] as ToolChoice | undefined;
    },
    write(value) {
      if (typeof value !== 'string') return value.isRequired ? write(undefined, value.tools) : undefined;
      return words[value] === undefined ? undefined : write(words[value], []);
    },
  };
}

/** The same without a list of tools that are allowed. */
export function withoutLists({ read, write }: Spelling<ToolChoice>): Spelling<ToolChoice> {
  return {
    read,
    write: (value) =>
      typeof value === 'string' || (value.isRequired && value.tools.length === 1) ? write(value) : undefined,
  };
}

/** Of an API that can ask for one tool alone. */
export function oneOf(tools: readonly string[], write: (tool: string) => Json): Json | undefined {
  return tools.length === 1 ? write(tools[0]!) : undefined;
}

export function listOf(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name];
}
