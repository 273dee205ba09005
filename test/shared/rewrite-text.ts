import type { Sink } from '../../src/json/print.js';
import { createCounting } from '../../src/measure/stats/counting.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import type { Transcript } from '../../src/transcript/types.js';
import { loadAuto } from '../../src/transforms/auto.js';
import { transformNamed } from '../../src/transforms/index.js';
import { rewriteBy } from '../../src/transforms/pipeline.js';
import type { Counts } from '../../src/transforms/transform.js';
import { piecesOf } from './opened.js';

loadAuto();

/** Tokens counted as characters. */
export const CHARACTERS: Counts = createCounting(undefined, () => (counted) => counted.length);

/** A text through one transform, with options over its defaults. */
export function rewriteText(
  text: string | Buffer,
  id: string,
  options: Readonly<Record<string, unknown>>,
  counts: Counts = CHARACTERS,
): string {
  const step = { transform: transformNamed(id), values: valuesFor(id, options) };
  return mapText(text, (transcript) => rewriteBy(transcript, [step], counts));
}

/** The options of a transform over its defaults. */
export function valuesFor(id: string, options: Readonly<Record<string, unknown>>): Values<Options> {
  return { ...defaultsOf(transformNamed(id).options), ...options } as Values<Options>;
}

/** A text with each of its transcripts mapped. */
export function mapText(text: string | Buffer, change: (transcript: Transcript) => Transcript): string {
  const chunks: Buffer[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => chunks.push(Buffer.from(bytes.subarray(start, end))),
    text: (added) => chunks.push(Buffer.from(added)),
  };
  for (const piece of piecesOf(text)) {
    if (piece.type === 'passage') sink.slice(piece.span.bytes, piece.span.start, piece.span.end);
    if (piece.type === 'opened') piece.save(sink, piece.transcripts.map(change));
  }
  return Buffer.concat(chunks).toString();
}
