/**
 * An agent program: the formats that only it writes, and where it keeps its sessions. What is known of an agent stands
 * in its folder: `agent.ts` here, and its tools in `agent-tools.ts` (see agent-tool.ts).
 *
 * Folders and variables are those of the agents' documentation and of two collections of them, as of 2026-11-20:
 * https://ccusage.com/guide/environment-variables, https://github.com/wesm/agentsview
 */

export interface Agent {
  /** As in `@claude-code`, and in the column `agent` of `stats`. */
  readonly id: string;
  readonly title: string;
  /** Formats that no other agent writes. */
  readonly formats?: readonly string[];
  /** Its sessions, if they are files. */
  readonly stores?: readonly Store[];
  /** A store that is no JSON file, and what makes a file of a session. */
  readonly database?: { readonly folder: string; readonly instead: string };
}

/** Folders with sessions, as data: the command line walks the disk by it. */
export interface Store {
  /** The folders, with `~` for the home folder and `<data>` for that of the extensions of each editor. */
  readonly folders: readonly string[];
  /** Environment variables that name other folders in their place (several behind commas), and what is below these. */
  readonly movedBy?: readonly string[];
  readonly below?: readonly string[];
  /** Which files below a folder are sessions: paths with slashes. */
  readonly files: RegExp;
  /** Which of them are parts of a session, such as sub-agents. */
  readonly parts?: RegExp;
  /** The path of a session up to what its id is in. By default the name of its file. */
  readonly id?: RegExp;
  /** The file beside a session in which the agent keeps what its requests used. */
  readonly usage?: UsageFile;
}

export interface UsageFile {
  /** What ends the path of a session, and what ends that of the file in its place. */
  readonly of: RegExp;
  readonly is: string;
  /** The format of its rows. */
  readonly format: string;
  /** The file is one row. */
  readonly isRow?: true;
}

/** Types an agent: `export default defineAgent({...})`. */
export function defineAgent<T extends Agent>(agent: T): T {
  return agent;
}

/** Behind the name of a packed file. Beside the same file unpacked, the agent passes it over. */
const PACKED = /\.zst$/;

/** Of the files below a folder of the store, those that are sessions. */
export function sessionsAmong(names: readonly string[], { files }: Store): string[] {
  const plain = new Set(names);
  return names.filter((name) => files.test(name) && !(PACKED.test(name) && plain.has(name.replace(PACKED, ''))));
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** The id of the session in a file, as its agent names it; else the name of the file. */
export function sessionId(name: string, { id }: Store): string {
  const own = id?.exec(name)?.[1] ?? name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl?(?:\.zst)?$/, '');
  return own.match(UUID)?.at(-1) ?? own;
}
