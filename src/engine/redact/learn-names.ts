/** Names that a text tells late, in a path, may stand bare before: they are learned before anything is replaced. */
import type { Read } from '../../json/rows.js';
import type { Redactor } from '../../secrets/redact.js';

type Learn = NonNullable<Redactor['learn']>;

const WINDOW = 1 << 22;
/** A path that one window cuts is whole in the next one. */
const OVERLAP = 1 << 10;
/** So many bytes of an input are held that cannot be read twice. */
const MOST_HELD = 1 << 28;

/**
 * Learns from an input, and returns a reader of all of it. `reread`: another reader of the same bytes; without it, the
 * input is held. `onLeft` is called if it is too long for that.
 */
export function learnNames(read: Read, reread: Read | undefined, learn: Learn, onLeft: () => void): Read {
  if (reread === undefined) return held(read, learn, onLeft);
  const next = windowsOf(reread, learn);
  while (next().length === WINDOW);
  return read;
}

/** The next bytes of an input, learned from; fewer than a window at its end. */
function windowsOf(read: Read, learn: Learn): () => Buffer {
  let before = Buffer.alloc(0);
  return () => {
    const bytes = Buffer.alloc(before.length + WINDOW);
    const start = before.copy(bytes);
    let filled = start;
    for (let got = -1; got !== 0 && filled < bytes.length; filled += got)
      got = read(bytes, filled, bytes.length - filled);
    learn(bytes, 0, filled);
    before = Buffer.from(bytes.subarray(Math.max(0, filled - OVERLAP), filled));
    return bytes.subarray(start, filled);
  };
}

function held(read: Read, learn: Learn, onLeft: () => void): Read {
  const windows: Buffer[] = [];
  const next = windowsOf(read, learn);
  for (let more = true; more; ) {
    const window = next();
    windows.push(window);
    more = window.length === WINDOW;
    if (!more || windows.length * WINDOW < MOST_HELD) continue;
    onLeft();
    break;
  }
  return (bytes, offset, length) => {
    while (windows[0]?.length === 0) windows.shift();
    const first = windows[0];
    if (first === undefined) return read(bytes, offset, length);
    const got = first.copy(bytes, offset, 0, length);
    windows[0] = first.subarray(got);
    return got;
  };
}
