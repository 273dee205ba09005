/**
 * Values of Parquet as JSON and back: https://parquet.apache.org/docs/file-format/types/logicaltypes/ (2026-11-26).
 * Both ways hold every value: what JSON has no form for becomes a text, or an object with `base64`.
 */
import type { SchemaElement } from 'hyparquet';
import type { JsonNode } from '../../json/node.js';
import { dateOf, dayOf, instantOf, timestampOf, type Unit } from './times.js';

export type LeafType =
  | 'text'
  | 'bytes'
  | 'fixed'
  | 'uuid'
  | 'boolean'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'decimal'
  | 'date'
  | 'timestamp'
  | 'number'
  | 'int96';

/** Their stored values have the order of the values. */
export const PLAIN_TYPES: ReadonlySet<LeafType> = new Set(['text', 'boolean', 'int32', 'int64', 'number']);

export function leafTypeOf({ type, converted_type: converted, logical_type: logical }: SchemaElement): LeafType {
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return 'decimal';
  const isUnsigned = converted?.startsWith('UINT_') === true || (logical?.type === 'INTEGER' && !logical.isSigned);
  if (type === 'BYTE_ARRAY') return isText(converted, logical?.type) ? 'text' : 'bytes';
  if (type === 'FIXED_LEN_BYTE_ARRAY') return logical?.type === 'UUID' ? 'uuid' : 'fixed';
  if (type === 'INT32')
    return converted === 'DATE' || logical?.type === 'DATE' ? 'date' : isUnsigned ? 'uint32' : 'int32';
  if (type === 'INT64')
    return converted?.startsWith('TIMESTAMP_') || logical?.type === 'TIMESTAMP'
      ? 'timestamp'
      : isUnsigned
        ? 'uint64'
        : 'int64';
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'INT96' ? 'int96' : 'number';
}

function isText(converted: string | undefined, logical: string | undefined): boolean {
  return ['UTF8', 'ENUM', 'JSON'].includes(converted ?? '') || ['STRING', 'ENUM', 'JSON'].includes(logical ?? '');
}

/** A stored value as JSON. Throws Error for a text that is not UTF-8. */
export function leafJson(type: LeafType, element: SchemaElement, value: unknown): string {
  switch (type) {
    case 'text':
      return JSON.stringify(decoded(value as Uint8Array) ?? fail('a text is not UTF-8'));
    case 'bytes': {
      const text = decoded(value as Uint8Array);
      return text === undefined ? base64(value as Uint8Array) : JSON.stringify(text);
    }
    case 'fixed':
      return base64(value as Uint8Array);
    case 'uuid':
      return JSON.stringify(hexOf(value as Uint8Array).replace(UUID_PARTS, '$1-$2-$3-$4-$5'));
    case 'uint32':
      return String((value as number) >>> 0);
    case 'uint64':
      return String(BigInt.asUintN(64, value as bigint));
    case 'decimal':
      return decimalText(unscaled(value as number | bigint | Uint8Array), element.scale ?? 0);
    case 'date':
      return dateOf(value as number);
    case 'timestamp':
      return timestampOf(value as bigint, ...unitOf(element));
    case 'int96':
      return timestampOf(nanosOf(value as bigint), 'NANOS', false);
    case 'number':
      return numberJson(value as number);
    default:
      return String(value); // boolean, int32, int64
  }
}

/** The value to store of JSON; undefined if it is none of that type. */
export function storedLeaf(type: LeafType, element: SchemaElement, node: JsonNode): unknown {
  switch (type) {
    case 'text':
      return node.isString ? node.text : undefined;
    case 'bytes':
      return node.isString ? Buffer.from(node.text) : bytesIn(node);
    case 'fixed':
      return sized(bytesIn(node), element);
    case 'uuid':
      return node.isString ? sized(Buffer.from(node.text.replaceAll('-', ''), 'hex'), element) : undefined;
    case 'boolean':
      return node.kind === 'boolean' ? node.text === 'true' : undefined;
    case 'int32':
    case 'uint32':
      return int32In(node, type === 'uint32');
    case 'int64':
    case 'uint64':
      return int64In(node, type === 'uint64');
    case 'decimal':
      return storedDecimal(node, element);
    case 'date':
      return node.isString ? dayOf(node.text) : int32In(node, false);
    case 'timestamp':
      return node.isString ? instantOf(node.text, ...unitOf(element)) : int64In(node, false);
    case 'number':
      return numberIn(node, element.type === 'FLOAT');
    default:
      return undefined;
  }
}

