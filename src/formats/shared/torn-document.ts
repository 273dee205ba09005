/** A session that is one JSON document, whose writing broke off. */
import { type Fault, type Line, lineOf } from '../resume.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Closed behind the last whole item of its list, if it has one. */
export function tornDocument(line: Line, list: string): Fault[] {
  if (line.node !== undefined) return [];
  const { end, count, isClosed } = endIn(line.bytes, list);
  const text = `a write broke off here, and the agent reads nothing of the file; ${count} of its ${list} are whole`;
  if (count === 0) return [{ rule: 'line-torn', line, text }];
  const whole = Buffer.concat([line.bytes.subarray(0, end), Buffer.from(isClosed ? '\n}' : '\n  ]\n}')]);
  return [
    { rule: 'line-torn', line, text, mend: new Map([[line, [lineOf(line, whole)]]]), cut: line.bytes.subarray(end) },
  ];
}

/** Where the last whole item of a list of the outermost object ends, or the list itself. */
function endIn(bytes: Buffer, list: string) {
  const opening = new RegExp(`"${list}"\\s*:\\s*$`);
  let [depth, count, end] = [0, 0, 0];
  let isIn = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (depth === 1 && byte === 0x5b) isIn = opening.test(bytes.latin1Slice(Math.max(0, at - 40), at));
      depth++;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      if (!isIn || depth > 2) continue;
      end = at + 1;
      if (depth === 1) return { end, count, isClosed: true };
      count++;
    }
  }
  return { end, count, isClosed: false };
}
