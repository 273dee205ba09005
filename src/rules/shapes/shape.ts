/**
 * Shapes of JSON values as data, and the faults of a value by its shape. The tables describe the providers' schemas.
 */
import type { JsonKind, JsonNode } from '../../json/node.js';

/**
 * A string names the accepted kinds (`string`, `string|null`, `any`); an array lists the accepted strings. Members of
 * `fields` are required, unless their name ends with `?`. `tag` names the member that selects the shape of an object;
 * of a `union` an object has exactly one member.
 */
export type Shape =
  | string
  | readonly string[]
  | { readonly pattern: RegExp; readonly expected: string }
  | { readonly longest: number }
  | { readonly list: Shape; readonly least?: number; readonly most?: number }
  | { readonly either: readonly Shape[] }
  | { readonly tag: string; readonly of: Shapes }
  | { readonly union: Shapes }
  | FieldsShape;
export type Shapes = Readonly<Record<string, Shape>>;
export interface FieldsShape {
  readonly fields: Shapes;
  /** Other members are rejected. */
  readonly closed?: boolean;
  /** At most one of these members is allowed. */
  readonly atMostOne?: readonly string[];
}

export interface Fault {
  readonly node: JsonNode;
  /** What is wrong, with the path. */
  readonly text: string;
  /** The value is an unknown member. */
  readonly isExtra: boolean;
}

/** The differences between a value and a shape, in order. Shapes are finite, so the recursion is too. */
export function* faultsIn(node: JsonNode, shape: Shape, path: string): Generator<Fault> {
  const wrong = (text: string): Fault => ({ node, text: `${nameOf(path)} ${text}`, isExtra: false });
  if (typeof shape === 'string') {
    if (!kindsOf(shape).includes(node.kind) && shape !== 'any')
      yield wrong(`is ${KINDS[node.kind]}, not ${namesOfKinds(shape)}`);
  } else if (isStrings(shape)) {
    if (!node.isString || !shape.includes(node.text)) yield wrong(`is ${shown(node)}, not ${alternatives(shape)}`);
  } else if ('pattern' in shape) {
    if (!node.isString || !shape.pattern.test(node.text)) yield wrong(`is ${shown(node)}, not ${shape.expected}`);
  } else if ('longest' in shape) {
    if (!node.isString) yield wrong(`is ${KINDS[node.kind]}, not a string`);
    else if (node.text.length > shape.longest) yield wrong(`has more than ${shape.longest} characters`);
  } else if ('list' in shape) {
    if (!node.isArray) return yield wrong(`is ${KINDS[node.kind]}, not an array`);
    const items = node.items();
    if (items.length < (shape.least ?? 0)) yield wrong('is an empty array');
    if (items.length > (shape.most ?? Number.POSITIVE_INFINITY)) yield wrong(`has more than ${shape.most} elements`);
    for (const [index, item] of items.entries()) yield* faultsIn(item, shape.list, `${path}[${index}]`);
  } else if ('either' in shape) {
    const fit = shape.either.find((one) => kindsOf(one).includes(node.kind));
    if (fit === undefined)
      yield wrong(`is ${KINDS[node.kind]}, not ${namesOfKinds(shape.either.flatMap(kindsOf).join('|'))}`);
    else yield* faultsIn(node, fit, path);
  } else if ('tag' in shape) yield* faultsOfTagged(node, shape, path);
  else if ('union' in shape) yield* faultsOfUnion(node, shape.union, path);
  else yield* faultsOfFields(node, shape, path);
}

function* faultsOfTagged(node: JsonNode, { tag, of }: { tag: string; of: Shapes }, path: string): Generator<Fault> {
  const wrong = (text: string): Fault => ({ node, text: `${nameOf(path)} ${text}`, isExtra: false });
  if (!node.isObject) return yield wrong(`is ${KINDS[node.kind]}, not an object`);
  const value = node.get(tag);
  if (value === undefined) return yield wrong(`has no \`${tag}\``);
  const shape = value.isString && Object.hasOwn(of, value.text) ? of[value.text] : undefined;
  if (shape !== undefined) yield* faultsIn(node, shape, path);
  else {
    const text = `${nameOf(join(path, tag))} is ${shown(value)}, not ${alternatives(Object.keys(of))}`;
    yield { node: value, text, isExtra: false };
  }
}

