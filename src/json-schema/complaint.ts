/**
 * A check of a value against a JSON Schema: the keywords that tool definitions use. What it does not know, it lets
 * pass.
 * https://json-schema.org/draft/2020-12/json-schema-validation
 */
import { pathText } from '../errors.js';
import { canonicalValue } from '../json/canonical.js';

type Schema = Readonly<Record<string, unknown>>;

/** No tool takes arguments that are nested deeper; a schema that refers to itself would go as deep as they are. */
const DEEPEST = 256;

/** Whether a text matches the pattern of a schema. The caller brings it: it decides whose patterns it trusts. */
export type Matches = (pattern: string, text: string) => boolean;

/**
 * What is known of a check: what was found of a value, by the schema and the value's path, so that nothing is looked
 * at twice.
 */
interface Check {
  readonly root: unknown;
  readonly matches: Matches;
  readonly found: Map<unknown, Map<string, string | undefined>>;
  depth: number;
}

/** What is wrong with the value, with its path; undefined where nothing is. Throws what `matches` throws. */
export function complaint(value: unknown, schema: unknown, matches: Matches): string | undefined {
  return complaintAt(value, schema, { root: schema, matches, found: new Map(), depth: 0 }, '');
}

function complaintAt(value: unknown, schema: unknown, check: Check, path: string): string | undefined {
  if (schema === false) return `${at(path)} is not allowed`;
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (check.depth > DEEPEST) return `${at(path)} is nested too deeply to check`;
  const found = check.found.get(schema) ?? new Map<string, string | undefined>();
  check.found.set(schema, found);
  if (found.has(path)) return found.get(path);
  found.set(path, undefined);
  check.depth++;
  const wrong = ofSchema(value, schema as Schema, check, path);
  check.depth--;
  found.set(path, wrong);
  return wrong;
}

function ofSchema(value: unknown, rules: Schema, check: Check, path: string): string | undefined {
  const target = typeof rules['$ref'] === 'string' ? targetOf(rules['$ref'], check.root) : undefined;
  if (target !== undefined) {
    const wrong = complaintAt(value, target, check, path);
    if (wrong !== undefined) return wrong;
  }
  return (
    ofValue(value, rules, path) ??
    ofNumber(value, rules, path) ??
    ofText(value, rules, check, path) ??
    ofArray(value, rules, check, path) ??
    ofObject(value, rules, check, path) ??
    ofOthers(value, rules, check, path)
  );
}

function ofValue(value: unknown, { type, enum: among, const: only }: Schema, path: string): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOf(value, name)))
    return `${at(path)} is ${typeOf(value)}, not ${types.join(' or ')}`;
  const own = Array.isArray(among) || only !== undefined ? canonicalValue(value) : '';
  if (Array.isArray(among) && !among.some((item) => canonicalValue(item) === own))
    return (
      `${at(path)} is ${JSON.stringify(value)}, not one of ` + `${among.map((item) => JSON.stringify(item)).join(', ')}`
    );
  return only !== undefined && canonicalValue(only) !== own ? `${at(path)} is not ${JSON.stringify(only)}` : undefined;
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
  return Math.abs(times - Math.round(times)) > 1e-9 ? `${at(path)} is not a multiple of ${multipleOf}` : undefined;
}

function ofText(
  value: unknown,
  { minLength, maxLength, pattern }: Schema,
  { matches }: Check,
  path: string,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  const { length } = [...value];
  if (typeof minLength === 'number' && length < minLength) return `${at(path)} is shorter than ${minLength}`;
  if (typeof maxLength === 'number' && length > maxLength) return `${at(path)} is longer than ${maxLength}`;
  return typeof pattern === 'string' && !matches(pattern, value) ? `${at(path)} does not match ${pattern}` : undefined;
}

function ofArray(
  value: unknown,
  { items, prefixItems, minItems, maxItems, uniqueItems }: Schema,
  check: Check,
  path: string,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  if (typeof minItems === 'number' && value.length < minItems) return `${at(path)} has fewer than ${minItems} items`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `${at(path)} has more than ${maxItems} items`;
  if (uniqueItems === true && new Set(value.map((item) => canonicalValue(item))).size < value.length)
    return `${at(path)} has a duplicate item`;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  return firstOf(
    value.map((item, index) => () => complaintAt(item, first[index] ?? items, check, `${path}[${index}]`)),
  );
}

function ofObject(
  value: unknown,
  { properties, required, additionalProperties, patternProperties, minProperties, maxProperties }: Schema,
  check: Check,
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
        ...patterns.flatMap(([pattern, schema]) => (check.matches(pattern, name) ? [schema] : [])),
      ];
      const all = schemas.length === 0 ? [additionalProperties] : schemas;
      return firstOf(
        all.map(
          (schema) => () =>
            schema === false
              ? `${at(inside(path, name))} is unknown`
              : complaintAt((value as Schema)[name], schema, check, inside(path, name)),
        ),
      );
    }),
  );
}

function ofOthers(
  value: unknown,
  { allOf, anyOf, oneOf, not }: Schema,
  check: Check,
  path: string,
): string | undefined {
  const wrongBy = (schema: unknown) => complaintAt(value, schema, check, path);
  if (Array.isArray(allOf)) {
    const wrong = firstOf(allOf.map((schema) => () => wrongBy(schema)));
    if (wrong !== undefined) return wrong;
  }
  if (Array.isArray(anyOf) && anyOf.every((schema) => wrongBy(schema) !== undefined)) return wrongBy(anyOf[0]);
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter((schema) => wrongBy(schema) === undefined).length;
    if (fitting !== 1)
      return fitting === 0 ? wrongBy(oneOf[0]) : `${at(path)} matches ${fitting} of the schemas, not exactly one`;
  }
  return not !== undefined && wrongBy(not) === undefined
    ? `${at(path)} matches a schema that it must not match`
    : undefined;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const wrong = check();
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/**
 * `#/$defs/name`: what stands there in the same schema; undefined for a reference that is not there, or that cannot
 * be read.
 */
export function targetOf(ref: string, root: unknown): unknown {
  return ref.startsWith('#')
    ? keysOf(ref)?.reduce<unknown>(
        (node, key) =>
          typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as Schema)[key] : undefined,
        root,
      )
    : undefined;
}

/** The path that a reference of the same schema stands for; undefined for one that cannot be read. */
export function keysOf(ref: string): string[] | undefined {
  const keys = ref.slice(1).split('/').slice(1);
  try {
    return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

function isOf(value: unknown, type: unknown): boolean {
  const own = typeOf(value);
  return own === type || (type === 'integer' && Number.isInteger(value)) || (type === 'number' && own === 'number');
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** No two values have the same path: names that would be read as several are quoted. */
function inside(path: string, name: string): string {
  const step = name === '' ? '[""]' : pathText([name]);
  return path === '' || step.startsWith('[') ? path + step : `${path}.${step}`;
}

function at(path: string): string {
  return path === '' ? 'the value' : `\`${path}\``;
}
