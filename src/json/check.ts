/** Validates output: exactly one JSON value. */
import { TranscriptError } from '../errors.js';
import { skipSpace } from './node.js';
import { createScan, INVALID, type Scan, Tape } from './scan.js';

/** Records no values: only the verdict counts. */
class Verdict extends Tape {
  override fill(): void {}
}

const verdict = new Verdict();
let scan: Scan | undefined;

/**
 * Returns the bytes. Throws TranscriptError without a place if they are not exactly one JSON value: a defect of
 * ctx-trim.
 */
export function assertJson(bytes: Buffer): Buffer {
  scan ??= createScan();
  const end = scan(bytes, 0, bytes.length, true, verdict);
  scan.forget();
  if (end < 0) throw defect(end === INVALID ? `${verdict.error} at byte ${verdict.errorAt}` : 'it ends in the middle');
  if (skipSpace(bytes, end) < bytes.length) throw defect(`something stands behind the value, at byte ${end}`);
  return bytes;
}

function defect(what: string): TranscriptError {
  return new TranscriptError(
    'defect',
    `a defect of ctx-trim: what it was about to write here is not one JSON value (${what}), ` +
      'so it was not written; please report it',
  );
}
