/** The definitions of tools beside the messages of a conversion. */
import type { CustomTool, ToolDefinition } from '../formats/encode.js';
import { renameTools } from '../formats/shared/tool-edits.js';
import { withJsonSchema } from '../formats/shared/tool-schemas.js';
import { readEntries, readTools, toolEntries } from '../formats/shared/tools.js';
import type { JsonFields } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { reparsed } from '../json/print.js';
import { DIALECTS } from '../rules/request/tool-schema.js';
import { schemaFaultsIn } from '../rules/shared/schema-dialects.js';
import type { Message, Transcript } from '../transcript/types.js';
import type { Notes } from './findings.js';
import { UNKNOWN_TOOL } from './shape.js';
import type { Target } from './targets.js';
import { renamed, type ToolNames, withNames } from './tool-names.js';

/** `isRelated`: the definitions are of the same format, and those that it takes stay as they are. */
export function toolFields(
  { tools, messages }: Transcript,
  target: Target,
  { names, isRelated }: { readonly names: ToolNames; readonly isRelated: boolean },
  notes: Notes,
): JsonFields {
  const { encode, traits, id } = target;
  const text = tools?.text ?? '[]';
  const { isOwnTool } = encode;
  const entries = isRelated && isOwnTool !== undefined ? toolEntries(text) : [];
  const kept = entries.filter((entry) => isOwnTool!(entry)).map((entry) => renameTools(entry, names));
  const { definitions, customs, others, unread } =
    kept.length === 0 ? readTools(text) : readEntries(entries.filter((entry) => !isOwnTool!(entry)));
  for (const other of others) notes.lose(`the tool \`${other}\`, which its provider runs`);
  if (unread.length > 0)
    notes.note(`what definitions of tools say beside: ${unread.map((key) => `\`${key}\``).join(', ')}`);
  if (definitions.length + customs.length > 0 && encode.tools === undefined) notes.lose('the definitions of tools');
  const named = customs.map((tool) => renamed(tool, names));
  const own = encode.customTool === undefined ? [] : named.map(encode.customTool);
  const plain = [
    ...definitions.map((tool) => withStrict(withJsonSchema(renamed(tool, names)), target, notes)),
    ...(encode.customTool === undefined ? named.map(asFunction) : []),
  ];
  if (customs.length > own.length) notes.note('that a tool takes free text: it takes an object with `arguments`');
  const isBare = plain.length + kept.length === 0;
  const needed = isBare && traits.callsNeedTools ? calledTools(withNames(messages, names)) : [];
  if (needed.length > 0)
    notes.note(`that the definitions of tools are not recorded: ${id} takes no calls without, so they are made up`);
  const all = [...plain, ...needed];
  const written = [...own, ...kept];
  return all.length + written.length === 0 ? {} : (encode.tools?.(all, written) ?? {});
}

/** APIs take a schema as strict that keeps to a part of JSON Schema, each to another one. */
function withStrict(definition: ToolDefinition, { provider, id }: Target, notes: Notes): ToolDefinition {
  const { strict, ...rest } = definition;
  if (strict !== true) return rest; // what is not strict says so where it has to
  const dialect = DIALECTS[provider?.id ?? '']?.strict;
  const { parameters } = definition;
  const schema = parameters instanceof JsonNode ? parameters : reparsed(parameters);
  if (dialect !== undefined && schemaFaultsIn(schema, dialect, 'schema').next().done) return definition;
  notes.note(`that a tool is strict: its schema is none that ${id} takes for that`);
  return rest;
}

/** As the arguments of its calls are written: the text in `arguments`. */
function asFunction({ name, description }: CustomTool): ToolDefinition {
  const parameters = { type: 'object', properties: { arguments: { type: 'string' } }, required: ['arguments'] };
  return { name, ...(description === undefined ? {} : { description }), parameters };
}

/** A definition without parameters for each tool that is called. */
function calledTools(messages: readonly Message[]): ToolDefinition[] {
  const names = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.tool || UNKNOWN_TOOL] : []))),
  );
  return [...names].map((name) => ({ name, parameters: { type: 'object', properties: {} } }));
}
