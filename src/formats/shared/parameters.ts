/** Parameters of a request: where an API has them, and how it spells them. Formats say it as tables. */
import type { Json, JsonFields } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';

import { at, type Spelling, type ToolChoice } from './tool-choice.js';

/** Parameters that mean the same in several APIs. */
export type Parameter =
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'toolChoice'
  | 'parallelCalls'
  | 'responseFormat';

export interface ParameterTable {
  /** The path of each parameter in a request; of several the first that is set is read, and the first is written. */
  readonly paths: Readonly<Partial<Record<Parameter, readonly string[]>>>;
  /** Members of a request that a conversion to the same format keeps as they are. */
  readonly own: readonly string[];
  /** Those whose written value has members, which are set in the place of the last name of the path. */
  readonly spread?: readonly Parameter[];
  /** Whether a stop sequence of white space alone is refused. */
  readonly visibleStops?: true;
  /** The greatest temperature. */
  readonly maxTemperature?: number;
  readonly toolChoice?: Spelling<ToolChoice>;
  /** The value of `parallelCalls` that allows one call at a time. */
  readonly oneCall?: boolean;
  readonly responseFormat?: Spelling<ResponseFormat>;
}

export type ResponseFormat =
  | 'json'
  | { readonly name: string; readonly schema: Json; readonly strict?: Json | undefined };

export type Parameters = Readonly<Partial<Record<Parameter, Json>>>;

/** A parameter in the other spelling: where it stands, and where it stood. */
export interface Mapped {
  readonly path: string;
  readonly value: Json;
  readonly from: string;
}

/** Reads parameters that the other table has too, in its spelling. `lost`: the paths of those that it has not. */
export function mapParameters(
  request: JsonNode,
  from: ParameterTable,
  to: ParameterTable | undefined,
): { readonly fields: readonly Mapped[]; readonly read: readonly string[]; readonly lost: readonly string[] } {
  const fields: Mapped[] = [];
  const read: string[] = [];
  const lost: string[] = [];
  for (const [name, paths] of Object.entries(from.paths) as [Parameter, readonly string[]][]) {
    const set = paths.filter((path) => at(request, path) !== undefined && !at(request, path)!.isNull);
    const [found] = set;
    if (found === undefined) continue;
    const node = at(request, found)!;
    const target = to?.paths[name]?.[0];
    const value = target === undefined ? undefined : spelled(name, node, from, to!);
    addAll(read, from.spread?.includes(name) ? set : [found]);
    if (name === 'parallelCalls' && node.boolean === !from.oneCall) continue; // as without it
    if (value === undefined || (name === 'stop' && to!.visibleStops && stopsIn(node).some(isBlank))) lost.push(found);
    if (value === undefined) continue;
    const holder = target!.slice(0, target!.lastIndexOf('.') + 1);
    if (name === 'parallelCalls' && holder !== '' && !needChoice(fields, holder.slice(0, -1), to!, found)) continue;
    const members = to!.spread?.includes(name) ? Object.entries(value as JsonFields) : undefined;
    const written = members?.map(([key, inner]) => [holder + key, inner!] as const) ?? [[target!, value] as const];
    for (const [path, json] of written) fields.push({ path, value: json, from: found });
  }
  return { fields, read, lost };
}

/** Adds the choice of a tool in which a parameter stands, if there is none. False: no tool may be called. */
function needChoice(fields: Mapped[], path: string, { toolChoice }: ParameterTable, from: string): boolean {
  const set = fields.find((field) => field.path === path)?.value as JsonFields | undefined;
  if (set === undefined) fields.push({ path, value: toolChoice!.write('auto')!, from });
  return set?.['type'] !== 'none';
}

function stopsIn(node: JsonNode): readonly JsonNode[] {
  return node.isArray ? node.items() : [node];
}

function isBlank(stop: JsonNode): boolean {
  return stop.string?.trim() === '';
}

function spelled(name: Parameter, node: JsonNode, from: ParameterTable, to: ParameterTable): Json | undefined {
  if (name === 'toolChoice') return choice(node, from.toolChoice, to.toolChoice);
  if (name === 'parallelCalls') return node.boolean === from.oneCall ? to.oneCall : undefined;
  if (name === 'responseFormat') return choice(node, from.responseFormat, to.responseFormat);
  if (name === 'stop') {
    const stops = stopsIn(node).filter((stop) => !(to.visibleStops && isBlank(stop)));
    return stops.length > 0 && (node.isString || node.isArray) ? stops : undefined;
  }
  if (node.number === undefined) return undefined;
  if (name === 'temperature' && node.number > (to.maxTemperature ?? 2)) return undefined;
  return node;
}

function choice<Value>(node: JsonNode, from?: Spelling<Value>, to?: Spelling<Value>): Json | undefined {
  const value = from?.read(node);
  return value === undefined ? undefined : to?.write(value);
}

/** A schema alone. */
export function bareSchema(
  read: (node: JsonNode) => JsonNode | undefined,
  write: (schema: Json) => Json,
): Spelling<ResponseFormat> {
  return {
    read: (node) => {
      const schema = read(node);
      return schema === undefined ? undefined : { name: 'response', schema };
    },
    write: (value) => (value === 'json' ? undefined : write(value.schema)),
  };
}
