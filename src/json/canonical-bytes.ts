/**
 * One spelling for JSON values that mean the same, as bytes: no spaces, members sorted by name, strings and numbers as
 * `canonical` spells them. It works on the tape, so that long texts are copied, not decoded.
 */
import type { JsonNode } from './node.js';
import { ARRAY, ENTRY, ESCAPED, KIND, NUMBER, OBJECT, STRING } from './scan.js';
import { decodeString, type JsonSource } from './strings.js';

/** Values nested deeper keep their own spelling: recursion is limited. */
const DEEPEST = 500;
/** Longer numbers keep their spelling: JavaScript cannot hold all of their digits. */
const EXACT_DIGITS = 15;

export class CanonicalBytes {
  private bytes = Buffer.allocUnsafeSlow(1 << 16);
  private length = 0;

  /** The spelling of values, one behind the other; valid until the next call. */
  of(nodes: readonly JsonNode[]): Buffer {
    this.length = 0;
    for (const { source, at } of nodes) {
      this.value(source, at, 0);
      this.text('\n');
    }
    return this.bytes.subarray(0, this.length);
  }

  private value(source: JsonSource, at: number, level: number): void {
    const kind = source.tape[at]! & KIND;
    if (kind === STRING) this.string(source, at);
    else if (kind === NUMBER) this.text(spelledNumber(source, at));
    else if (level > DEEPEST || (kind !== OBJECT && kind !== ARRAY)) this.range(source, at);
    else if (kind === ARRAY) this.array(source, at, level);
    else this.object(source, at, level);
  }

  private array(source: JsonSource, at: number, level: number): void {
    const { tape } = source;
    const end = tape[at + 3]!;
    this.text('[');
    for (let item = at + ENTRY; item < end; item = tape[item + 3]!) {
      if (item > at + ENTRY) this.text(',');
      this.value(source, item, level + 1);
    }
    this.text(']');
  }

  private object(source: JsonSource, at: number, level: number): void {
    let separator = '{';
    for (const key of sortedKeys(source, at)) {
      this.text(separator);
      this.string(source, key);
      this.text(':');
      this.value(source, key + ENTRY, level + 1);
      separator = ',';
    }
    this.text(separator === '{' ? '{}' : '}');
  }

  private string(source: JsonSource, at: number): void {
    const { bytes, tape } = source;
    const isUsual = (tape[at]! & ESCAPED) === 0 || !mayBeRespelled(bytes.subarray(tape[at + 1]!, tape[at + 2]!));
    if (isUsual) this.range(source, at);
    else this.text(JSON.stringify(decodeString(source, at)));
  }

  private range({ bytes, tape }: JsonSource, at: number): void {
    const [start, end] = [tape[at + 1]!, tape[at + 2]!];
    this.makeRoom(end - start);
    this.length += bytes.copy(this.bytes, this.length, start, end);
  }

  private text(text: string): void {
    if (text.length === 1) {
      this.makeRoom(1);
      this.bytes[this.length++] = text.charCodeAt(0);
      return;
    }
    this.makeRoom(3 * text.length); // as UTF-8
    this.length += this.bytes.write(text, this.length);
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.bytes.copy(longer, 0, 0, this.length);
    this.bytes = longer;
  }
}

/** Other escapes have one spelling. */
function mayBeRespelled(string: Buffer): boolean {
  return string.includes('\\u') || string.includes('\\/');
}

function spelledNumber({ bytes, tape }: JsonSource, at: number): string {
  const text = bytes.latin1Slice(tape[at + 1]!, tape[at + 2]!);
  const isExact = text.replace(/\D/g, '').length <= EXACT_DIGITS && Number.isFinite(Number(text));
  return isExact ? JSON.stringify(Number(text)) : text;
}

/** The members of an object by their keys; of several with one name the last, as JSON.parse has it. */
function sortedKeys(source: JsonSource, at: number): Iterable<number> {
  const { tape } = source;
  const end = tape[at + 3]!;
  const byName = new Map<string, number>();
  for (let key = at + ENTRY; key < end; key = tape[key + ENTRY + 3]!) byName.set(decodeString(source, key), key);
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
}
