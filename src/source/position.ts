/** Finds the line and column of JSON values in their file. */
import { JsonNode } from '../json/node.js';
import type { JsonSource } from '../json/strings.js';
import { unitsIn } from '../json/units.js';
import { once, onceEach } from '../once.js';

/** Both count from 1; a column counts UTF-16 units, as editors and SARIF do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The start of a record: its line, and the UTF-16 units of that line before the record's bytes. */
export interface Start {
  readonly line: number;
  readonly columnsBefore: number;
}

/** The position of a value in a record that starts there. */
export function positionOf(node: JsonNode, start: Start): Position {
  return positionFrom(start, reach(node.source.bytes, node.start, beginning(node.source)));
}

/** Finds values of these records. Values that were created, or parsed from a string, have no position. */
export type Positions = (node: JsonNode) => Position | undefined;

export function positionsIn(records: Iterable<{ readonly root: JsonNode } & Start>): Positions {
  const starts = new Map<JsonSource, { readonly start: Start; readonly breaksBefore: () => number }>();
  const firsts = new Map<Buffer, number>();
  // records of one line share how far it was counted
  const counter = onceEach((bytes: Buffer) => counterOf(bytes, lineStartAt(bytes, firsts.get(bytes)!)));
  for (const { root, line, columnsBefore } of records) {
    const { bytes } = root.source;
    const at = new JsonNode(root.source, 0).start;
    firsts.set(bytes, Math.min(at, firsts.get(bytes) ?? at));
    starts.set(root.source, { start: { line, columnsBefore }, breaksBefore: once(() => counter(bytes)(at).breaks) });
  }
  return (node) => {
    const known = starts.get(node.source);
    if (known === undefined) return undefined;
    const before = known.breaksBefore();
    const reached = counter(node.source.bytes)(node.start);
    return positionFrom(known.start, { ...reached, breaks: reached.breaks - before });
  };
}

/** As `positionsIn`, made when they are first asked for: transcripts of one piece share how far was counted. */
export function positionsOnce(records: () => Parameters<typeof positionsIn>[0]): () => Positions {
  let known: Positions | undefined;
  return () => {
    known ??= positionsIn(records());
    return known;
  };
}

/** How far bytes were counted. Lookups in order of position count no byte twice. */
interface Reached {
  readonly at: number;
  /** Line breaks since the first byte that was counted. */
  readonly breaks: number;
  /** UTF-16 units since the last line break, or since the first byte that is left of the line. */
  readonly units: number;
}

function beginning(source: JsonSource): Reached {
  const at = new JsonNode(source, 0).start;
  return { at, breaks: 0, units: unitsIn(source.bytes, lineStartAt(source.bytes, at), at) };
}

/** Bytes between two places that are kept of what was counted. */
const STRIDE = 1 << 14;

/** Counts up to any byte from this line on: from the last one, or from the nearest kept place before it. */
function counterOf(bytes: Buffer, lineStart: number): (at: number) => Reached {
  const kept: Reached[] = [{ at: lineStart, breaks: 0, units: 0 }];
  let last = kept[0]!;
  return (at) => {
    for (let next = lineStart + kept.length * STRIDE; next <= at; next += STRIDE)
      kept.push(reach(bytes, characterAt(bytes, next), kept.at(-1)!));
    const near = kept[Math.floor((at - lineStart) / STRIDE)]!;
    last = reach(bytes, at, last.at <= at && last.at > near.at ? last : near);
    return last;
  };
}

/** The first byte of a character, from this byte on. */
function characterAt(bytes: Buffer, at: number): number {
  while ((bytes[at]! & 0xc0) === 0x80) at++;
  return at;
}

function reach(bytes: Buffer, start: number, { at, breaks, units }: Reached): Reached {
  const more = breaksIn(bytes.subarray(at, start));
  if (more === 0) return { at: start, breaks, units: units + unitsIn(bytes, at, start) };
  return { at: start, breaks: breaks + more, units: unitsIn(bytes, lineStartAt(bytes, start), start) };
}

function lineStartAt(bytes: Buffer, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
}

/** `columnsBefore` counts the part of the first line that is no longer in the bytes. */
function positionFrom({ line, columnsBefore }: Start, { breaks, units }: Reached): Position {
  return { line: line + breaks, column: units + 1 + (breaks === 0 ? columnsBefore : 0) };
}

function breaksIn(bytes: Buffer): number {
  let breaks = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) breaks++;
  return breaks;
}
