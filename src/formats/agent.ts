/**
 * An agent program: the formats that only it writes, and where it keeps its sessions. What is known of an agent stands
 * in its folder: `agent.ts` here, and its tools in `agent-tools.ts` (see agent-tool.ts).
 *
 * Folders and variables are those of the agents' documentation and of two collections of them, as of 2026-11-20:
 * https://ccusage.com/guide/environment-variables, https://github.com/wesm/agentsview
 */

import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Message } from '../transcript/types.js';

export interface Agent {
  /** As in `@claude-code`, and in the column `agent` of `stats`. */
  readonly id: string;
  readonly title: string;
  /** Formats that no other agent writes. */
  readonly formats?: readonly string[];
  /** Its command that goes on with a session, up to the id. None where the documentation has none. */
  readonly resume?: string;
  /** Its sessions, if they are files. */
  readonly stores?: readonly Store[];
}

/** Folders with sessions, as data: the command line walks the disk by it. */
export interface Store {
  /** The folders, with `~` for home, and `<data>` for that of extensions of each editor, or `<data Cursor>` of one. */
  readonly folders: readonly string[];
  /** Environment variables that name other folders in their place (several behind commas), and what is below these. */
  readonly movedBy?: readonly string[];
  readonly below?: readonly string[];
  /** Which files below a folder are sessions: paths with slashes. */
  readonly files: RegExp;
  /** The folder below names no project. */
  readonly isByTime?: true;
  /** Which of them are parts of a session, such as sub-agents. */
  readonly parts?: RegExp;
  /** The path of a session up to what its id is in. By default the name of its file. */
  readonly id?: RegExp;
  /** The path of a part up to the id of its session. */
  readonly whole?: RegExp;
  /** The id at the start of a file, where the path has none or only a piece: of the session, also in its parts. */
  readonly idInside?: RegExp;
  /** The file beside a session in which the agent keeps what its requests used. */
  readonly usage?: UsageFile;
  /** The file beside a session that names its project. */
  readonly project?: ProjectFile;
  /** The agent deletes what did not change for so many days, unless the file above the folder says another number. */
  readonly deletes?: { readonly days: number; readonly setting: string; readonly file: string };
  /** The files, in the folder itself, are databases of SQLite with many sessions each. */
  readonly database?: Database;
  /** A session is spread over many files, of which `files` names one. */
  readonly spread?: Spread;
}

/** What a database answers: rows by column. `values` stand for the question marks. */
export type Select = (sql: string, ...values: readonly string[]) => readonly Readonly<Record<string, unknown>>[];

/** Each session in it is read as a document of a format. It has the path of the database with its id behind. */
export interface Database {
  /**
   * A row a session: `id`, `changed` in milliseconds since 1970, the `folder` of its project, its `parent`.
   * Tables differ by version: the first query that they have the columns for is taken.
   */
  readonly sessions: readonly string[];
  /** Rows with the `id` of a session and how many of its messages are `missing`, for those of which some are. */
  readonly incomplete?: string;
  /** Undefined if there is none of this id. */
  session(id: string, select: Select): Json | undefined;
  /** What makes a file of a session. */
  readonly instead?: string;
}

export interface Spread {
  /** The path of a session's own file, from the folder on in which all files are. */
  readonly of: RegExp;
  /** `filesIn`: the values in the files of a folder in it, by name. Undefined if there is nothing beside the file. */
  session(own: JsonNode, filesIn: (folder: string) => readonly JsonNode[]): Json | undefined;
}

export interface UsageFile {
  /** What ends the path of a session, and what ends that of the file in its place. */
  readonly of: RegExp;
  readonly is: string;
  /** The format of its rows. */
  readonly format: string;
  /** The file is one row. */
  readonly isRow?: true;
  /** The messages of the session with what the file says of which are no longer sent. */
  sent?(messages: readonly Message[], file: JsonNode): readonly Message[];
}

export interface ProjectFile {
  /** What ends the path of a session, and what ends that of the file in its place. */
  readonly of: RegExp;
  readonly is: string;
  /** The member that holds the folder. */
  readonly member: string;
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

const UUID = /^(?:T-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export interface SessionIds {
  /** Of the session or part in the file, as its agent names it; else the name of the file. */
  readonly id: string;
  /** Of its path alone. */
  readonly name: string;
  /** Of the session that it is a part of; `id` itself for a whole one. */
  readonly session: string;
}

/** The ids of a file. `inside`: finds the id at its start. */
export function sessionIds(name: string, store: Store, inside: (id: RegExp) => string | undefined): SessionIds {
  const own = store.id?.exec(name)?.[1] ?? name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl?(?:\.zst)?$/, '');
  const found = () => (store.idInside === undefined ? undefined : inside(store.idInside));
  if (store.parts?.test(name) === true)
    return { id: own, name: own, session: store.whole?.exec(name)?.[1] ?? found() ?? own };
  const id = UUID.test(own) ? own : (found() ?? own);
  return { id, name: own, session: id };
}

/** What many agents begin their files with. */
export const SESSION_ID = /"sessionId"\s*:\s*"([^"]+)"/;
/** The id of a first line that is of this type. */
export function idOfFirst(type: string): RegExp {
  return new RegExp(`^(?=[^\\n]*"type"\\s*:\\s*"${type}")[^\\n]*?"id"\\s*:\\s*"([^"]+)"`);
}
