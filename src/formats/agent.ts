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
  readonly store?: Store;
  /** A store that is no JSON file, and what makes a file of a session. */
  readonly database?: { readonly folder: string; readonly instead: string };
}

/** Where sessions are, as data: the command line walks the disk by it. */
export interface Store {
  /** The folders, with `~` for the home folder and `<data>` for the folder of VS Code's extensions. */
  readonly folders: readonly string[];
  /** Environment variables that name other folders in their place (several behind commas), and what is below these. */
  readonly movedBy?: readonly string[];
  readonly below?: readonly string[];
  /** Which files below a folder are sessions: paths with slashes. */
  readonly files: RegExp;
  /** Which of them are parts of a session, such as sub-agents. */
  readonly parts?: RegExp;
  /** A name that all sessions have, without its ending: the folder around it has the id. */
  readonly commonName?: string;
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
export function sessionId(name: string, { commonName }: Store): string {
  const [file = '', folder = ''] = name.split('/').reverse();
  const base = file.replace(PACKED, '').replace(/\.jsonl?$/, '');
  const own = base === commonName ? folder : base;
  return own.match(UUID)?.at(-1) ?? own;
}