function* faultsOfUnion(node: JsonNode, union: Shapes, path: string): Generator<Fault> {
  const wrong = (text: string): Fault => ({ node, text: `${nameOf(path)} ${text}`, isExtra: false });
  if (!node.isObject) return yield wrong(`is ${KINDS[node.kind]}, not an object`);
  const members = node.members();
  const known = members.find(({ key }) => Object.hasOwn(union, key.text));
  if (known === undefined) return yield wrong(`has none of the members ${alternatives(Object.keys(union), '')}`);
  if (members.length > 1) yield wrong(`has ${members.length} members, but only one of them is allowed`);
  yield* faultsIn(known.value, union[known.key.text]!, join(path, known.key.text));
}

function* faultsOfFields(node: JsonNode, shape: FieldsShape, path: string): Generator<Fault> {
  const wrong = (text: string): Fault => ({ node, text: `${nameOf(path)} ${text}`, isExtra: false });
  if (!node.isObject) return yield wrong(`is ${KINDS[node.kind]}, not an object`);
  const { shapes, required } = fieldsOf(shape);
  const seen = new Set<string>();
  for (const { key, value } of node.members()) {
    seen.add(key.text);
    const known = shapes.get(key.text);
    if (known !== undefined) yield* faultsIn(value, known, join(path, key.text));
    else if (shape.closed)
      yield { node: value, text: `${nameOf(path)} has no field \`${short(key.text)}\``, isExtra: true };
  }
  for (const key of required) if (!seen.has(key)) yield wrong(`has no \`${key}\``);
  const rivals = shape.atMostOne?.filter((key) => seen.has(key) && !node.get(key)!.isNull) ?? [];
  if (rivals.length > 1)
    yield wrong(`has ${rivals.map((key) => `\`${key}\``).join(' and ')}, but only one of them is allowed`);
}

/** The members of an object, and those that it must have. */
interface Fields {
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly required: readonly string[];
}
const known = new WeakMap<FieldsShape, Fields>();

export function fieldsOf(shape: FieldsShape): Fields {
  let found = known.get(shape);
  if (found === undefined) {
    const entries = Object.entries(shape.fields);
    found = {
      shapes: new Map(entries.map(([key, value]) => [key.replace(/\?$/, ''), value])),
      required: entries.flatMap(([key]) => (key.endsWith('?') ? [] : [key])),
    };
    known.set(shape, found);
  }
  return found;
}

// --- texts

const KINDS: Readonly<Record<JsonKind, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a string',
  object: 'an object',
  array: 'an array',
};

/** The kinds of values that a shape accepts. */
export function kindsOf(shape: Shape): readonly JsonKind[] {
  if (typeof shape === 'string')
    return shape === 'any' ? (Object.keys(KINDS) as JsonKind[]) : (shape.split('|') as JsonKind[]);
  if (isStrings(shape) || 'pattern' in shape || 'longest' in shape) return ['string'];
  if ('either' in shape) return shape.either.flatMap(kindsOf);
  return 'list' in shape ? ['array'] : ['object'];
}

export function isStrings(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

function namesOfKinds(kinds: string): string {
  return kinds
    .split('|')
    .map((kind) => KINDS[kind as JsonKind])
    .join(' or ');
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function nameOf(path: string): string {
  return path === '' ? 'the message' : `\`${path}\``;
}

const LONGEST_SHOWN = 40;
/** The number of alternatives that are named. */
const MOST_NAMED = 6;

function shown(node: JsonNode): string {
  return node.isString ? `\`${short(node.text)}\`` : KINDS[node.kind];
}

function short(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function alternatives(names: readonly string[], before = 'one of '): string {
  if (names.length === 1) return `\`${names[0]}\``;
  const rest = names.length > MOST_NAMED ? ', …' : '';
  return `${before}${names.slice(0, MOST_NAMED).join(', ')}${rest}`;
}
