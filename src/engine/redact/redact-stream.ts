/** Redacts a text of any length, window by window. It need not be JSON: lines that are cut off hold secrets, too. */

import type { Sink } from '../../json/print.js';
import type { Read } from '../../json/rows.js';
import type { Redactor } from '../../secrets/redact.js';
import { isOfStream } from '../../secrets/streams.js';
import { rejectForeign } from './foreign.js';

/** So many bytes are read at once. */
export const WINDOW = 1 << 22;

/**
 * Prints the text with marks in place of secrets; returns the number of secrets. `settle` is called before bytes are
 * reused. `window`: bytes that are read at once.
 */
export function redactStream(
  read: Read,
  redactor: Pick<Redactor, 'redact'>,
  sink: Sink,
  settle: () => void,
  window = WINDOW,
): number {
  let bytes = Buffer.alloc(window);
  let filled = 0;
  let count = 0;
  let isFirst = true;
  for (;;) {
    const got = read(bytes, filled, bytes.length - filled);
    filled += got;
    if (got > 0 && filled < bytes.length) continue;
    rejectForeign(bytes.subarray(0, filled), isFirst);
    isFirst = false;
    const isLast = got === 0;
    const end = isLast ? filled : safeEnd(bytes, filled);
    if (end === 0 && !isLast) {
      bytes = Buffer.concat([bytes], bytes.length * 2);
      continue;
    }
    count += redactor.redact(sink, bytes, 0, end);
    settle();
    if (isLast) return count;
    bytes.copy(bytes, 0, end, filled);
    filled -= end;
  }
}

/** Where the window can end without cutting a secret: after a line, or within a line after a member; 0 for nowhere. */
function safeEnd(bytes: Buffer, filled: number): number {
  const near = Math.max(0, filled - LONGEST_KEY);
  const key = bytes.subarray(near, filled).lastIndexOf('-----BEGIN'); // the lines of a private key belong together
  const isOpen = key >= 0 && bytes.indexOf('-----END', near + key) < 0;
  const limit = isOpen ? near + key - 1 : filled - 1;
  if (limit < 0) return 0;
  const line = bytes.lastIndexOf(0x0a, limit);
  if (line >= 0 && line < filled) return beforeStream(bytes, line + 1);
  const member = bytes.lastIndexOf('",', limit);
  return member < 0 || member + 2 > filled ? 0 : member + 2;
}

const LONGEST_KEY = 100_000;

/** The pieces of a text that streams belong together, too. */
function beforeStream(bytes: Buffer, end: number): number {
  for (let at = end; at > 0 && end - at < LONGEST_STREAM; ) {
    const start = bytes.lastIndexOf(0x0a, at - 2) + 1;
    const line = bytes.latin1Slice(start, Math.min(at, start + 20_000));
    if (!/^(?:event:.*)?\r?\n$/.test(line) && !isOfStream(line)) return at;
    at = start;
  }
  return end;
}

const LONGEST_STREAM = 1 << 18;
