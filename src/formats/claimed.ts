/** Whose session a file is. */
import type { Line, Resume } from './resume.js';
import { RESUMES } from './resumes.js';

/** Lines at the start of a file that are asked whose they are. */
const HEAD = 60;
/** So much of a torn document. */
const TORN = 2000;

/** Undefined for what is no session of theirs. */
export function resumeOf(lines: readonly Line[]): Resume | undefined {
  const first = lines[0];
  if (first?.isDocument && first.node === undefined) {
    const head = first.bytes.subarray(0, TORN).latin1Slice();
    return RESUMES.map(({ load }) => load()).find((resume) => resume.claimsTorn?.(head));
  }
  const all = RESUMES.map(({ load }) => load());
  for (const { node } of lines.slice(0, HEAD)) {
    const found = node?.isObject === true ? all.find(({ claims }) => claims(node)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
