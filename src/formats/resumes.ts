/** The agents whose loaders are known. To add one: a file beside its format (see resume.ts), and a line here. */
import claudeCode from './anthropic/claude-code-resume.js';
import codex from './codex/codex-resume.js';
import pi from './pi/pi-resume.js';
import type { Line, Resume } from './resume.js';

const RESUMES: readonly Resume[] = [claudeCode, codex, pi];

/** Lines at the start of a file that are asked whose they are. */
const HEAD = 60;

/** Undefined for what is no session of theirs. */
export function resumeOf(lines: readonly Line[]): Resume | undefined {
  for (const { node } of lines.slice(0, HEAD)) {
    const found = node?.isObject === true ? RESUMES.find(({ claims }) => claims(node)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
