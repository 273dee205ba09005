/** The columns of a Parquet file as a tree: lists, maps and structs, with values at the leaves. */
import type { SchemaElement } from 'hyparquet';
import { TranscriptError } from '../../errors.js';
import { type LeafType, leafTypeOf, PLAIN_TYPES } from './leaves.js';

/** How what a file calls a column looks as JSON. */
export type Column =
  | { readonly kind: 'leaf'; readonly name: string; readonly type: LeafType; readonly element: SchemaElement }
  /** `within`: the member of a struct that holds it, in an old form of lists. */
  | { readonly kind: 'list'; readonly name: string; readonly item: Column; readonly within?: string }
  /** `within`: the member that holds the entries, each with a key and a value. */
  | MapColumn
  | { readonly kind: 'struct'; readonly name: string; readonly members: readonly Column[] };

export interface MapColumn {
  readonly kind: 'map';
  readonly name: string;
  readonly within: string;
  readonly key: Column;
  readonly value: Column;
}

export interface Columns {
  readonly all: readonly Column[];
  /** The schema for decoding: leaves without a meaning, so that they stay as they are stored. */
  readonly stored: readonly SchemaElement[];
  /** The same for encoding, where texts are texts. */
  readonly written: readonly SchemaElement[];
  /** What of it cannot be written as it was read. */
  readonly unwritable: string | undefined;
}

/** Throws TranscriptError for names that cannot be told apart. */
export function columnsOf(schema: readonly SchemaElement[]): Columns {
  const reading: Reading = { schema, at: 0, paths: new Set(), unwritable: undefined };
  const all = childrenOf(reading, []);
  const { unwritable } = reading;
  return { all, stored: schema.map(stored), written: schema.map(written), unwritable };
}

interface Reading {
  readonly schema: readonly SchemaElement[];
  /** The next element. */
  at: number;
  readonly paths: Set<string>;
  unwritable: string | undefined;
}

/** `isWrapped`: a list or map repeats its one child. */
function childrenOf(reading: Reading, path: readonly string[], isWrapped = false): Column[] {
  const { num_children: count = 0 } = reading.schema[reading.at++]!;
  if (path.length > DEEPEST || count > reading.schema.length) throw broken('its columns are nested too deeply');
  return Array.from({ length: count }, () => columnAt(reading, path, isWrapped));
}

/** No data is nested so deeply. */
const DEEPEST = 100;

function columnAt(reading: Reading, outer: readonly string[], isWrapped: boolean): Column {
  const element = reading.schema[reading.at];
  if (element === undefined) throw broken('its schema ends too early');
  const { name } = element;
  const path = [...outer, name];
  const key = path.join('.');
  if (name === '__proto__' || reading.paths.has(key)) throw broken(`its column \`${key}\` cannot be told apart`);
  reading.paths.add(key);
  const item = element.type === undefined ? groupAt(reading, element, path) : leafAt(reading, element, path);
  if (isWrapped || element.repetition_type !== 'REPEATED') return item;
  refuse(reading, path, 'is repeated without being a list');
  return { kind: 'list', name, item };
}

function leafAt(reading: Reading, element: SchemaElement, path: readonly string[]): Column {
  reading.at++;
  const type = leafTypeOf(element);
  if (type === 'int96') refuse(reading, path, 'is INT96, an old form of timestamps');
  return { kind: 'leaf', name: element.name, type, element };
}

function groupAt(reading: Reading, element: SchemaElement, path: readonly string[]): Column {
  const { name } = element;
  const isWrapped =
    element.num_children === 1 &&
    reading.schema[reading.at + 1]?.repetition_type === 'REPEATED' &&
    (isList(element) || isMap(element));
  const members = childrenOf(reading, path, isWrapped);
  if (members.length === 0) throw broken(`its column \`${path.join('.')}\` has no values`);
  if (element.logical_type?.type === 'VARIANT') refuse(reading, path, 'is a VARIANT');
  return isWrapped ? wrapped(reading, element, path, members[0]!) : { kind: 'struct', name, members };
}

function wrapped(reading: Reading, element: SchemaElement, path: readonly string[], only: Column): Column {
  const { name } = element;
  const members = only.kind === 'struct' ? only.members : [];
  const [key, value] = members;
  if (isMap(element) && members.length === 2 && key!.name === 'key' && value!.name === 'value')
    return { kind: 'map', name, within: only.name, key: key!, value: value! };
  if (isList(element) && members.length <= 1) return { kind: 'list', name, item: members[0] ?? only };
  refuse(reading, path, 'is a list or map of an old form');
  return { kind: 'list', name, item: only, within: only.name };
}

function refuse(reading: Reading, path: readonly string[], why: string): void {
  reading.unwritable ??= `its column \`${path.join('.')}\` ${why}`;
}

export function broken(why: string): TranscriptError {
  return new TranscriptError('file', `the Parquet file cannot be read: ${why}`);
}

const isList = ({ converted_type, logical_type }: SchemaElement) =>
  converted_type === 'LIST' || (converted_type === undefined && logical_type?.type === 'LIST');
const isMap = ({ converted_type, logical_type }: SchemaElement) =>
  converted_type === 'MAP' || converted_type === 'MAP_KEY_VALUE' || logical_type?.type === 'MAP';

/** Lists are put together by the library, maps by us: objects of JavaScript cannot hold every key in order. */
function stored(element: SchemaElement): SchemaElement {
  const { converted_type: _, logical_type: __, ...rest } = element;
  return element.type === undefined && isList(element) ? { ...rest, converted_type: 'LIST' } : rest;
}

function written(element: SchemaElement): SchemaElement {
  const { converted_type: _, logical_type: __, ...rest } = element;
  if (element.type === undefined)
    return isList(element)
      ? { ...rest, converted_type: 'LIST' }
      : isMap(element)
        ? { ...rest, converted_type: 'MAP' }
        : rest;
  return leafTypeOf(element) === 'text' ? { ...rest, converted_type: 'UTF8' } : rest;
}

/** Whether the least and the greatest value of each leaf are told by the stored values. */
export function hasPlainOrder(column: Column): boolean {
  if (column.kind === 'leaf') return PLAIN_TYPES.has(column.type);
  if (column.kind === 'list') return hasPlainOrder(column.item);
  if (column.kind === 'map') return hasPlainOrder(column.key) && hasPlainOrder(column.value);
  return column.members.every(hasPlainOrder);
}
