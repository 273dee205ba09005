/** Validates output: exactly one JSON value. */
import { TranscriptError } from '../errors.js';
import { createSharingScan, INVALID, type Scan, Tape } from './scan.js';
import { skipSpace } from './space.js';

/** Records no values: only whether it is valid counts. */
class Validity extends Tape {
  override fill(): void {}
}

const validity = new Validity();
let scan: Scan | undefined;

/**
 * Returns the bytes. Throws TranscriptError without a place if they are not exactly one JSON value: a defect of
 * ctx-trim.
 */
export function assertJson(bytes: Buffer): Buffer {
  scan ??= createSharingScan();
  const end = scan(bytes, 0, bytes.length, true, validity);
  scan.forget();
  if (end < 0)
    throw defect(end === INVALID ? `${validity.error} at byte ${validity.errorAt}` : 'it ends in the middle');
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
