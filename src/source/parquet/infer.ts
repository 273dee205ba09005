/** The columns that hold rows of JSON: one type at each path, as Arrow and Parquet have it. */
import type { SchemaElement } from 'hyparquet';
import type { JsonNode } from '../../json/node.js';
import { Misfit } from './json.js';
import { int64In } from './leaves.js';

/** What stands at a path in the rows so far; `none`: only null. */
export interface Shape {
  kind: 'none' | 'boolean' | 'integer' | 'number' | 'string' | 'list' | 'struct';
  item?: Shape;
  members?: Map<string, Shape>;
}

export function createShape(): Shape {
  return { kind: 'none' };
}

/** Adds a value. Throws Misfit where the types of two rows do not go together. */
export function widen(shape: Shape, node: JsonNode, path = ''): void {
  if (node.isNull) return;
  const kind = kindOf(node);
  if (shape.kind === 'none') shape.kind = kind;
  else if (shape.kind !== kind) shape.kind = widerOf(shape.kind, kind, path);
  if (kind === 'list') {
    shape.item ??= createShape();
    for (const item of node.items()) widen(shape.item, item, `${path}[]`);
  }
  if (kind === 'struct') widenMembers(shape, node, path);
}

function widenMembers(shape: Shape, node: JsonNode, path: string): void {
  shape.members ??= new Map();
  for (const { key, value } of node.members()) {
    let member = shape.members.get(key.text);
    if (member === undefined) {
      member = createShape();
      shape.members.set(key.text, member);
    }
    widen(member, value, path === '' ? key.text : `${path}.${key.text}`);
  }
}

function kindOf(node: JsonNode): Shape['kind'] {
  if (node.isObject) return 'struct';
  if (node.isArray) return 'list';
  if (node.kind !== 'number') return node.kind === 'string' ? 'string' : 'boolean';
  return int64In(node, false) === undefined ? 'number' : 'integer';
}

function widerOf(one: Shape['kind'], other: Shape['kind'], path: string): Shape['kind'] {
  const kinds = [one, other];
  if (kinds.every((kind) => kind === 'integer' || kind === 'number')) return 'number';
  const named = (kind: Shape['kind']) => (kind === 'integer' || kind === 'string' ? NAMES[kind] : `a ${kind}`);
  throw new Misfit(
    `\`${path === '' ? 'the row' : path}\` is ${named(other)} here and ${named(one)} in a row before, ` +
      'and a column has one type',
  );
}

const NAMES = { integer: 'an integer', string: 'a text' };

/** The schema of rows of that shape: everything may be null. Throws Misfit for what Parquet has no column for. */
export function schemaOf(shape: Shape): SchemaElement[] {
  const members = [...(shape.members ?? [])];
  if (members.length === 0) throw new Misfit('there is no row with a member');
  const columns = members.flatMap(([name, member]) => elementsOf(name, member, name));
  return [{ name: 'schema', num_children: members.length }, ...columns];
}

function elementsOf(name: string, shape: Shape, path: string): SchemaElement[] {
  const base = { name, repetition_type: 'OPTIONAL' } as const;
  switch (shape.kind) {
    case 'boolean':
      return [{ ...base, type: 'BOOLEAN' }];
    case 'integer':
      return [{ ...base, type: 'INT64' }];
    case 'number':
      return [{ ...base, type: 'DOUBLE' }];
    case 'list':
      return [
        { ...base, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', shape.item!, `${path}[]`),
      ];
    case 'struct': {
      const members = [...shape.members!];
      if (members.length === 0) throw new Misfit(`\`${path}\` has no member in any row, and a column needs one`);
      const inner = members.flatMap(([key, member]) => elementsOf(key, member, `${path}.${key}`));
      return [{ ...base, num_children: members.length }, ...inner];
    }
    default:
      return [{ ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }];
  }
}
