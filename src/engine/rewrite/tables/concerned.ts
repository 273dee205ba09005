/** Which lines of a log an edit of others concerns: those with a string that is a mark of an edited line. */
import type { Echoes } from '../../../formats/format.js';
import { JsonNode } from '../../../json/node.js';
import { ENTRY, ESCAPED, KIND, STRING } from '../../../json/scan.js';
import { decodeString, type JsonSource } from '../../../json/strings.js';
import { type Changed, type Log, lineNode } from './logs.js';

type Lines = ReadonlyMap<number, JsonNode>;

/** By line: the edited ones and those that they concern, in order. `changed`: undefined for a line that goes. */
export function concerned(log: Log, changed: Changed, echoes: Echoes): Lines {
  const [anywhere, beside] = [new Marks(), new Marks()];
  const nodes = new Map<number, JsonNode>();
  for (const [line, message] of changed) {
    const node = message === undefined ? lineNode(log, line) : (message.raw as JsonNode);
    const found = echoes.marks(node, message === undefined);
    for (const mark of found.anywhere) for (const marks of [anywhere, beside]) marks.add(mark);
    for (const mark of found.beside) beside.add(mark);
    nodes.set(line, node);
  }
  const repeated = new Set<string>();
  log.entries.forEach(({ value }, line) => {
    if (nodes.has(line) || !(value instanceof JsonNode)) return;
    const isBeside = log.rowOf[line]! < 0;
    const marks = isBeside ? beside : anywhere;
    if (!marks.areIn(value.source) && !(isBeside && echoes.mayRepeat?.(value, beside.texts))) return;
    nodes.set(line, lineNode(log, line));
    if (echoes.areShared) addStrings(value.source, repeated);
  });
  if (repeated.size > 0) addSharing(nodes, repeated, log, echoes);
  return new Map([...nodes].sort(([one], [other]) => one - other));
}

/** Adds the messages that have a mark in common with those that are repeated. */
function addSharing(nodes: Map<number, JsonNode>, repeated: Set<string>, log: Log, { marks }: Echoes): void {
  const others = log.lineOf.filter((line) => !nodes.has(line));
  let left = others.map((line) => {
    const node = lineNode(log, line);
    return { line, node, marks: marks(node, false).beside };
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
