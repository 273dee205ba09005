/**
 * What a text tells late may stand bare before: a secret with its name, or the name of a user in a path. All of it is
 * read once before anything is replaced.
 */
import type { Read } from '../../json/rows.js';
import type { Redactor } from '../../secrets/redact.js';
import { redactStream } from './redact-stream.js';

/** So many bytes of an input are held that cannot be read twice. */
const MOST_HELD = 1 << 28;

export interface Learned {
  /** Reads all of the input. */
  readonly read: Read;
  /** Whether `redactStream`, which reads the same windows, will find nothing in it. */
  readonly isClean: boolean;
}

/**
 * Learns from an input. `reread`: another reader of the same bytes; without it, the input is held. `onLeft` is called
 * if it is too long for that. Throws TranscriptError as `redactStream` does.
 */
export function learnFirst(
  read: Read,
  reread: Read | undefined,
  { learn }: Pick<Redactor, 'learn'>,
  onLeft: () => void,
): Learned {
  const held = reread === undefined ? holding(read) : undefined;
  let isClean = true;
  const redact: Redactor['redact'] = (_, bytes, start, end) => {
    if (learn(bytes, start, end)) isClean = false;
    return 0;
  };
  redactStream(held?.read ?? reread!, { redact }, { slice: () => {}, text: () => {} }, () => {});
  if (held?.isLeft()) onLeft();
  return { read: held?.again ?? read, isClean: isClean && held?.isLeft() !== true };
}

/** Reads an input up to a limit, and then all of it again. */
function holding(source: Read) {
  const chunks: Buffer[] = [];
  let length = 0;
  const read: Read = (bytes, offset, wanted) => {
    const got = length < MOST_HELD ? source(bytes, offset, wanted) : 0;
    if (got > 0) chunks.push(Buffer.from(bytes.subarray(offset, offset + got)));
    length += got;
    return got;
  };
  const again: Read = (bytes, offset, wanted) => {
    const first = chunks[0];
    if (first === undefined) return source(bytes, offset, wanted);
    const got = first.copy(bytes, offset, 0, wanted);
    if (got < first.length) chunks[0] = first.subarray(got);
    else chunks.shift();
    return got;
  };
  return { read, again, isLeft: () => length >= MOST_HELD };
}
