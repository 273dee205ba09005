/** What figures are without: inputs that cannot be read, content that no message holds, and lines that are no JSON. */

/** How much looks like a text, a call or a result in a recording, and is in no message. */
export interface Unread {
  /** Rows or records with such content. */
  readonly rows: number;
  readonly calls: number;
  readonly results: number;
  readonly texts: number;
  /** The line of the first. */
  readonly line: number;
}

export interface FileUnread extends Unread {
  readonly file: string;
  readonly format: string;
  /** Only the beginning was searched. */
  readonly isPart: boolean;
}

export interface BadLines {
  readonly file: string;
  readonly bad: number;
  /** All lines with a value, the bad ones included. */
  readonly lines: number;
  /** The first bad one, and what is wrong with it. */
  readonly line: number;
  readonly reason: string;
}

export interface UnreadableInput {
  readonly file: string;
  readonly message: string;
}

/** A folder or file of an agent that is there and cannot be read. */
export interface LeftOutStore {
  readonly agent: string;
  readonly path: string;
  readonly why: string;
  /** How many, if that is known. */
  readonly sessions?: number;
}

export interface Omissions {
  readonly unread: readonly FileUnread[];
  readonly badLines: readonly BadLines[];
  readonly unreadable?: readonly UnreadableInput[];
  /** Of names such as `@all`. */
  readonly leftOut?: readonly LeftOutStore[];
}

export const NOTHING_OMITTED: Omissions = { unread: [], badLines: [] };

export function isWhole({ unread, badLines, unreadable = [], leftOut = [] } = NOTHING_OMITTED): boolean {
  return [unread, badLines, unreadable, leftOut].every(({ length }) => length === 0);
}

/** `135 rows hold tool calls or results that codex-rollout does not read, first in line 3` */
export function unreadText({ rows, calls, results, texts, line, format, isPart }: Omit<FileUnread, 'file'>): string {
  const named = calls > 0 ? 'results' : 'tool results';
  const kinds = [
    ...(calls > 0 ? ['tool calls'] : []),
    ...(results > 0 ? [named] : []),
    ...(texts > 0 ? ['texts'] : []),
  ];
  const what = kinds.length < 3 ? kinds.join(' or ') : `${kinds[0]}, ${kinds[1]} or ${kinds[2]}`;
  const count = `${isPart ? 'at least ' : ''}${rows} ${rows === 1 ? 'row holds' : 'rows hold'}`;
  return `${count} ${what} that ${format} does not read, first in line ${line}`;
}

/** `1 of 5 lines is not JSON (line 3): figures are without it` */
export function badLinesText({ bad, lines, line }: BadLines): string {
  const [verb, them] = bad === 1 ? ['is', 'it'] : ['are', 'them'];
  const where = bad === 1 ? `line ${line}` : `first in line ${line}`;
  return `${bad} of ${lines} lines ${verb} not JSON (${where}): figures are without ${them}`;
}