function fail(why: string): never {
  throw new Error(why);
}

function decoded(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).utf8Slice(0, bytes.length);
  if (!text.includes('\ufffd')) return text;
  return Buffer.from(text).equals(bytes) ? text : undefined; // it may hold that character
}

function base64(bytes: Uint8Array): string {
  return `{"base64":"${Buffer.from(bytes).toString('base64')}"}`;
}

function bytesIn(node: JsonNode): Buffer | undefined {
  const value = node.get('base64');
  return value?.isString ? Buffer.from(value.text, 'base64') : undefined;
}

function sized(bytes: Buffer | undefined, { type_length }: SchemaElement): Buffer | undefined {
  return bytes?.length === type_length ? bytes : undefined;
}

const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

// --- numbers

function numberJson(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0.0' : String(value);
}

function numberIn(node: JsonNode, isSingle: boolean): number | undefined {
  if (node.isString) return ['NaN', 'Infinity', '-Infinity'].includes(node.text) ? Number(node.text) : undefined;
  if (node.kind !== 'number') return undefined;
  const value = Number(node.text);
  const isWhole = Number.isSafeInteger(value) || String(value) === node.text;
  if (INTEGER.test(node.text) && !isWhole) return undefined; // its last digits would go
  return isSingle && Math.fround(value) !== value ? undefined : value;
}

const INTEGER = /^-?\d+$/;

function int32In(node: JsonNode, isUnsigned: boolean): number | undefined {
  const value = int64In(node, false);
  if (value === undefined || value !== (isUnsigned ? BigInt.asUintN(32, value) : BigInt.asIntN(32, value)))
    return undefined;
  return Number(value) | 0;
}

/** An integer of 64 bits; undefined if the value is none. */
export function int64In(node: JsonNode, isUnsigned: boolean): bigint | undefined {
  if (node.kind !== 'number' || !INTEGER.test(node.text)) return undefined;
  const value = BigInt(node.text);
  const fits = value === (isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value));
  return fits ? BigInt.asIntN(64, value) : undefined;
}

/** Of bytes: two's complement, the highest byte first. */
function unscaled(value: number | bigint | Uint8Array): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value);
  return value.length === 0 ? 0n : BigInt.asIntN(8 * value.length, BigInt(`0x${hexOf(value)}`));
}

function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return `${value}${'0'.repeat(value === 0n ? 0 : -scale)}`;
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function storedDecimal(node: JsonNode, element: SchemaElement): number | bigint | Uint8Array | undefined {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(node.text) ?? [];
  const scale = element.scale ?? 0;
  if (node.kind !== 'number' || sign === undefined || fraction.length > scale || scale < 0) return undefined;
  const value = BigInt(`${sign}${whole}${fraction.padEnd(scale, '0')}`);
  if (element.type === 'INT32') return BigInt.asIntN(32, value) === value ? Number(value) : undefined;
  if (element.type === 'INT64') return BigInt.asIntN(64, value) === value ? value : undefined;
  const length = element.type_length ?? Math.ceil((String(value).length * 3.33 + 2) / 8);
  if (BigInt.asIntN(8 * length, value) !== value) return undefined;
  const hex = BigInt.asUintN(8 * length, value).toString(16);
  return Buffer.from(hex.padStart(2 * length, '0'), 'hex');
}

// --- times

function unitOf({ converted_type: converted, logical_type: logical }: SchemaElement): [unit: Unit, isUtc: boolean] {
  if (logical?.type === 'TIMESTAMP') return [logical.unit, logical.isAdjustedToUTC];
  return [converted === 'TIMESTAMP_MICROS' ? 'MICROS' : 'MILLIS', true];
}

const JULIAN_EPOCH = 2440588n;
const DAY_NANOS = 86_400_000_000_000n;

/** The upper 32 bits are the Julian day, the lower 64 the nanoseconds of it. */
function nanosOf(value: bigint): bigint {
  return ((value >> 64n) - JULIAN_EPOCH) * DAY_NANOS + (value & 0xffffffffffffffffn);
}
