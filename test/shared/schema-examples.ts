/** Values that a JSON Schema takes: one for each alternative that it names, at whatever depth. */
import type { Json } from './schema-mutations.js';

export interface Schema {
  readonly $ref?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly [key: string]: unknown;
}

const DEEPEST = 5;

/** The first value is the simplest one; each other differs from it in one alternative. `root` has the definitions. */
export function valuesOf(schema: Schema, root: Schema, depth = 0): readonly Json[] {
  if (schema.$ref !== undefined) return valuesOf(referredBy(schema.$ref, root), root, depth);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.flatMap((one) => valuesOf(one, root, depth));
  if (schema.allOf !== undefined) return valuesOf(schema.allOf[0]!, root, depth);
  switch (schema.properties === undefined ? [schema.type].flat()[0] : 'object') {
    case 'object':
      return objectsOf(schema, root, depth);
    case 'array':
      return depth > DEEPEST ? [[]] : valuesOf(schema.items ?? {}, root, depth + 1).map((item) => [item]);
    case 'string':
      return [schema.format === 'uri' ? 'https://example.org/a' : 'x'];
    case 'integer':
    case 'number':
      return [1];
    case 'boolean':
      return [true];
    case 'null':
      return [null];
    default:
      return [{}];
  }
}

/** With the members that it must have, and then with each of the others. */
function objectsOf({ properties = {}, required = [] }: Schema, root: Schema, depth: number): readonly Json[] {
  const choices = Object.entries(properties).map(
    ([key, member]) =>
      [key, depth > DEEPEST && !required.includes(key) ? [] : valuesOf(member, root, depth + 1)] as const,
  );
  const plain = Object.fromEntries(
    choices.flatMap(([key, [first]]) => (required.includes(key) ? [[key, first!]] : [])),
  );
  return [
    plain,
    ...choices.flatMap(([key, values]) =>
      (required.includes(key) ? values.slice(1) : values).map((value) => ({ ...plain, [key]: value })),
    ),
  ];
}

function referredBy(reference: string, root: Schema): Schema {
  const keys = reference.slice(reference.indexOf('#') + 2).split('/');
  return keys.reduce((at, key) => at[decodeURIComponent(key)] as Schema, root);
}
