/** The tools of an agent, as in `agent-tools.ts` of its folder: which read and edit files, and which run something. */
import { commaSet } from '../lists.js';

export interface AgentTools {
  readonly files: readonly FileTools[];
  /**
   * Tools that do unrelated things in a row, and the arguments that tell them apart; the first that is given counts.
   * Tools that act on files are told apart by their files.
   */
  readonly runs?: readonly (readonly [tools: readonly string[], args: readonly string[]])[];
  /** Shells that start in the folder of the project with each call; others may keep the folder of the call before. */
  readonly freshShells?: readonly string[];
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

/** Tools that read or edit files. No two agents have a tool of one name whose path is in the same argument. */
export interface FileTools {
  readonly tools: readonly string[];
  /** What the tools do; `by` an argument: its values in `reads` read, all others edit. */
  readonly does: 'read' | 'edit' | { readonly by: string; readonly reads: readonly string[] };
  /** Arguments that hold paths; of several, the first that is given. `a.b` is `b` of each element of the list `a`. */
  readonly path: readonly string[];
  readonly lines?: readonly LineArguments[];
  /** Arguments that hold a patch in the format of `apply_patch`; `''` if it is the whole input. */
  readonly patch?: readonly string[];
  /** The argument that holds the folder to which paths are relative. */
  readonly folder?: string;
}

/**
 * What tools of several agents do. `edits`: several in one file; `patch`: in the format of `apply_patch`; `delegate`: a
 * sub-agent works; `ask`: questions to the user.
 */
export type Action =
  | ('read' | 'write' | 'edit' | 'edits' | 'patch' | 'shell')
  | ('find' | 'search' | 'list' | 'todo' | 'fetch' | 'web')
  | ('delegate' | 'ask' | 'skill');
/** What the arguments of an action say. Lines count from 1; `to` is the last of them. */
export type Said =
  | ('path' | 'from' | 'count' | 'to' | 'content' | 'old' | 'new' | 'all' | 'edits' | 'patch')
  | ('command' | 'folder' | 'timeout' | 'pattern' | 'include' | 'todos' | 'url' | 'prompt' | 'query' | 'why')
  | ('agent' | 'title' | 'questions' | 'name');

type ItemWord = 'old' | 'new' | 'text' | 'status' | 'header' | 'options' | 'several';

/** A tool that does an action, as in `agent-actions.ts` of its folder: a rewrite does not load them. */
export interface ToolAction {
  readonly does: Action;
  readonly tool: string;
  /** The names of its arguments; `''` if it is the whole input. */
  readonly args: Readonly<Partial<Record<Said, string>>>;
  /** The members of the elements of a list of edits, of things to do, or of questions. */
  readonly item?: Readonly<Partial<Record<ItemWord, string>>>;
  /** What each element must have beside them; `{text}` is its text. */
  readonly filled?: Readonly<Record<string, string>>;
  /** Its names of the sub-agents that each agent has, where sub-agents are named. */
  readonly agents?: Readonly<Record<'general' | 'search', string>>;
  /** It is read, and no longer written: newer versions have another tool. */
  readonly isOld?: true;
}

/** The arguments for a range of lines. The range is open at an end whose argument is not given. */
export interface LineArguments {
  readonly from?: string;
  /** How many lines. */
  readonly count?: string;
  /** The last line. */
  readonly to?: string;
  /** `[from, to]`; a last line of -1 is the end of the file. */
  readonly pair?: string;
  /** The number of the first line in `from`: lines count from 0 if it is not given. */
  readonly first?: 0 | 1;
}

export const OFFSET: LineArguments = { from: 'offset', count: 'limit' };
export const OFFSET_FROM_1: LineArguments = { ...OFFSET, first: 1 };
export const START_TO_END: LineArguments = { from: 'start_line', to: 'end_line', first: 1 };
export const VIEW_RANGE: LineArguments = { pair: 'view_range', first: 1 };

export const PATCHES = ['', 'input', 'patch', 'patchText'];
/** Arguments of a shell. */
export const COMMANDS: readonly string[] = ['command', 'cmd'];
/** Arguments of a shell that say in which folder it starts. */
export const SHELL_FOLDERS = ['workdir', 'working_directory', 'dir_path', 'directory', 'cwd'];
export const VIEW_OR_EDIT = { by: 'command', reads: ['view'] };

/** Arguments of reads that say why, not what: a later read may have others. */
export const ASIDES: ReadonlySet<string> = commaSet(`
  description, explanation, security_risk, safety_risk, task_progress
`);

/**
 * How agents say that a file is as an earlier result shows it, in place of its content: such a read supersedes
 * nothing. https://github.com/anthropics/claude-code/issues/46749, read 2026-11-23
 */
export const UNCHANGED = 'File unchanged since last read';
