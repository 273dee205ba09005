/** The shapes of JSON documents as TypeScript, from their schemas. */
import { documents, jsonSchemaOf } from '../../src/documents/schemas/index.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
}

const named: Readonly<Record<string, Schema>> = Object.assign(
  {},
  ...Object.keys(documents).map((name) => jsonSchemaOf(name, true)['$defs']),
);

/** `names`: separated by spaces. */
export function interfaces(names: string): string {
  return `\`\`\`ts\n${names.split(' ').map(declaration).join('\n')}\`\`\`\n`;
}

/** The documents that the library's functions return. */
const RETURNED = ['StatsReport', 'CacheReport', 'DiffReport', 'SimulationReport'];

/** The names of schemas that a schema refers to, and of those that these refer to. */
function namesIn(schema: unknown, names = new Set<string>()): ReadonlySet<string> {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g))
    if (!names.has(name!)) namesIn(named[name!], names.add(name!));
  return names;
}

/** src/documents/types.ts: what the library's users see. */
export function typesModule(): string {
  const declared = [...new Set(RETURNED.flatMap((name) => [name, ...namesIn(named[name])]))]
    .sort()
    .map((name) => declaration(name).replace(/^(?=interface)/m, 'export '));
  const head = '/** The documents that the library returns, printed from their schemas by `npm run docs`. */';
  return `${head}\n\n${declared.join('\n')}`;
}

function declaration(name: string): string {
  const schema = named[name];
  if (schema === undefined) throw new Error(`there is no document ${name}`);
  return `${commentOf(schema, '')}interface ${name} ${typeOf(schema, '')}\n`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.items !== undefined) return listOf(schema.items, indent);
  if (schema.properties !== undefined) return objectOf(schema, indent);
  if (schema.type === 'object') return `Record<string, ${typeOf(schema.additionalProperties || {}, indent)}>`;
  return schema.type === undefined ? 'unknown' : [schema.type].flat().join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function listOf(item: Schema, indent: string): string {
  const isUnion = item.anyOf !== undefined || item.enum !== undefined || Array.isArray(item.type);
  return isUnion ? `Array<${typeOf(item, indent)}>` : `${typeOf(item, indent)}[]`;
}

/** On one line where nothing needs a comment and it fits. */
function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([key, schema]) => ({
    comment: commentOf(schema, inner),
    text: `${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema, inner)}`,
  }));
  const line = `{ ${members.map(({ text }) => text).join('; ')} }`;
  if (indent !== '' && line.length < 80 && !line.includes('\n') && members.every(({ comment }) => comment === ''))
    return line;
  return `{\n${members.map(({ comment, text }) => `${comment}${inner}${text};\n`).join('')}${indent}}`;
}

function commentOf({ $ref, description }: Schema, indent: string): string {
  if (description === undefined || $ref !== undefined) return '';
  const line = `${indent}/** ${description} */\n`;
  if (line.length <= LONGEST_LINE + 1) return line;
  const rows = description.match(new RegExp(`.{1,${LONGEST_LINE - indent.length - 3}}(?: |$)`, 'g'))!;
  return `${indent}/**\n${rows.map((row) => `${indent} * ${row.trimEnd()}\n`).join('')}${indent} */\n`;
}

const LONGEST_LINE = 120;
