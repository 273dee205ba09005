/** What the calls of a transcript do to files. */
import { TranscriptError } from '../errors.js';
import { ASIDES, type FileTools, type LineArguments } from '../formats/agent-tool.js';
import { AGENT_TOOLS } from '../formats/agent-tools.js';
import { canonicalValue } from '../json/canonical.js';
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { patchedPaths } from './patch-text.js';

export interface FileCall {
  readonly does: 'read' | 'edit';
  /** Normalized: equal if the files are. */
  readonly paths: readonly string[];
  /** The same as the model wrote them. */
  readonly written: readonly string[];
  /** The other arguments of a read, without its range: reads with other ones show something else of the file. */
  readonly manner: string;
  /** The range that a read asks for. */
  readonly lines: Lines;
  /** What a result shows of the file; all of it if missing. */
  readonly output?: (result: string) => string;
}

/** Lines by their numbers from 1. */
export interface Lines {
  readonly start: number;
  /** Exclusive; Infinity for the end of the file. */
  readonly end: number;
}

export type FileToolIndex = ReadonlyMap<string, readonly FileTools[]>;
type Arguments = Readonly<Record<string, unknown>>;

/** Finds tools by name. `reads` and `edits` add tools as `tool=argument`. Throws TranscriptError if one is not. */
export function fileToolsWith({ reads, edits }: { reads: readonly string[]; edits: readonly string[] }): FileToolIndex {
  const added = [
    ...reads.map((text) => ({ does: 'read' as const, ...toolArgument(text) })),
    ...edits.map((text) => ({ does: 'edit' as const, ...toolArgument(text) })),
  ].map(({ does, tool, argument }) => ({ tools: [tool], does, path: [argument] }));
  const index = new Map<string, FileTools[]>();
  for (const row of [...added, ...AGENT_TOOLS.flatMap(({ files }) => files)])
    for (const tool of row.tools) index.set(tool, [...(index.get(tool) ?? []), row]);
  return index;
}

/** `tool=argument`. */
export function toolArgument(text: string): { readonly tool: string; readonly argument: string } {
  const at = text.lastIndexOf('=');
  if (at > 0 && at < text.length - 1) return { tool: text.slice(0, at), argument: text.slice(at + 1) };
  throw new TranscriptError('usage', `\`${text}\` is not a tool and its argument; expected tool=argument`);
}

/** What a call does to files; undefined if it is none of these tools. `folder`: where relative paths start. */
export function fileCallOf(part: CallPart, tools: FileToolIndex, folder: string | undefined): FileCall | undefined {
  const rows = tools.get(part.tool);
  if (rows === undefined) return undefined;
  const text = textOf(part.input);
  const args = argumentsIn(text);
  for (const row of rows) {
    const does = actionOf(row, args);
    const written = row.patch === undefined ? pathsIn(args, row.path) : pathsOfPatch(row.patch, args, text);
    if (does === undefined || written.length === 0) continue;
    const base = row.folder === undefined ? undefined : args[row.folder];
    const paths = written.map((path) => normalized(path, typeof base === 'string' ? base : folder));
    return { does, paths, written, manner: mannerOf(row, args), lines: linesOf(row, args) };
  }
  return undefined;
}

/** The arguments of a call; none if they are not a JSON object. */
export function argumentsIn(text: string): Arguments {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : {};
  } catch {
    return {};
  }
}

function actionOf({ does }: FileTools, args: Arguments): FileCall['does'] | undefined {
  if (typeof does === 'string') return does;
  const value = args[does.by];
  if (typeof value !== 'string') return undefined;
  return does.reads.includes(value) ? 'read' : 'edit';
}

function pathsIn(args: Arguments, names: readonly string[]): readonly string[] {
  for (const name of names) {
    const [list = name, member] = name.split('.');
    const values = [args[list]].flat();
    const paths = member === undefined ? values : values.map((value) => (value as Arguments | undefined)?.[member]);
    if (paths.every((path): path is string => typeof path === 'string' && path !== '')) return paths;
  }
  return [];
}

function pathsOfPatch(names: readonly string[], args: Arguments, text: string): readonly string[] {
  const values = names.flatMap((name) => (name === '' ? text : args[name]));
  return values.filter((value) => typeof value === 'string').flatMap(patchedPaths);
}

/** A list of files has its ranges beside the paths, so the whole list counts. */
function mannerOf({ path, lines = [], does }: FileTools, args: Arguments): string {
  const ranges = lines.flatMap(({ from, count, to, pair }) => [from, count, to, pair]);
  const known = new Set([...path, ...ranges, typeof does === 'string' ? undefined : does.by]);
  return canonicalValue(
    Object.fromEntries(Object.entries(args).filter(([name]) => !known.has(name) && !ASIDES.has(name))),
  );
}

function linesOf({ lines = [] }: FileTools, args: Arguments): Lines {
  const given = lines.find(({ from, count, to, pair }) =>
    [from, count, to, pair].some((name) => name !== undefined && args[name] !== undefined && args[name] !== null),
  );
  return given === undefined ? { start: 1, end: Number.POSITIVE_INFINITY } : linesBy(given, args);
}

function linesBy({ from, count, to, pair, first = 0 }: LineArguments, args: Arguments): Lines {
  const [pairStart, pairEnd] = pair === undefined ? [] : [args[pair]].flat();
  const start = Math.max(1, (numberOf(from === undefined ? pairStart : args[from]) ?? first) + 1 - first);
  const last = numberOf(to === undefined ? pairEnd : args[to]);
  if (last !== undefined && last >= 0) return { start, end: last + 1 };
  return { start, end: start + (numberOf(count === undefined ? undefined : args[count]) ?? Number.POSITIVE_INFINITY) };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const WINDOWS = /^(?:[A-Za-z]:)?\\/;
const ABSOLUTE = /^(?:\/|[A-Za-z]:\/)/;

export function isAbsolute(path: string): boolean {
  return ABSOLUTE.test(path) || WINDOWS.test(path);
}

/** One spelling for the paths of a file, by their text alone: `./a`, `b/../a` and the absolute path are the same. */
export function normalized(path: string, folder = ''): string {
  const slashed = (text: string) => (WINDOWS.test(path) || WINDOWS.test(folder) ? text.replaceAll('\\', '/') : text);
  const own = slashed(path);
  const whole = ABSOLUTE.test(own) || folder === '' ? own : `${slashed(folder)}/${own}`;
  const kept: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else kept.push(name);
  }
  return (whole.startsWith('/') ? '/' : '') + kept.join('/');
}
