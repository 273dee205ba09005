/** Which lines of a log an edit of others concerns: those with a string that is a mark of an edited line. */
import type { Echoes } from '../../../formats/format.js';
import { JsonNode } from '../../../json/node.js';
import { ENTRY, ESCAPED, KIND, STRING } from '../../../json/scan.js';
import { decodeString, type JsonSource } from '../../../json/strings.js';
import { type Changed, type Log, lineNode } from './log.js';

type Lines = ReadonlyMap<number, JsonNode>;

/** By line: the edited ones and those that they concern, in order. `changed`: undefined for a line that goes. */
export function concerned(log: Log, changed: Changed, echoes: Echoes): Lines {
  const { entries, rowOf } = log;
  const [anywhere, beside] = [new Marks(), new Marks()];
  const nodes = new Map<number, JsonNode>();
  const addMarks = (node: JsonNode, goes: boolean) => {
    const found = echoes.marks(node, goes);
    for (const mark of found.anywhere) for (const marks of [anywhere, beside]) marks.add(mark);
    for (const mark of found.beside) beside.add(mark);
  };
  const add = (line: number, isConcerned: (value: JsonNode) => boolean) => {
    const { value } = entries[line]!;
    if (nodes.has(line) || !(value instanceof JsonNode) || !isConcerned(value)) return false;
    nodes.set(line, lineNode(log, line));
    return true;
  };
  for (const [line, message] of changed) {
    const node = message === undefined ? lineNode(log, line) : (message.raw as JsonNode);
    addMarks(node, message === undefined);
    nodes.set(line, node);
  }
  const besides: number[] = [];
  const mayBe = (value: JsonNode) => beside.areIn(value.source) || echoes.mayRepeat?.(value, beside.texts) === true;
  const isBeside = (line: number) => {
    const { value } = entries[line]!;
    return rowOf[line]! < 0 || (value instanceof JsonNode && echoes.repeats?.(value) === true);
  };
  for (let line = 0; line < entries.length; line++) if (isBeside(line) && add(line, mayBe)) besides.push(line);
  for (const line of besides) addMarks(nodes.get(line)!, true); // it may go, too
  for (let line = 0; line < entries.length; line++) add(line, ({ source }) => anywhere.areIn(source));
  if (echoes.areShared) addSharing(nodes, besides, log, echoes);
  return new Map([...nodes].sort(([one], [other]) => one - other));
}

/** Adds the messages that share a mark with those that these lines repeat. */
function addSharing(nodes: Map<number, JsonNode>, besides: readonly number[], log: Log, echoes: Echoes): void {
  if (besides.length === 0) return;
  const repeated = new Set<string>();
  for (const line of besides) {
    const node = nodes.get(line)!;
    addStrings(node.source, repeated);
    for (const text of echoes.joined?.(node) ?? []) repeated.add(text);
  }
  const others = log.lineOf.filter((line) => !nodes.has(line));
  let left = others.map((line) => {
    const node = lineNode(log, line);
    return { line, node, marks: echoes.marks(node, false).beside };
  });
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter(({ line, node, marks: own }) => {
      if (!own.some((mark) => repeated.has(mark))) return true;
      nodes.set(line, node);
      for (const mark of own) repeated.add(mark);
      return false;
    });
  }
}

/** So many lengths are told apart; longer texts are compared. */
const LENGTHS = 1 << 12;
/** `\u0041` is the longest spelling of a byte. */
const LONGEST_SPELLING = 6;

class Marks {
  readonly texts = new Set<string>();
  private readonly isLength = new Uint8Array(LENGTHS);
  private longest = 0;

  add(text: string): void {
    if (text === '' || this.texts.has(text)) return;
    this.texts.add(text);
    const length = Buffer.byteLength(text);
    this.isLength[Math.min(length, LENGTHS - 1)] = 1;
    this.longest = Math.max(this.longest, length);
  }

  /** Whether a string of a value is among them. */
  areIn(source: JsonSource): boolean {
    const { tape } = source;
    if (this.texts.size === 0) return false;
    for (let at = 0; at < tape[3]!; at += ENTRY) {
      if ((tape[at]! & KIND) !== STRING) continue;
      const length = tape[at + 2]! - tape[at + 1]! - 2;
      const mayBe =
        (tape[at]! & ESCAPED) === 0
          ? this.isLength[Math.min(length, LENGTHS - 1)] === 1
          : length <= LONGEST_SPELLING * this.longest;
      if (mayBe && this.texts.has(decodeString(source, at))) return true;
    }
    return false;
  }
}

function addStrings(source: JsonSource, texts: Set<string>): void {
  for (let at = 0; at < source.tape[3]!; at += ENTRY)
    if ((source.tape[at]! & KIND) === STRING) texts.add(decodeString(source, at));
}
