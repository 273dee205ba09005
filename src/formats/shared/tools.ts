/** Tool definitions, read from the format of any provider. */
import type { JsonNode } from '../../json/node.js';
import { commaSet } from '../../lists.js';
import type { CustomTool, ToolDefinition } from '../encode.js';
import { tryParse } from './json-fields.js';
import { functionsKey, SCHEMAS, WRAPPERS } from './tool-members.js';

/** The tools of a recording. */
export interface ToolList {
  readonly definitions: readonly ToolDefinition[];
  /** Tools that take free text. */
  readonly customs: readonly CustomTool[];
  /** Names or types of tools that run on the provider's servers: they have no definition. */
  readonly others: readonly string[];
  /** Other tools may be called: those of a server, those that a search finds, and the search itself. */
  readonly isOpen: boolean;
  /** Members of definitions that are not read. */
  readonly unread: readonly string[];
}

/** Types of entries that stand for tools they do not list. */
const OPEN = /^(?:mcp|mcp_toolset|namespace|tool_search.*)$/;

/** The records of a log mostly define the same tools. */
const known = new Map<string, ToolList>();
const MOST_KNOWN = 32;

/** Reads tool definitions from JSON, or from JSON in a string. */
export function readTools(text: string): ToolList {
  let list = known.get(text);
  if (list === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    list = readList(text);
    known.set(text, list);
  }
  return list;
}

/** The elements of a list of tools: Gemini's are groups. */
export function toolEntries(text: string): readonly JsonNode[] {
  const root = tryParse(text);
  const list = root?.isString ? tryParse(root.text) : root;
  return (list?.isArray ? list : list?.get('tools'))?.items() ?? [];
}

function readList(text: string): ToolList {
  return readEntries(toolEntries(text));
}

export function readEntries(entries: readonly JsonNode[]): ToolList {
  const read = entries.flatMap((holder) =>
    declarations(holder).map((entry) => ({
      entry,
      definition: readTool(entry, entry !== holder),
      custom: readCustom(entry),
    })),
  );
  return {
    definitions: read.flatMap(({ definition }) => definition ?? []),
    customs: read.flatMap(({ custom }) => custom ?? []),
    others: read.flatMap(({ entry, definition, custom }) => ((definition ?? custom) ? [] : [nameOf(entry)])),
    unread: [
      ...new Set(read.flatMap(({ entry, definition, custom }) => ((definition ?? custom) ? unreadIn(entry) : []))),
    ],
    isOpen: read.some(
      ({ entry }) => OPEN.test(entry.get('type')?.string ?? '') || entry.get('defer_loading')?.boolean === true,
    ),
  };
}

function declarations(entry: JsonNode): JsonNode[] {
  const key = functionsKey(entry);
  return key === undefined ? [entry] : entry.get(key)!.items();
}

/** `isDeclared`: among function declarations of Gemini's. */
function readTool(entry: JsonNode, isDeclared: boolean): ToolDefinition | undefined {
  const inner = WRAPPERS.map((key) => entry.get(key)).find((found) => found?.isObject) ?? entry;
  const name = inner.get('name')?.string;
  const key = SCHEMAS.find((one) => inner.get(one)?.isObject);
  const isFunction = inner !== entry || key !== undefined || entry.get('type') === undefined;
  if (name === undefined || !isFunction) return undefined;
  const isStrict = inner.get('strict')?.boolean;
  return {
    name,
    description: inner.get('description')?.string,
    ...(isStrict === undefined ? {} : { strict: isStrict }),
    ...(key === undefined
      ? { parameters: { type: 'object', properties: {} } }
      : schemaUnder(key, inner.get(key)!, isDeclared)),
  };
}

/** Only Gemini's part of OpenAPI has types in capitals. */
function schemaUnder(key: string, held: JsonNode, isDeclared: boolean): Pick<ToolDefinition, 'parameters' | 'dialect'> {
  if (key === 'parameter_definitions') return { parameters: held, dialect: 'parameter-definitions' };
  const parameters = held.get('json') ?? held; // Bedrock's
  const isOpenApi = key === 'parameters' && (isDeclared || /^[A-Z]/.test(parameters.get('type')?.string ?? ''));
  return isOpenApi ? { parameters, dialect: 'open-api' } : { parameters };
}

/** The members of definitions that are read: of the element, and of what it holds. */
const READ = commaSet(`type, function, toolSpec, custom, name, description, strict, format, ${SCHEMAS.join()}`);

function unreadIn(entry: JsonNode): string[] {
  const inner = [...WRAPPERS, 'custom'].map((key) => entry.get(key)).find((found) => found?.isObject);
  return [entry, inner].flatMap((node) =>
    (node?.members() ?? []).flatMap(({ key, value }) => (READ.has(key.text) || value.isNull ? [] : [key.text])),
  );
}

/** A custom tool of OpenAI's: in Chat Completions its members stand in `custom`, and its grammar in `grammar`. */
function readCustom(entry: JsonNode): CustomTool | undefined {
  const inner = entry.get('custom') ?? entry;
  const name = inner.get('name')?.string;
  const hasSchema = SCHEMAS.some((key) => inner.get(key) !== undefined);
  if (entry.get('type')?.string !== 'custom' || name === undefined || hasSchema) return undefined;
  const format = inner.get('format');
  const grammar = format?.get('grammar') ?? format;
  const [syntax, definition] = [grammar?.get('syntax'), grammar?.get('definition')];
  return {
    name,
    description: inner.get('description')?.string,
    grammar: syntax === undefined || definition === undefined ? undefined : { syntax, definition },
  };
}

function nameOf(entry: JsonNode): string {
  const named = entry.get('systemTool') ?? entry; // Bedrock's
  return (
    entry.string ?? named.get('name')?.string ?? entry.get('type')?.string ?? entry.members()[0]?.key.text ?? 'unknown'
  );
}
