/** The keys of the config with their types, from its JSON Schema. */
import * as z from 'zod';
import { configSchema } from '../../src/cli/config/config-schema.js';
import { list } from './markdown.js';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export function configKeys(): string {
  return list(keysOf(z.toJSONSchema(configSchema(z), { io: 'input' }) as Schema, ''));
}

function keysOf(schema: Schema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const own = path === '' ? key : `${path}.${key}`;
    const item = value.items?.properties === undefined ? [] : keysOf(value.items, `${own}[]`);
    return [`\`${own}\` (${typeOf(value)}): ${value.description ?? ''}`, ...keysOf(value, own), ...item];
  });
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.items !== undefined) return `list of ${plural(typeOf(schema.items))}`;
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`;
  return NAMES[schema.type ?? ''] ?? schema.type ?? 'value';
}

const NAMES: Readonly<Record<string, string>> = { integer: 'whole number', string: 'text', boolean: 'true or false' };

function plural(type: string): string {
  return type.includes(' ') ? type : `${type}s`;
}
