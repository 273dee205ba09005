/**
 * A check of a value against a JSON Schema: the keywords that tool definitions use. What it does not know, it lets pass.
 * https://json-schema.org/draft/2020-12/json-schema-validation
 */
import { canonical } from './canonical.js';

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with the value, with its path; undefined where nothing is. */
export function complaint(value: unknown, schema: unknown, root: unknown = schema, path = ''): string | undefined {
  if (schema === false) return `${at(path)} may not be there`;
  if (typeof schema !== 'object' || schema === null) return undefined;
  const rules = schema as Schema;
  const target = typeof rules['$ref'] === 'string' ? resolved(rules['$ref'], root) : undefined;
  if (target !== undefined && target !== schema) {
    const wrong = complaint(value, target, root, path);
    if (wrong !== undefined) return wrong;
  }
  return (
    ofValue(value, rules, path) ??
    ofNumber(value, rules, path) ??
    ofText(value, rules, path) ??
    ofArray(value, rules, root, path) ??
    ofObject(value, rules, root, path) ??
    ofOthers(value, rules, root, path)
  );
}

function ofValue(value: unknown, { type, enum: among, const: only }: Schema, path: string): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOf(value, name)))
    return `${at(path)} is ${typeOf(value)}, not ${types.join(' or ')}`;
  if (Array.isArray(among) && !among.some((item) => isSame(item, value)))
    return `${at(path)} is ${JSON.stringify(value)}, not one of ${among.map((item) => JSON.stringify(item)).join(', ')}`;
  return only !== undefined && !isSame(only, value) ? `${at(path)} is not ${JSON.stringify(only)}` : undefined;
}

function ofNumber(
  value: unknown,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema,
  path: string,
): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (typeof minimum === 'number' && value < minimum) return `${at(path)} is less than ${minimum}`;
  if (typeof maximum === 'number' && value > maximum) return `${at(path)} is more than ${maximum}`;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `${at(path)} is not more than ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `${at(path)} is not less than ${exclusiveMaximum}`;
  const times = typeof multipleOf === 'number' ? value / multipleOf : 0;
  return Math.abs(times - Math.round(times)) > 1e-9 ? `${at(path)} is no multiple of ${multipleOf}` : undefined;
}

function ofText(value: unknown, { minLength, maxLength, pattern }: Schema, path: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { length } = [...value];
  if (typeof minLength === 'number' && length < minLength) return `${at(path)} is shorter than ${minLength}`;
  if (typeof maxLength === 'number' && length > maxLength) return `${at(path)} is longer than ${maxLength}`;
  return typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)
    ? `${at(path)} does not match ${pattern}`
    : undefined;
}

function ofArray(
  value: unknown,
  { items, prefixItems, minItems, maxItems, uniqueItems }: Schema,
  root: unknown,
  path: string,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (typeof minItems === 'number' && value.length < minItems) return `${at(path)} has fewer than ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `${at(path)} has more than ${maxItems} items`;
  if (uniqueItems === true && new Set(value.map((item) => canonical(item))).size < value.length)
    return `${at(path)} has an item twice`;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  return firstOf(value.map((item, index) => () => complaint(item, first[index] ?? items, root, `${path}[${index}]`)));
}

function ofObject(
  value: unknown,
  { properties, required, additionalProperties, patternProperties, minProperties, maxProperties }: Schema,
  root: unknown,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value);
  const missing = Array.isArray(required) ? required.find((name) => !Object.hasOwn(value, String(name))) : undefined;
  if (missing !== undefined) return `${at(inside(path, String(missing)))} is missing`;
  if (typeof minProperties === 'number' && names.length < minProperties)
    return `${at(path)} has fewer than ${minProperties} members`;
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    return `${at(path)} has more than ${maxProperties} members`;
  const known = (properties ?? {}) as Schema;
  const patterns = Object.entries((patternProperties ?? {}) as Schema);
  return firstOf(
    names.map((name) => () => {
      const schemas = [
        ...(Object.hasOwn(known, name) ? [known[name]] : []),
        ...patterns.flatMap(([pattern, schema]) => (new RegExp(pattern, 'u').test(name) ? [schema] : [])),
      ];
      const all = schemas.length === 0 ? [additionalProperties] : schemas;
      return firstOf(
        all.map(
          (schema) => () =>
            schema === false
              ? `${at(inside(path, name))} is not known`
              : complaint((value as Schema)[name], schema, root, inside(path, name)),
        ),
      );
    }),
  );
}

function ofOthers(
  value: unknown,
  { allOf, anyOf, oneOf, not }: Schema,
  root: unknown,
  path: string,
): string | undefined {
  const check = (schema: unknown) => complaint(value, schema, root, path);
  if (Array.isArray(allOf)) {
    const wrong = firstOf(allOf.map((schema) => () => check(schema)));
    if (wrong !== undefined) return wrong;
  }
  if (Array.isArray(anyOf) && anyOf.every((schema) => check(schema) !== undefined)) return check(anyOf[0]);
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter((schema) => check(schema) === undefined).length;
    if (fitting !== 1) return fitting === 0 ? check(oneOf[0]) : `${at(path)} fits ${fitting} of the schemas, not one`;
  }
  return not !== undefined && check(not) === undefined ? `${at(path)} is what it may not be` : undefined;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const wrong = check();
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** `#/$defs/name`: what stands there in the same schema. */
function resolved(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  const keys = ref.slice(1).split('/').slice(1);
  return keys.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null
        ? (node as Schema)[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')]
        : undefined,
    root,
  );
}

function isOf(value: unknown, type: unknown): boolean {
  const own = typeOf(value);
  return own === type || (type === 'integer' && Number.isInteger(value)) || (type === 'number' && own === 'number');
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function at(path: string): string {
  return path === '' ? 'the whole' : `\`${path}\``;
}
