import type { Sink } from '../../src/json/print.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { open } from '../../src/source/open.js';
import { createCounting } from '../../src/stats/counting.js';
import type { Transcript } from '../../src/transcript/types.js';
import { transformNamed } from '../../src/transforms/index.js';
import { applySteps } from '../../src/transforms/pipeline.js';
import type { Counts } from '../../src/transforms/transform.js';

/** Tokens counted as characters. */
export const CHARACTERS: Counts = createCounting(undefined, () => (counted) => counted.length);

/** A text through one transform, with options over its defaults. */
export function rewriteText(
  text: string | Buffer,
  id: string,
  options: Readonly<Record<string, unknown>>,
  counts: Counts = CHARACTERS,
): string {
  const transform = transformNamed(id);
  const values = { ...defaultsOf(transform.options), ...options } as Values<Options>;
  return mapText(text, (transcript) => applySteps(transcript, [{ transform, values }], counts));
}

/** A text with each of its transcripts mapped. */
export function mapText(text: string | Buffer, change: (transcript: Transcript) => Transcript): string {
  const input = Buffer.from(text as string);
  let read = 0;
  const pieces: Buffer[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => pieces.push(Buffer.from(bytes.subarray(start, end))),
    text: (added) => pieces.push(Buffer.from(added)),
  };
  const reader = (buffer: Buffer, at: number, length: number) => {
    const got = input.copy(buffer, at, read, read + length);
    read += got;
    return got;
  };
  for (const piece of open(reader)) {
    if (piece.type === 'passage') sink.slice(piece.span.bytes, piece.span.start, piece.span.end);
    if (piece.type === 'opened') piece.save(sink, piece.transcripts.map(change));
  }
  return Buffer.concat(pieces).toString();
}
