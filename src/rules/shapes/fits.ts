/**
 * Whether a value certainly has no fault by its shape. Nearly all values fit, so shapes are compiled once into
 * functions that go over the tape, without a node, a path or a text for any value. `faultsIn` judges what is left, and
 * finds no fault in what fits.
 */
import type { JsonKind, JsonNode } from '../../json/node.js';
import { ARRAY, ENTRY, FALSE, KIND, NULL, NUMBER, OBJECT, STRING, TRUE } from '../../json/scan.js';
import { decodeString, type JsonSource, Keys } from '../../json/strings.js';
import { type FieldsShape, fieldsOf, isStrings, kindsOf, type Shape, type Shapes } from './shape.js';

export function fits(node: JsonNode, shape: Shape): boolean {
  return node.source.isPlain !== true && compiled(shape)(node.source, node.at);
}

type Fits = (source: JsonSource, at: number) => boolean;

/** By shape: shapes are constants. */
const known = new Map<Shape, Fits>();

function compiled(shape: Shape): Fits {
  let fit = known.get(shape);
  if (fit === undefined) {
    fit = compile(shape);
    known.set(shape, fit);
  }
  return fit;
}

function compile(shape: Shape): Fits {
  if (typeof shape === 'string') return ofKinds(shape);
  if (isStrings(shape)) return ofStrings(shape);
  if ('pattern' in shape) return ofText((text) => shape.pattern.test(text));
  if ('longest' in shape)
    return ({ tape }, at) => isKind(tape, at, STRING) && tape[at + 2]! - tape[at + 1]! - 2 <= shape.longest;
  if ('list' in shape) return ofList(compiled(shape.list), shape.least, shape.most);
  if ('either' in shape) return ofEither(shape.either);
  if ('tag' in shape) return ofTagged(shape.tag, shape.of);
  return 'union' in shape ? ofUnion(shape.union) : ofFields(shape);
}

const NUMBERS: Readonly<Record<JsonKind, readonly number[]>> = {
  null: [NULL],
  boolean: [TRUE, FALSE],
  number: [NUMBER],
  string: [STRING],
  object: [OBJECT],
  array: [ARRAY],
};

/** A bit for each kind. */
function maskOf(shape: Shape): number {
  return kindsOf(shape).reduce((mask, kind) => NUMBERS[kind].reduce((bits, number) => bits | (1 << number), mask), 0);
}

function ofKinds(shape: Shape): Fits {
  const mask = maskOf(shape);
  return ({ tape }, at) => ((mask >> (tape[at]! & KIND)) & 1) === 1;
}

function ofStrings(texts: readonly string[]): Fits {
  const keys = new Keys(texts);
  return (source, at) => isKind(source.tape, at, STRING) && keys.indexOf(source, at) >= 0;
}

function ofText(isFine: (text: string) => boolean): Fits {
  return (source, at) => isKind(source.tape, at, STRING) && isFine(decodeString(source, at));
}

function ofList(item: Fits, least = 0, most = Number.POSITIVE_INFINITY): Fits {
  return (source, list) => {
    const { tape } = source;
    if (!isKind(tape, list, ARRAY)) return false;
    let count = 0;
    for (let at = list + ENTRY; at < tape[list + 3]!; at = tape[at + 3]!, count++) if (!item(source, at)) return false;
    return count >= least && count <= most;
  };
}

/** The first alternative of a kind judges it. */
function ofEither(shapes: readonly Shape[]): Fits {
  const all = shapes.map((shape) => ({ mask: maskOf(shape), fit: compiled(shape) }));
  const byKind = Array.from({ length: KIND + 1 }, (_, kind) => all.find(({ mask }) => ((mask >> kind) & 1) === 1)?.fit);
  return (source, at) => byKind[source.tape[at]! & KIND]?.(source, at) === true;
}

function ofTagged(tag: string, of: Shapes): Fits {
  const tags = new Keys([tag]);
  const names = new Keys(Object.keys(of));
  const named = later(Object.values(of));
  return (source, object) => {
    const { tape } = source;
    if (!isKind(tape, object, OBJECT)) return false;
    let found = -1;
    for (let key = object + ENTRY; key < tape[object + 3]!; key = tape[key + ENTRY + 3]!)
      if (tags.indexOf(source, key) === 0) found = key + ENTRY;
    const name = found >= 0 && isKind(tape, found, STRING) ? names.indexOf(source, found) : -1;
    return name >= 0 && named(name)(source, object);
  };
}

function ofUnion(union: Shapes): Fits {
  const names = new Keys(Object.keys(union));
  const named = later(Object.values(union));
  return (source, object) => {
    const { tape } = source;
    const key = object + ENTRY;
    const end = tape[object + 3]!;
    if (!isKind(tape, object, OBJECT) || key >= end || tape[key + ENTRY + 3]! < end) return false;
    const name = names.indexOf(source, key);
    return name >= 0 && named(name)(source, key + ENTRY);
  };
}

function ofFields(shape: FieldsShape): Fits {
  const { closed = false, atMostOne = [] } = shape;
  const { shapes, required } = fieldsOf(shape);
  const keys = new Keys([...shapes.keys()]);
  const at = later([...shapes.values()]);
  const bits = keys.names.map((name) => (required.includes(name) ? 1 << required.indexOf(name) : 0));
  const all = bits.reduce((sum, bit) => sum | bit, 0);
  const rivals = keys.names.map((name) => atMostOne.includes(name));
  return (source, object) => {
    const { tape } = source;
    if (!isKind(tape, object, OBJECT)) return false;
    let seen = 0;
    let chosen = 0;
    for (let key = object + ENTRY; key < tape[object + 3]!; key = tape[key + ENTRY + 3]!) {
      const index = keys.indexOf(source, key);
      if (index < 0 && closed) return false;
      if (index < 0) continue;
      if (!at(index)(source, key + ENTRY)) return false;
      seen |= bits[index]!;
      if (rivals[index] && !isKind(tape, key + ENTRY, NULL)) chosen++;
    }
    return seen === all && chosen <= 1;
  };
}

/** Shapes by index, compiled when a value has them: most of a table are never needed. */
function later(shapes: readonly Shape[]): (index: number) => Fits {
  const ready: Fits[] = [];
  return (index) => {
    ready[index] ??= compiled(shapes[index]!);
    return ready[index];
  };
}

function isKind(tape: Int32Array, at: number, kind: number): boolean {
  return (tape[at]! & KIND) === kind;
}
