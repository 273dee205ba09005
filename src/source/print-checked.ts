/** Prints changed values: each is validated as a whole before any of it is written. */
import { isTranscriptError } from '../errors.js';
import { assertJson } from '../json/check.js';
import type { JsonNode } from '../json/node.js';
import type { Sink } from '../json/print.js';

/** Prints one changed value. Throws TranscriptError before anything is written if it is not valid JSON. */
export function printChecked(sink: Sink, print: (to: Sink) => void): void {
  const proof = spare ?? new Proof();
  spare = undefined;
  print(proof);
  proof.flush(sink);
  spare = proof;
}

/** Reused by the next value, but not after an error, or for a value printed during another one. */
let spare: Proof | undefined;

/** A larger buffer is not kept for the next value. */
const LARGE = 1 << 20;
/** In the proof, the digit `0` stands for a value that was validated when it was read. */
const VALIDATED = 0x30;
/** The last byte of strings, arrays and objects, by their first byte. */
const ENDS = new Map([
  [0x22, 0x22],
  [0x5b, 0x5d],
  [0x7b, 0x7d],
]);

/**
 * Collects the output and a proof: the same text with a digit in place of each value that was validated when it was
 * read.
 */
class Proof implements Sink {
  private pieces: { readonly bytes: Buffer; readonly start: number; readonly end: number }[] = [];
  private proof = Buffer.allocUnsafeSlow(1 << 12);
  private length = 0;

  slice(bytes: Buffer, start: number, end: number): void {
    this.pieces.push({ bytes, start, end });
    this.reserve(end - start);
    this.length += bytes.copy(this.proof, this.length, start, end);
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.slice(bytes, 0, bytes.length);
  }

  value({ source: { bytes }, start, end }: Pick<JsonNode, 'source' | 'start' | 'end'>): void {
    if (end - start < 2 || bytes[end - 1] !== ENDS.get(bytes[start]!)) {
      this.slice(bytes, start, end);
      return;
    }
    this.pieces.push({ bytes, start, end });
    this.reserve(1);
    this.proof[this.length++] = VALIDATED;
  }

  /** Writes the output. Throws if the proof is not one JSON value. */
  flush(sink: Sink): void {
    assertJson(this.proof.subarray(0, this.length));
    for (const { bytes, start, end } of this.pieces) sink.slice(bytes, start, end);
    this.pieces = [];
    this.length = 0;
    if (this.proof.length > LARGE) this.proof = Buffer.allocUnsafeSlow(1 << 12);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.proof.length) return;
    const longer = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.proof.copy(longer, 0, 0, this.length);
    this.proof = longer;
  }
}

/** Adds the line to errors that have none. */
export function onLine<T>(line: number, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ line }) : error;
  }
}
