/** The shape of a JSON document, from what command lines print: its keys, and the types of their values. */
import { stdoutOf } from './output.js';

/**
 * `lines`: command lines; an indented line continues the one before it. `?` marks keys that not all objects of the same
 * list have.
 */
export function shapeOf(lines: string): string {
  const commandLines = lines.trim().replace(/\n +/g, ' ').split('\n');
  const documents = commandLines.map((line): unknown => JSON.parse(stdoutOf(line)));
  return `\`\`\`ts\n${typeOf(documents, '')}\n\`\`\`\n`;
}

/** Objects below this many levels are not described: in the documents, they are examples. */
const LEVELS = 3;
const INDENT = '  ';

/** The type that all values have in common. */
function typeOf(values: readonly unknown[], indent: string): string {
  return typesOf(values, indent).join(' | ') || 'unknown';
}

function typesOf(values: readonly unknown[], indent: string): string[] {
  const lists = values.filter((value) => Array.isArray(value));
  const objects = values.filter(isObject);
  const plain = values.filter((value) => !Array.isArray(value) && !isObject(value));
  const names = new Set(plain.map((value) => (value === null ? 'null' : typeof value)));
  return [
    ...(objects.length > 0 ? [objectType(objects, indent)] : []),
    ...(lists.length > 0 ? [listType(lists.flat(), indent)] : []),
    ...[...names].sort((a, b) => Number(a === 'null') - Number(b === 'null')),
  ];
}

function objectType(objects: readonly Readonly<Record<string, unknown>>[], indent: string): string {
  if (indent.length >= LEVELS * INDENT.length) return 'object';
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const fields = keys.map((key) => {
    const holders = objects.filter((object) => Object.hasOwn(object, key));
    const mark = holders.length < objects.length ? '?' : '';
    const values = holders.map((object) => object[key]);
    return `${indent}${INDENT}${key}${mark}: ${typeOf(values, indent + INDENT)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function listType(items: readonly unknown[], indent: string): string {
  const types = typesOf(items, indent);
  return types.length > 1 ? `(${types.join(' | ')})[]` : `${types[0] ?? 'unknown'}[]`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
