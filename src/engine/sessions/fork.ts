/** A session that goes on under another id: its lines from one message to another, so that the agent loads them all. */
import { TranscriptError } from '../../errors.js';
import { resumeOf } from '../../formats/claimed.js';
import type { Fork, ForkOf, Kept } from '../../formats/fork.js';
import { FORKS } from '../../formats/forks.js';
import { bytesOf, type Line, linesOf, lineWith } from '../../formats/resume.js';
import { patch } from '../../json/edit.js';
import { mendSession } from '../check/sessions.js';

export interface Forkable {
  readonly fork: Fork;
  readonly lines: readonly Line[];
  /** The folder that it was last in. */
  readonly cwd: string | undefined;
}

/** Throws TranscriptError for a file that is no session of an agent whose sessions can be forked. */
export function forkable(bytes: Buffer): Forkable {
  const lines = linesOf(bytes);
  const agent = resumeOf(lines)?.agent;
  const fork = FORKS.find((one) => one.agent === agent);
  if (fork === undefined) {
    const otherwise = OTHERWISE.get(agent ?? '') ?? '';
    throw new TranscriptError(
      'usage',
      `fork takes sessions of ${FORKS.map(({ agent: id }) => id).join(', ')}${otherwise}`,
    );
  }
  const at = lines.findLast(({ node }) => (node?.get('cwd') ?? node?.get('payload')?.get('cwd'))?.isString)?.node;
  return { fork, lines, cwd: (at?.get('cwd') ?? at?.get('payload')?.get('cwd'))?.string };
}

/** How other agents' sessions go on as new ones. opencode 1.18.33, Gemini CLI 0.61.0 (2026-11-26). */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['opencode', '; opencode forks its own: opencode --session <id> --fork'],
  ['gemini-cli', '; this one goes on as a new one with handover --to gemini-cli'],
]);

export function forkedSession({ fork, lines }: Forkable, kept: Kept, of: ForkOf): Buffer {
  const written = bytesOf(fork.lines(lines, kept, of));
  return mendSession(written, of.path)?.bytes ?? written;
}

/** The log of a sub-agent, whose lines name the session that it belongs to. All else stays as it is. */
export function partOf(bytes: Buffer, id: string): Buffer {
  const named = (line: Line): Line =>
    line.node?.get('sessionId')?.isString === true ? lineWith(line, patch(line.node, { sessionId: id })) : line;
  return bytesOf(linesOf(bytes).map(named));
}
