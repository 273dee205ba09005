/** Finds invalid JSON Schemas, before any arguments are checked. */

import { faultOfPattern } from '../text/pattern.js';
import { keysOf, targetOf } from './complaint.js';

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

export interface Fault {
  /** Inside the schema. */
  readonly path: Path;
  readonly message: string;
}

/**
 * Keywords by what stands under them: a schema for the same value, such schemas, or schemas for values inside of it.
 */
const SAME = ['not'];
const SAME_LISTS = ['allOf', 'anyOf', 'oneOf'];
const INNER = ['items', 'additionalProperties'];
const INNER_LISTS = ['prefixItems'];
const INNER_MAPS = ['properties', 'patternProperties'];

/** A part of a schema, and whether it is about the same value as the part around it. */
interface Part {
  readonly schema: unknown;
  readonly path: Path;
  /** Where it is named: of a reference, another place than its own. */
  readonly named: Path;
  readonly isSame: boolean;
}

/**
 * The first pattern that cannot be matched, reference that cannot be read, or schema that only comes back to itself.
 */
export function faultInSchema(root: unknown): Fault | undefined {
  const done = new Set<unknown>();
  const open = new Set<unknown>(); // those about one value that lead to where we are
  const inner: Part[] = [{ schema: root, path: [], named: [], isSame: false }];
  const walk = ({ schema, path, named }: Part): Fault | undefined => {
    if (open.has(schema)) return { path: named, message: 'this reference is circular; refer to another schema' };
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return undefined;
    done.add(schema);
    open.add(schema);
    const fault =
      faultOf(schema as Schema, path) ??
      firstOf(partsOf(schema as Schema, path, root), (part) => {
        if (part.isSame) return walk(part);
        inner.push(part);
        return undefined;
      });
    open.delete(schema);
    return fault;
  };
  for (let part = inner.pop(); part !== undefined; part = inner.pop()) {
    const fault = walk(part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf({ pattern, patternProperties, $ref: ref }: Schema, path: Path): Fault | undefined {
  const tried: readonly (readonly [key: Path, message: string | undefined])[] = [
    [['pattern'], typeof pattern === 'string' ? faultOfPattern(pattern, 'u') : undefined],
    [['$ref'], typeof ref === 'string' && keysOf(ref) === undefined ? unreadable(ref) : undefined],
    ...Object.keys((patternProperties ?? {}) as Schema).map(
      (key) => [['patternProperties', key], faultOfPattern(key, 'u')] as const,
    ),
  ];
  return firstOf(tried, ([key, message]) => (message === undefined ? undefined : { path: [...path, ...key], message }));
}

function unreadable(ref: string): string {
  return (
    `invalid reference \`${ref}\`: each \`%\` must be followed by two hexadecimal digits of UTF-8; write \`%25\` for ` +
    'a `%`'
  );
}

function partsOf(schema: Schema, path: Path, root: unknown): Part[] {
  const part = (inner: unknown, keys: Path, isSame: boolean): Part => {
    const at = [...path, ...keys];
    return { schema: inner, path: at, named: at, isSame };
  };
  const one = (key: string, isSame: boolean) => (schema[key] === undefined ? [] : [part(schema[key], [key], isSame)]);
  const list = (key: string, isSame: boolean) =>
    Array.isArray(schema[key])
      ? (schema[key] as unknown[]).map((inner, index) => part(inner, [key, index], isSame))
      : [];
  const map = (key: string) =>
    Object.entries((schema[key] ?? {}) as Schema).map(([name, inner]) => part(inner, [key, name], false));
  const { $ref: ref } = schema;
  return [
    ...(typeof ref === 'string' && ref.startsWith('#')
      ? [{ schema: targetOf(ref, root), path: keysOf(ref) ?? [], named: [...path, '$ref'], isSame: true }]
      : []),
    ...SAME.flatMap((key) => one(key, true)),
    ...SAME_LISTS.flatMap((key) => list(key, true)),
    ...INNER.flatMap((key) => one(key, false)),
    ...INNER_LISTS.flatMap((key) => list(key, false)),
    ...INNER_MAPS.flatMap(map),
  ];
}

function firstOf<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
