/** Reads of one file through a shell, such as `sed -n '1,200p' a.ts` or `cd src && nl -ba a.ts | head -50`. */
import { COMMANDS, SHELL_FOLDERS } from '../formats/agent-tool.js';
import { AGENT_TOOLS } from '../formats/agent-tools.js';
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { argumentsIn, type FileCall, isAbsolute, type Lines, normalized } from './file-calls.js';
import { type Words, wordsOf } from './shell-words.js';

const SHELLS: ReadonlySet<string> = new Set(
  AGENT_TOOLS.flatMap(({ runs = [] }) => runs.flatMap(([tools, args]) => (isCommand(args) ? tools : []))),
);
export const isShell = (tool: string | undefined): boolean => tool !== undefined && SHELLS.has(tool);
const FRESH: ReadonlySet<string> = new Set(AGENT_TOOLS.flatMap(({ freshShells = [] }) => freshShells));

function isCommand(args: readonly string[]): boolean {
  return args.every((name) => COMMANDS.includes(name));
}

/**
 * What a call of a shell reads, if it only shows one file or a range of it. `project`: where shells start that keep no
 * folder between calls; a relative path means nothing in the others, unless the call says its folder.
 */
export function shellReadOf(part: CallPart, project: string | undefined): FileCall | undefined {
  if (!SHELLS.has(part.tool)) return undefined;
  const args = argumentsIn(textOf(part.input));
  const stages = stagesOf(COMMANDS.map((name) => args[name]).find((command) => command !== undefined));
  if (stages === undefined) return undefined;
  const [first, ...rest] = stages;
  const moved = first?.after === '&&' && first.words[0] === 'cd' && first.words.length === 2;
  const [reader, ...narrowing] = moved ? rest : stages;
  const read = reader && readerOf(reader.words);
  if (read === undefined || [reader, ...narrowing].slice(0, -1).some((stage) => stage?.after !== '|')) return undefined;
  const lines = narrowing.reduce<Lines | undefined>(
    (shown, { words }) => (shown === undefined ? undefined : narrowed(shown, words)),
    read.lines,
  );
  const given = SHELL_FOLDERS.map((name) => args[name]).find((folder) => typeof folder === 'string');
  const start = given ?? (FRESH.has(part.tool) ? project : undefined);
  const folder = moved ? within(start, first.words[1]!) : start;
  if (lines === undefined || (folder === undefined && !isAbsolute(read.path))) return undefined;
  return {
    does: 'read',
    paths: [normalized(read.path, folder)],
    written: [read.path],
    manner: read.manner,
    lines,
    output: shownBy,
  };
}

/** The commands of a call: a text, or the words of one command, perhaps `bash -lc <text>`. */
function stagesOf(command: unknown): readonly Words[] | undefined {
  if (typeof command === 'string') return wordsOf(command);
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', flag = '', text] = command;
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag);
  if (isShell) return command.length === 3 ? wordsOf(text!) : undefined;
  return [{ words: command, after: undefined }];
}

function within(start: unknown, folder: string): string | undefined {
  if (isAbsolute(folder)) return folder;
  return typeof start === 'string' ? `${start}/${folder}` : undefined;
}

interface Read {
  readonly path: string;
  readonly lines: Lines;
  /** Reads that show something else of the file than its lines have their own. */
  readonly manner: string;
}

const WHOLE: Lines = { start: 1, end: Number.POSITIVE_INFINITY };

/** What the command that names the file shows of it. */
function readerOf(words: readonly string[]): Read | undefined {
  const [command = '', ...args] = words;
  const plain = args.filter((word) => !word.startsWith('-'));
  const path = plain.at(-1) ?? '';
  if (path === '') return undefined;
  if (command === 'rg' || command === 'grep') return plain.length === 2 ? searchOf(words, path) : undefined;
  if (command === 'cat' || command === 'nl') return plain.length === 1 ? { path, lines: WHOLE, manner: '' } : undefined;
  if (args.at(-1) !== path) return undefined;
  const lines = narrowed(WHOLE, words.slice(0, -1));
  if (lines !== undefined) return { path, lines, manner: '' };
  return command === 'tail' && plain.length <= 2
    ? { path, lines: WHOLE, manner: words.slice(0, -1).join(' ') }
    : undefined;
}

/** A search shows other lines than a read, and another search others again. */
function searchOf(words: readonly string[], path: string): Read | undefined {
  return words.at(-1) === path ? { path, lines: WHOLE, manner: words.slice(0, -1).join('\n') } : undefined;
}

/** The lines that are left of those shown when they go through `sed -n 5,9p`, `head` or `tail -n +5`. */
function narrowed({ start, end }: Lines, [command, ...args]: readonly string[]): Lines | undefined {
  const range = rangeOf(command, args.join(' '));
  if (range === undefined) return undefined;
  return { start: start + range.start - 1, end: Math.min(end, start + range.end - 1) };
}

function rangeOf(command: string | undefined, args: string): Lines | undefined {
  if (command === 'sed') {
    const [, first, last = first] = /^-n (\d+)(?:,(\d+|\$))?p$/.exec(args) ?? [];
    return first === undefined ? undefined : linesTo(Number(first), last === '$' ? WHOLE.end : Number(last) + 1);
  }
  if (command === 'head' && args === '') return linesTo(1, DEFAULT_HEAD + 1);
  const [, count] = (command === 'head' && /^-(?:n ?)?(\d+)$/.exec(args)) || [];
  if (count !== undefined) return linesTo(1, Number(count) + 1);
  const [, from] = (command === 'tail' && /^-n ?\+(\d+)$/.exec(args)) || [];
  return from === undefined ? undefined : linesTo(Number(from), WHOLE.end);
}

/** https://www.gnu.org/software/coreutils/manual/html_node/head-invocation.html, read 2026-11-26 */
const DEFAULT_HEAD = 10;

function linesTo(start: number, end: number): Lines | undefined {
  return start > 0 && end > start ? { start, end } : undefined;
}

/** What Codex writes above an output. */
export const OUTPUT_HEADER =
  /^(?:(?:Chunk ID|Wall time|Process|Exit code|Original token|Total output)[^\n]*\n)+Output:\n/;

/** Agents wrap what a command printed: in JSON, or below a header that ends with `Output:`. */
function shownBy(text: string): string {
  if (text.startsWith('{')) {
    const { output } = argumentsIn(text);
    return typeof output === 'string' ? output : text;
  }
  const header = OUTPUT_HEADER.exec(text);
  return header === null ? text : text.slice(header[0].length);
}
