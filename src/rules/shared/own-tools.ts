/** The tools that a record defines, and what their schemas refuse. */
import { readTools, type ToolList } from '../../formats/shared/tools.js';
import { JsonNode } from '../../json/node.js';
import { complaint, type Matches } from '../../json-schema/complaint.js';
import type { Message, Transcript } from '../../transcript/types.js';

export interface DefinedTools {
  /** All that can be called by name. */
  readonly names: ReadonlySet<string>;
  /** An entry brings tools that are not listed. */
  readonly isOpen: boolean;
  /** What the tool's schema refuses of arguments; undefined for nothing, or for a tool without a schema. */
  refuses(tool: string, args: unknown): string | undefined;
}

/** Undefined where no definition is recorded. */
export function definedTools({ tools, messages }: Transcript): DefinedTools | undefined {
  if (tools === undefined) return undefined;
  const listed = listedTools(tools.text);
  return listed.names.size === 0 ? undefined : { ...listed, isOpen: listed.isOpen || messages.some(bringsTools) };
}

/** By what was read of a list of tools. */
const known = new WeakMap<ToolList, DefinedTools>();

function listedTools(text: string): DefinedTools {
  const list = readTools(text);
  const listed = known.get(list) ?? definedBy(list);
  known.set(list, listed);
  return listed;
}

/** Each schema is read once, when it is first needed. */
function definedBy({ definitions, customs, others, isOpen }: ToolList): DefinedTools {
  const names = new Set([...definitions, ...customs].map(({ name }) => name).concat(others));
  const given = new Map(definitions.map(({ name, parameters }) => [name, parameters]));
  const schemas = new Map<string, unknown>();
  const schemaOf = (tool: string) => {
    if (!schemas.has(tool)) schemas.set(tool, readable(plain(given.get(tool))));
    return schemas.get(tool);
  };
  return {
    names,
    isOpen,
    refuses: (tool, args) => (args === undefined ? undefined : complaint(args, schemaOf(tool), matches)),
  };
}

/** A framework's own search for tools that are not loaded: pydantic/pydantic-ai, `pydantic_ai.toolsets`, 2026-11 */
const SEARCH = 'search_tools';

/** Tools added on the way: OpenAI's `additional_tools` and `tool_search_output`, Anthropic's `tool_addition`. */
function bringsTools({ raw, parts }: Message): boolean {
  if (parts.some((part) => part.type === 'call' && part.tool === SEARCH)) return true;
  return [raw, ...parts.map((part) => part.raw)].some(
    (node) => node instanceof JsonNode && (node.get('tools')?.isArray || node.get('type')?.string === 'tool_addition'),
  );
}

function plain(parameters: unknown): unknown {
  return parameters instanceof JsonNode ? parameters.toJSON() : undefined;
}

/** What stands under a keyword: a value that is no schema, or schemas by name. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required']);
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);
/** What is nested deeper is not judged. */
const DEEPEST = 64;

/** A provider's schema as JSON Schema, without what is not known here: other types, strange patterns. */
function readable(schema: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return true;
  const inner = (value: unknown) => readable(value, depth + 1);
  if (Array.isArray(schema)) return schema.map(inner);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, nullable, pattern, ...others } = schema as Readonly<Record<string, unknown>>;
  const rest = withoutStrangePatterns(others);
  return {
    ...mapped(rest, (value, key) => {
      const read = DATA.has(key) ? value : BY_NAME.has(key) ? mapped(value, inner) : inner(value);
      return nullable === true ? withNull(read, key) : read;
    }),
    ...typeField(type, nullable),
    ...(typeof pattern === 'string' && isPattern(pattern) ? { pattern } : {}),
  };
}

/** OpenAPI's `nullable`, which Gemini's schemas have, allows null beside the values and the alternatives, too. */
function withNull(value: unknown, key: string): unknown {
  const added = key === 'enum' ? null : key === 'anyOf' || key === 'oneOf' ? { type: ['null'] } : undefined;
  return added !== undefined && Array.isArray(value) ? [...(value as unknown[]), added] : value;
}

/** Gemini writes types in capitals; a type that JSON Schema does not have says nothing. */
function typeField(type: unknown, nullable: unknown): object {
  const types = [type ?? []].flat().map((name) => String(name).toLowerCase());
  if (types.length === 0 || !types.every((name) => TYPES.has(name))) return {};
  return { type: nullable === true ? [...types, 'null'] : types };
}

/**
 * Whether no text makes the pattern slow: it is anchored, has no groups, and at most one repetition of open length.
 * Others say nothing here: a library that matches all in linear time would double what `check` loads.
 */
function isPattern(source: string): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]])*\]|\{\d+\}/gsu, 'x');
  return /^\^[^()|]*$/s.test(bare) && (bare.match(/[*+?{]/g) ?? []).length <= 1 && regExpOf(source) !== undefined;
}

const matches: Matches = (pattern, text) => regExpOf(pattern)!.test(text);

function regExpOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined; // of another dialect
  }
}

/** Which names such a pattern allows is not known, nor which are additional. */
function withoutStrangePatterns(schema: Readonly<Record<string, unknown>>): typeof schema {
  const { patternProperties, additionalProperties: _, ...rest } = schema;
  return Object.keys(patternProperties ?? {}).every(isPattern) ? schema : rest;
}

function mapped(value: unknown, change: (value: unknown, key: string) => unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, key)]));
}
