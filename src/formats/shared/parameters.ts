/** Parameters of a request: where an API has them, and how it spells them. Formats say it as tables. */
import type { Json } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
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
  | 'responseFormat';

export interface ParameterTable {
  /** The path of each parameter in a request; of several the first that is set is read, and the first is written. */
  readonly paths: Readonly<Partial<Record<Parameter, readonly string[]>>>;
  /** Members of a request that a conversion to the same format keeps as they are. */
  readonly own: readonly string[];
  /** The greatest temperature. */
  readonly maxTemperature?: number;
  readonly toolChoice?: Spelling<ToolChoice>;
  readonly responseFormat?: Spelling<ResponseFormat>;
}

export type ResponseFormat =
  | 'json'
  | { readonly name: string; readonly schema: Json; readonly strict?: Json | undefined };

export type Parameters = Readonly<Partial<Record<Parameter, Json>>>;

/** Reads parameters that the other table has too, in its spelling. `lost`: the paths of those that it has not. */
export function mapParameters(
  request: JsonNode,
  from: ParameterTable,
  to: ParameterTable | undefined,
): { readonly fields: ReadonlyMap<string, Json>; readonly read: readonly string[]; readonly lost: readonly string[] } {
  const fields = new Map<string, Json>();
  const read: string[] = [];
  const lost: string[] = [];
  for (const [name, paths] of Object.entries(from.paths) as [Parameter, readonly string[]][]) {
    const found = paths.find((path) => at(request, path) !== undefined && !at(request, path)!.isNull);
    if (found === undefined) continue;
    const target = to?.paths[name]?.[0];
    const value = target === undefined ? undefined : spelled(name, at(request, found)!, from, to!);
    read.push(found);
    if (value === undefined) lost.push(found);
    else fields.set(target!, value);
  }
  return { fields, read, lost };
}

function spelled(name: Parameter, node: JsonNode, from: ParameterTable, to: ParameterTable): Json | undefined {
  if (name === 'toolChoice') return choice(node, from.toolChoice, to.toolChoice);
  if (name === 'responseFormat') return choice(node, from.responseFormat, to.responseFormat);
  if (name === 'stop') return node.isString ? [node.text] : node.isArray ? node : undefined;
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
