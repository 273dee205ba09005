/** What was changed goes out only after it was scanned again, whole: half a record is never written. */
import { isTranscriptError } from '../errors.js';
import { proven } from '../json/check.js';
import type { JsonNode } from '../json/node.js';
import type { Sink } from '../json/print.js';

/** Prints one value that is new. Throws TranscriptError before the sink has seen any of it. */
export function printProven(sink: Sink, print: (to: Sink) => void): void {
  const proof = spare ?? new Proof();
  spare = undefined;
  print(proof);
  proof.handOn(sink);
  spare = proof;
}

/** Memory is used again; after an error, and where one value is printed while another is, not. */
let spare: Proof | undefined;

/** So much memory is not kept for the next value. */
const LARGE = 1 << 20;
/** What a value that was read stands for here: `0`. */
const ANY_VALUE = 0x30;
/** With what a value begins and ends that is no number and no word. */
const ENDS = new Map([
  [0x22, 0x22],
  [0x5b, 0x5d],
  [0x7b, 0x7d],
]);

/** Gathers what is printed and, beside it, its proof: the same text with a digit for each value that was scanned when it was read. */
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

  value({ source: { bytes }, start, end }: JsonNode): void {
    if (end - start < 2 || bytes[end - 1] !== ENDS.get(bytes[start]!)) {
      this.slice(bytes, start, end);
      return;
    }
    this.pieces.push({ bytes, start, end });
    this.reserve(1);
    this.proof[this.length++] = ANY_VALUE;
  }

  /** Throws where the proof is not one value. */
  handOn(sink: Sink): void {
    proven(this.proof.subarray(0, this.length));
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

/** What is thrown without a line stands on this one. */
export function onLine<T>(line: number, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ line }) : error;
  }
}
