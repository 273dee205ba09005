/** Tool definitions, read from and edited in the format of any provider. */
import { EditedText, type Json, type JsonFields, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { styleOf } from '../../json/style.js';
import { commaList } from '../../lists.js';
import type { LazyText, ToolChange, ToolChanges } from '../../transcript/types.js';
import type { CustomTool, ToolDefinition } from '../encode.js';
import { tryParse } from './json-fields.js';

/** The tools of a recording. */
export interface ToolList {
  readonly definitions: readonly ToolDefinition[];
  /** Tools that take free text. */
  readonly customs: readonly CustomTool[];
  /** Names or types of tools that run on the provider's servers: they have no definition. */
  readonly others: readonly string[];
  /** Other tools may be called: those of a server, those that a search finds, and the search itself. */
  readonly isOpen: boolean;
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

function readList(text: string): ToolList {
  const root = tryParse(text);
  const list = root?.isString ? tryParse(root.text) : root;
  const entries = (list?.isArray ? list : list?.get('tools'))?.items().flatMap(declarations) ?? [];
  const read = entries.map((entry) => ({ entry, definition: readTool(entry), custom: readCustom(entry) }));
  return {
    definitions: read.flatMap(({ definition }) => definition ?? []),
    customs: read.flatMap(({ custom }) => custom ?? []),
    others: read.flatMap(({ entry, definition, custom }) => ((definition ?? custom) ? [] : [nameOf(entry)])),
    isOpen: entries.some(
      (entry) => OPEN.test(entry.get('type')?.string ?? '') || entry.get('defer_loading')?.boolean === true,
    ),
  };
}

/** Applies changes to definitions in their own format. Returns the same value if nothing changes. */
export function redefine(tools: LazyText, changes: ToolChanges): LazyText {
  const base = tools instanceof EditedText ? tools.base : tools;
  if (!(base instanceof JsonNode)) return tools;
  const root = tools === base ? base : tryParse(tools.text);
  const isText = root?.isString === true;
  const node = isText ? tryParse(root.text) : root;
  if (node === undefined) return tools;
  const edited = redefineAll(node, changes);
  if (edited === node) return tools;
  const text = printed(edited, () => styleOf(node));
  return new EditedText(base, isText ? text : edited, isText ? JSON.stringify(text) : text);
}

function redefineAll(node: JsonNode, changes: ToolChanges): Json {
  const list = node.isArray ? node : node.get('tools');
  if (!list?.isArray) return node;
  const edited = patchItems(
    list,
    list.items().map((entry): Json => {
      const key = functionsKey(entry);
      return key === undefined
        ? redefineOne(entry, changes)
        : patch(entry, {
            [key]: patchItems(
              entry.get(key)!,
              entry
                .get(key)!
                .items()
                .map((inner) => redefineOne(inner, changes)),
            ),
          });
    }),
  );
  return list === node ? edited : patch(node, { tools: edited });
}

function redefineOne(entry: JsonNode, changes: ToolChanges): Json {
  const key = WRAPPERS.find((name) => entry.get(name)?.isObject);
  const inner = key === undefined ? entry : entry.get(key)!;
  const name = inner.get('name')?.string;
  if (name === undefined || !Object.hasOwn(changes, name)) return entry;
  const edited = patch(inner, changedFields(inner, changes[name]!));
  return key === undefined ? edited : patch(entry, { [key]: edited });
}

function changedFields(inner: JsonNode, { description, parameters = {} }: ToolChange): JsonFields {
  const fields: { [key: string]: Json } = description === undefined ? {} : { description };
  const key = SCHEMAS.find((name) => inner.get(name)?.isObject);
  if (key === undefined) return fields;
  const holder = inner.get(key)!;
  const schema = holder.get('json') ?? holder; // Bedrock's
  const old = schema.get('properties');
  const changed = Object.entries(parameters).filter(
    ([name, value]) => old?.get(name) === undefined || !isSame(old.get(name)!.toJSON(), value),
  ) as [string, Json][];
  if (changed.length === 0) return fields;
  const properties = old === undefined ? Object.fromEntries(changed) : patch(old, Object.fromEntries(changed));
  const edited = patch(schema, { properties });
  return { ...fields, [key]: schema === holder ? edited : patch(holder, { json: edited }) };
}

/** Whether two JSON values are equal, in any order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

/** The key of the function list inside a Gemini tool. */
function functionsKey(entry: JsonNode): string | undefined {
  return ['functionDeclarations', 'function_declarations'].find((key) => entry.get(key)?.isArray);
}

function declarations(entry: JsonNode): JsonNode[] {
  const key = functionsKey(entry);
  return key === undefined ? [entry] : entry.get(key)!.items();
}

const WRAPPERS = ['function', 'toolSpec'];

const SCHEMAS = commaList(`
  parameters, parametersJsonSchema, parameters_json_schema, input_schema, inputSchema, parameter_definitions
`);

function readTool(entry: JsonNode): ToolDefinition | undefined {
  const inner = WRAPPERS.map((key) => entry.get(key)).find((found) => found?.isObject) ?? entry;
  const name = inner.get('name')?.string;
  const schema = SCHEMAS.map((key) => inner.get(key)).find((found) => found?.isObject);
  const isFunction = inner !== entry || schema !== undefined || entry.get('type') === undefined;
  if (name === undefined || !isFunction) return undefined;
  return {
    name,
    description: inner.get('description')?.string,
    parameters: schema?.get('json') ?? schema ?? { type: 'object', properties: {} },
  };
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
