/** Rows of Parquet as JSON and back. */
import type { JsonNode } from '../../json/node.js';
import type { Column, MapColumn } from './columns.js';
import { leafJson, storedLeaf } from './leaves.js';

/**
 * Members without a value are left out: where rows share one type, each message has the keys of all. A content that is
 * null stays, because APIs ask for it.
 */
const KEPT = 'content';

/** A row as an object on one line. */
export function rowJson(columns: readonly Column[], values: readonly unknown[]): string {
  const members = columns.map((column, index) => `${JSON.stringify(column.name)}:${jsonOf(column, values[index])}`);
  return `{${members.join(',')}}`;
}

function jsonOf(column: Column, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (column.kind === 'leaf') return leafJson(column.type, column.element, value);
  if (column.kind === 'struct') return structJson(column.members, value as Record<string, unknown>);
  const inner = column.within === undefined ? value : (value as Record<string, unknown>)[column.within];
  if (inner === null || inner === undefined) return 'null';
  if (column.kind === 'map') return mapJson(column, inner as readonly Entry[]);
  return `[${Array.from(inner as readonly unknown[], (item) => jsonOf(column.item, item)).join(',')}]`;
}

function structJson(columns: readonly Column[], value: Record<string, unknown>): string {
  let text = '{';
  for (const column of columns) {
    const member = value[column.name];
    if ((member === null || member === undefined) && column.name !== KEPT) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(column.name)}:${jsonOf(column, member)}`;
  }
  return `${text}}`;
}

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

/** An object if its keys are texts that differ, and a list of entries otherwise. */
function mapJson({ key, value }: MapColumn, entries: readonly Entry[]): string {
  const keys = entries.map((entry) => jsonOf(key, entry.key));
  const isObject = new Set(keys).size === keys.length && keys.every((text) => text.startsWith('"'));
  const values = entries.map((entry) => jsonOf(value, entry.value));
  if (isObject) return `{${keys.map((text, index) => `${text}:${values[index]}`).join(',')}}`;
  return `[${keys.map((text, index) => `{"key":${text},"value":${values[index]}}`).join(',')}]`;
}

// --- back

/** What does not fit into the columns. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

/** The values of a row by column. Throws Misfit. */
export function rowValues(columns: readonly Column[], row: JsonNode): unknown[] {
  const struct = structValue(columns, row, '');
  return columns.map(({ name }) => struct[name]);
}

function columnValue(column: Column, node: JsonNode | undefined, path: string): unknown {
  if (node === undefined || node.isNull) return null;
  if (column.kind === 'struct') return structValue(column.members, node, path);
  if (column.kind === 'map') return mapValue(column, node, path);
  if (column.kind === 'list') {
    if (!node.isArray) throw new Misfit(`\`${path}\` is not a list`);
    return node.items().map((item) => columnValue(column.item, item, `${path}[]`));
  }
  if (node.isString && !isWellFormed(node.text))
    throw new Misfit(`\`${path}\` has half of a surrogate pair, which is no character of UTF-8`);
  const value = storedLeaf(column.type, column.element, node);
  if (value === undefined) throw new Misfit(`\`${path}\` is no ${NAMES.get(column.type) ?? column.type}`);
  return value;
}

const NAMES = new Map([
  ['int32', 'integer of 32 bits'],
  ['int64', 'integer of 64 bits'],
  ['number', 'number that such a column holds to the last digit'],
]);

/** Whether each surrogate has its other half. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function structValue(columns: readonly Column[], node: JsonNode, path: string): Record<string, unknown> {
  if (!node.isObject) throw new Misfit(`\`${path}\` is not an object`);
  const known = new Map(columns.map((column) => [column.name, column]));
  const values = new Map<string, unknown>();
  for (const { key, value } of node.members()) {
    const column = known.get(key.text);
    const inner = path === '' ? key.text : `${path}.${key.text}`;
    if (column !== undefined) values.set(column.name, columnValue(column, value, inner));
    else if (!value.isNull) throw new Misfit(`\`${inner}\` has no column`);
  }
  return Object.fromEntries(values);
}

function mapValue({ key, value }: MapColumn, node: JsonNode, path: string): Entry[] {
  if (!node.isObject && !node.isArray) throw new Misfit(`\`${path}\` is neither an object nor a list of entries`);
  const pairs = node.isObject
    ? node.members().map((member) => [member.key, member.value] as const)
    : node.items().map((item) => [item.get('key'), item.get('value')] as const);
  return pairs.map(([one, other]) => ({
    key: columnValue(key, one, path),
    value: columnValue(value, other, `${path}{}`),
  }));
}
