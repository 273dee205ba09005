/** The request beside its messages: its model, its tool definitions, and fixes of its own fields. */

import type { Safety } from '../../findings.js';
import { table } from '../../formats/shared/table.js';
import type { Json, JsonFields } from '../../json/edit.js';
import { patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { type Addition, replaceWithin } from '../../json/replace.js';
import { styleOf } from '../../json/style.js';
import type { Transcript } from '../../transcript/types.js';
import type { Fix, Problem, RuleContext } from '../rule.js';
import { withDefinitions } from './defined-tools.js';
import { bodyOf } from './own-format.js';

/** A tool in a request. */
export interface ToolEntry {
  /** Its path as APIs write it: `tools[0].function`. */
  readonly path: string;
  /** The list that holds it, and the object around that. */
  readonly list: JsonNode;
  readonly holder: JsonNode;
  readonly key: string;
  /** The element of the list. */
  readonly entry: JsonNode;
  /** The object with name and schema. */
  readonly inner: JsonNode;
  readonly name: string | undefined;
  /** The path of the schema of its arguments; undefined for a tool that has none. */
  readonly schema: string | undefined;
}

/** The members that hold a tool's name and schema in each format, by the tool's type. */
interface ToolShape {
  readonly inner?: string;
  readonly schema?: string;
}
const NO_TYPE = '';
const SHAPES = table<Readonly<Record<string, ToolShape>>>({
  'openai-chat': { function: { inner: 'function', schema: 'parameters' }, custom: { inner: 'custom' } },
  'openai-responses': { function: { schema: 'parameters' }, custom: {} },
  'anthropic-messages': { [NO_TYPE]: { schema: 'input_schema' }, custom: { schema: 'input_schema' } },
  'gemini-contents': { [NO_TYPE]: { schema: 'parameters' } },
  'bedrock-converse': { [NO_TYPE]: { inner: 'toolSpec', schema: 'inputSchema.json' } },
});
const DECLARATIONS = ['functionDeclarations', 'function_declarations'];

/** The tools that a request defines; none for providers whose shape is not known here. */
export function toolsOf({ provider: { format } }: RuleContext, body: JsonNode): ToolEntry[] {
  const shapes = SHAPES[format];
  const holder = format === 'bedrock-converse' ? body.get('toolConfig') : body;
  const tools = holder?.get('tools');
  if (shapes === undefined || holder === undefined || !tools?.isArray) return [];
  if (format !== 'gemini-contents')
    return entriesIn(holder, 'tools', holder === body ? 'tools' : 'toolConfig.tools', shapes);
  return tools.items().flatMap((tool, index) => {
    const key = DECLARATIONS.find((name) => tool.get(name)?.isArray);
    return key === undefined ? [] : entriesIn(tool, key, `tools[${index}].function_declarations`, shapes);
  });
}

function entriesIn(holder: JsonNode, key: string, path: string, shapes: Readonly<Record<string, ToolShape>>) {
  const list = holder.get(key)!;
  return list.items().map((entry, index): ToolEntry => {
    const { inner: member, schema } = shapes[entry.get('type')?.string ?? NO_TYPE] ?? {};
    const inner = (member === undefined ? undefined : entry.get(member)) ?? entry;
    const at = member === undefined ? `${path}[${index}]` : `${path}[${index}].${member}`;
    return { path: at, list, holder, key, entry, inner, name: inner.get('name')?.string, schema };
  });
}

/** Removes elements of a list of tools. */
export function withoutTools({ holder, key, list }: ToolEntry, removed: ReadonlySet<JsonNode>): Addition {
  return {
    holder,
    key,
    value: patchItems(
      list,
      list.items().filter((item) => ![...removed].some((one) => one.is(item))),
    ),
  };
}

/** The model of the request, without the name of a vendor before it. */
export function modelOf({ transcript }: RuleContext, body: JsonNode): string {
  const name = body.get('model')?.string ?? transcript.model ?? '';
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}

/** The value at a path of keys; null counts as missing. */
export function valueAt(node: JsonNode | undefined, path: string): JsonNode | undefined {
  const found = path.split('.').reduce((at, key) => at?.get(key), node);
  return found?.isNull ? undefined : found;
}

/** Changes members of one object; undefined removes one. */
export function changeOf(holder: JsonNode, fields: JsonFields): Addition[] {
  return Object.entries(fields).map(([key, value]) => ({ holder, key, value }));
}

/** A fix that makes the changes that the problems name. */
export function bodyFix(safety: Safety, summary: string): Fix {
  return { safety, summary, reaches: changesBody, apply: withChanges };
}

export function changesBody({ transcript: { body } }: RuleContext, { changes }: Problem): boolean {
  return body !== undefined && changes !== undefined;
}

/** Changes each definition of Bedrock's, in the body where it can be written back; undefined removes it. */
export function withToolSpecs(
  context: RuleContext,
  change: (definition: JsonNode, index: number) => Json | undefined,
  choose: (tool: string) => string = (tool) => tool,
): Transcript {
  const holder = context.transcript.body === undefined ? undefined : bodyOf(context)?.get('toolConfig');
  const list = holder?.get('tools');
  if (holder === undefined || !list?.isArray) return withDefinitions(context.transcript, change);
  const kept = list
    .items()
    .map(change)
    .filter((item) => item !== undefined);
  const chosen = valueAt(holder, 'toolChoice.tool');
  const name = chosen?.get('name')?.string;
  const changes = [
    ...changeOf(holder, { tools: patchItems(list, kept) }),
    ...(name === undefined || choose(name) === name ? [] : changeOf(chosen!, { name: choose(name) })),
  ];
  return withChanges(context, [{ message: undefined, text: '', changes }]);
}

export function withChanges(context: RuleContext, problems: readonly Problem[]): Transcript {
  const { transcript } = context;
  const body = bodyOf(context);
  const changes = problems.flatMap((problem) => problem.changes ?? []);
  if (body === undefined || changes.length === 0) return transcript;
  const written = reparsed(replaceWithin(body, [], changes), () => styleOf(body));
  const held = written.get('tools') ?? written.get('functions') ?? written.get('toolConfig')?.get('tools');
  const tools = transcript.tools === undefined ? undefined : held;
  return { ...transcript, tools, body: { read: transcript.body?.read ?? body, written } };
}
