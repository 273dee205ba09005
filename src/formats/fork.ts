/**
 * How an agent's session goes on under another id: which lines a new file has of the old one, and where it belongs. An
 * agent's own way stands beside its format, and in the list in forks.ts.
 */
import type { Line } from './resume.js';

/** What is kept: the lines from one to another, and what an agent cannot do without. */
export interface Kept {
  readonly first: number;
  readonly last: number;
}

export interface ForkOf {
  readonly id: string;
  /** The path of the old session. */
  readonly path: string;
  /** When the fork is made: milliseconds since 1970. */
  readonly time: number;
  /** The folder of another project. Undefined for its own. */
  readonly project: string | undefined;
}

export interface Fork {
  readonly agent: string;
  /** Its ids are of version 7, which begin with the time. Otherwise they are all chance. */
  readonly idsByTime: boolean;
  /** The lines of the new session. */
  lines(lines: readonly Line[], kept: Kept, fork: ForkOf): Line[];
  /** Its place below the folder of the agent, whose session lies at that place now. */
  place(fork: ForkOf, home: string, cwd: string): string;
  /** Files of the session beside its own: the folder of the old one, and of the new one. */
  beside?(path: string): string;
  /** Files and folders elsewhere that hold how the session stands at its end, and their places: its todo list. */
  atItsEnd?(fork: ForkOf): readonly (readonly [from: string, to: string])[];
  /** What stays with the old session, and the file or folder that holds it, by the agent's own source. */
  stays?(fork: ForkOf, lines: readonly Line[]): readonly (readonly [what: string, path: string])[];
}

/** The last line of each of these types that is before what is kept: settings that hold from there on. */
export function settingsBefore(lines: readonly Line[], { first }: Kept, types: readonly string[]): Line[] {
  const before = lines.filter(({ at }) => at < first);
  const found = types.flatMap((type) => before.findLast(({ node }) => node?.get('type')?.string === type) ?? []);
  return found.sort((a, b) => a.at - b.at);
}

export const isIn = ({ at }: Line, { first, last }: Kept) => at >= first && at <= last;
