/**
 * What an agent loads of a session when it resumes it. Rules see messages; this sees the lines of the file as the agent
 * does, the torn ones too. An agent's loader stands beside its format, and in the list in resumes.ts.
 */
import type { Json } from '../json/edit.js';
import { type JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';

export interface Line {
  /** Its number in the file as it was read, from 1. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly lineBreak: string;
  /** Undefined if it is not one JSON value. */
  readonly node: JsonNode | undefined;
  /** It is the whole file: one value that is written on many lines. */
  readonly isDocument?: true;
}

export interface Fault {
  /** Without its family: `parent-missing`. */
  readonly rule: string;
  readonly line: Line;
  readonly text: string;
  /** What stands in the place of which lines when it is mended; undefined if nothing can be done. */
  readonly mend?: ReadonlyMap<Line, readonly Line[]>;
  /** What that leaves out, to be kept in a file beside the session. */
  readonly cut?: Buffer;
}

export interface Loaded {
  /** How many messages the agent goes on with. */
  readonly messages: number;
  readonly faults: readonly Fault[];
}

/** The loader of an agent. */
export interface Resume {
  readonly agent: string;
  /** Whether a line is one that this agent, and no other, writes into its sessions. */
  claims(line: JsonNode): boolean;
  /** The same for the beginning of a document that is no JSON, because its writing broke off. */
  claimsTorn?(head: string): boolean;
  /** What it loads of these lines, and the faults that keep it from more. Mending some can bring others to light. */
  load(lines: readonly Line[], name: string): Loaded;
}

/** The faults of the first kind that there is: those of later kinds can come from them. */
export function firstFound(...kinds: readonly (() => readonly Fault[])[]): readonly Fault[] {
  for (const find of kinds) {
    const faults = find();
    if (faults.length > 0) return faults;
  }
  return [];
}

const NEWLINE = 0x0a;

/** How one value begins that is written on many lines. */
const DOCUMENT = /^(?:\xef\xbb\xbf)?\s*\{\s*\n/;

export function linesOf(bytes: Buffer): Line[] {
  if (DOCUMENT.test(bytes.subarray(0, BLANK).latin1Slice())) return [documentIn(bytes)];
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline < 0 ? bytes.length : newline + 1;
    const end = newline < 0 ? next : newline - (bytes[newline - 1] === 0x0d && newline > start ? 1 : 0);
    const line = bytes.subarray(start, end);
    lines.push({ at: lines.length + 1, bytes: line, lineBreak: bytes.latin1Slice(end, next), node: nodeIn(line) });
    start = next;
  }
  return lines;
}

function documentIn(bytes: Buffer): Line {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1]! <= 0x20) end--;
  const own = bytes.subarray(0, end);
  return { at: 1, bytes: own, lineBreak: bytes.latin1Slice(end), node: nodeIn(own), isDocument: true };
}

export function bytesOf(lines: readonly Line[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes, lineBreak }) => [bytes, Buffer.from(lineBreak)]));
}

/** The line with another value, in its own style. */
export function lineWith(line: Line, value: Json): Line {
  return lineOf(line, Buffer.from(printed(value)));
}

/** A new line before another. */
export function freshLine(line: Line, value: Json): Line {
  return lineOf(line, Buffer.from(printed(value)), '\n');
}

export function lineOf(line: Line, bytes: Buffer, lineBreak = line.lineBreak): Line {
  return { ...line, bytes, lineBreak, node: nodeIn(bytes) };
}

function nodeIn(bytes: Buffer): JsonNode | undefined {
  if (bytes.indexOf(0x7b) < 0) return undefined;
  try {
    return parse(bytes);
  } catch {
    return undefined;
  }
}

/** White space beyond so many bytes is none. */
const BLANK = 64;

/** A byte order mark is no fault. */
function isBlank({ bytes }: Line): boolean {
  return bytes.length < BLANK && /^(?:\xef\xbb\xbf)?\s*$/.test(bytes.latin1Slice());
}

/** Lines that a broken write left behind. Agents skip them, and what they hold, in silence. */
export function tornLines(lines: readonly Line[]): Fault[] {
  const last = lines.findLast((line) => !isBlank(line));
  return lines.flatMap((line) => {
    if (line.node !== undefined || isBlank(line)) return [];
    const joined = recordsIn(line);
    if (joined !== undefined) return [joinedRecords(line, joined)];
    if (line !== last || line.lineBreak !== '') return [];
    const text = 'a write broke off here: what the agent writes next would go onto the same line, and be lost with it';
    return [{ rule: 'line-torn', line, text, mend: new Map([[line, []]]), cut: line.bytes }];
  });
}

/** No agent takes it for white space (Claude Code 2.1.332, pi 1.5.2; 2026-11-26). */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function joinedRecords(line: Line, joined: Joined): Fault {
  const isMark = joined.torn.equals(BYTE_ORDER_MARK);
  const { whole, torn } = isMark ? { ...joined, torn: Buffer.alloc(0) } : joined;
  const text = isMark
    ? 'a byte order mark stands before this record: the agent does not read it'
    : 'a write broke off here, and the next record follows on the same line: the agent reads neither';
  const kept = whole.map((bytes, index) => lineOf(line, bytes, index < whole.length - 1 ? '\n' : line.lineBreak));
  const mend = new Map([[line, kept]]);
  return { rule: 'line-torn', line, text, mend, ...(torn.length === 0 ? {} : { cut: torn }) };
}

/** So many places in a torn line are tried. */
const TRIES = 300;

interface Joined {
  readonly torn: Buffer;
  readonly whole: readonly Buffer[];
}

/** Records of agents have a type, or change others. */
function isRecord(node: JsonNode | undefined): boolean {
  if (node?.get('type')?.isString === true || node?.get('$rewindTo')?.isString === true) return true;
  return (node?.get('$set') ?? node?.get('$patch'))?.isObject === true;
}

/** The record at the end of a torn line, after the one before it if that is whole. */
function recordsIn({ bytes }: Line): Joined | undefined {
  const mark = bytes.subarray(0, BYTE_ORDER_MARK.length);
  const marked = bytes.subarray(mark.length);
  if (mark.equals(BYTE_ORDER_MARK) && nodeIn(marked)?.isObject) return { torn: mark, whole: [marked] };
  let at = bytes.indexOf('{"', 1);
  for (let tries = 0; at >= 0 && tries < TRIES; tries++, at = bytes.indexOf('{"', at + 1)) {
    const rest = bytes.subarray(at);
    if (!isRecord(nodeIn(rest))) continue;
    const before = bytes.subarray(0, at);
    const isWhole = nodeIn(before)?.isObject === true;
    return isWhole ? { torn: bytes.subarray(0, 0), whole: [before, rest] } : { torn: before, whole: [rest] };
  }
  return undefined;
}
