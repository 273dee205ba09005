/** Parses JSON of users: configs, price files, baselines. */
import { TranscriptError } from '../../errors.js';
import { createScan, INVALID, Tape } from '../../json/scan.js';

/** Throws TranscriptError with the position if it is not JSON. */
export function parseJson(source: string, file: string): unknown {
  const text = source.replace(/^\ufeff/, ''); // as editors of Windows write it
  try {
    return JSON.parse(text);
  } catch (error) {
    const told = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = text.slice(0, told === undefined ? faultIn(text) : Number(told)).split('\n');
    throw new TranscriptError('config', `not JSON: ${(error as Error).message}`, {
      file,
      line: before.length,
      column: before[before.length - 1]!.length + 1,
    });
  }
}

/** Where a text is no JSON, which Node says only of some faults: the offset of the first one, or the end. */
function faultIn(text: string): number {
  const bytes = Buffer.from(text);
  const tape = new Tape();
  return createScan()(bytes, 0, bytes.length, true, tape) === INVALID
    ? bytes.toString('utf8', 0, tape.errorAt).length
    : text.length;
}
