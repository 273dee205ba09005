/** What a call does, in words that agents share, and the call by which another agent does the same. */
import type { Action, Said, ToolAction } from '../formats/agent-tool.js';
import { quoted } from '../text/shell.js';
import { addingPatch, patchedFile, type TextEdit, updatingPatch } from './patches.js';
import { SESSION_TARGETS } from './session-targets.js';
import { lineIn, shellLine } from './shell-lines.js';

type Values = Readonly<Partial<Record<Said, unknown>>>;
type Fields = Readonly<Record<string, unknown>>;

/** What a call does. */
export interface Doing {
  readonly does: Action;
  readonly values: Values;
  /** The names of arguments that no other agent has. */
  readonly others: readonly string[];
}

/** A call of an agent. */
export interface AgentCall {
  readonly tool: string;
  readonly input: string;
  /** Its input is a text, not an object. */
  readonly isFreeText: boolean;
  /** What the call says beside, and this agent's does not. */
  readonly lost: readonly string[];
}

/** What an action must say. */
const NEEDED: Readonly<Record<Action, readonly Said[]>> = {
  read: ['path'],
  write: ['path', 'content'],
  edit: ['path', 'old', 'new'],
  edits: ['path', 'edits'],
  patch: ['patch'],
  shell: ['command'],
  find: ['pattern'],
  search: ['pattern'],
  list: ['path'],
  todo: ['todos'],
  fetch: ['url'],
  web: ['query'],
  delegate: ['prompt'],
  ask: ['questions'],
  skill: ['name'],
};
/** Arguments that are numbers. A value of another type is not written, but named as lost. */
const NUMBERS: ReadonlySet<string> = new Set(['from', 'count', 'to', 'timeout']);
const LISTS: ReadonlySet<string> = new Set(['edits', 'todos', 'questions']);

// --- reading

/** `own`: the tools of the agent that called, if it is known; else those of any. */
export function doingOf(tool: string, input: string, own: readonly ToolAction[] | undefined): Doing | undefined {
  const rows = own ?? SESSION_TARGETS.flatMap(({ tools = [] }) => tools);
  for (const row of rows) {
    const doing = row.tool === tool ? readAs(row, input) : undefined;
    if (doing !== undefined) return doing.does === 'shell' ? inShell(doing, own) : doing;
  }
  return undefined;
}

function readAs(row: ToolAction, input: string): Doing | undefined {
  const fields = fieldsIn(input);
  const [[said, name] = []] = Object.entries(row.args);
  if (name === '') return { does: row.does, values: { [said!]: textIn(fields) ?? input }, others: [] };
  if (fields === undefined) return undefined;
  const values: Partial<Record<Said, unknown>> = {};
  const others: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const at = (Object.keys(row.args) as Said[]).find((word) => row.args[word] === key);
    if (value === null && at !== undefined) continue;
    if (at === undefined || (NUMBERS.has(at) && typeof value !== 'number')) others.push(key);
    else values[at] = readValue(at, value, row, others);
  }
  return NEEDED[row.does].every((word) => isOfKind(word, values[word]))
    ? { does: row.does, values: withCount(values), others }
    : undefined;
}

/** The text of free input that stands in an object. */
function textIn(fields: Fields | undefined): string | undefined {
  const [[key, text] = [], ...more] = Object.entries(fields ?? {});
  return more.length === 0 && key === 'arguments' && typeof text === 'string' ? text : undefined;
}

function fieldsIn(input: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function isOfKind(word: Said, value: unknown): boolean {
  if (LISTS.has(word)) return Array.isArray(value) && (word !== 'edits' || value.every(isEdit));
  return typeof value === 'string';
}

function isEdit({ old, new: to }: Partial<TextEdit>): boolean {
  return typeof old === 'string' && typeof to === 'string';
}

function readValue(word: Said, value: unknown, row: ToolAction, others: string[]): unknown {
  const { item = {}, filled = {}, agents = {} } = row;
  if (word === 'agent') return Object.entries(agents).find(([, own]) => own === value)?.[0] ?? value;
  if (word === 'command' && Array.isArray(value)) {
    others.push('the words of a command, which are one text');
    return commandIn(value);
  }
  if (!LISTS.has(word) || !Array.isArray(value)) return value;
  const known = new Map(Object.entries(item).map(([said, key]) => [key, said]));
  return value.map((element: unknown) => {
    const entries = typeof element === 'object' && element !== null ? Object.entries(element) : [];
    for (const [key, each] of entries)
      if (!known.has(key) && !others.includes(key) && !isFilled(filled[key], each)) others.push(key);
    return Object.fromEntries(entries.flatMap(([key, each]) => (known.has(key) ? [[known.get(key)!, each]] : [])));
  });
}

/** It says no more than what is written where it is not said. */
function isFilled(text: string | undefined, value: unknown): boolean {
  return text === value || text?.includes('{text}') === true;
}

/** A command as a list of words: what a shell is told, or the words. */
function commandIn(words: readonly unknown[]): string {
  const texts = words.map(String);
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(texts[0] ?? '') && /^-l?c$/.test(texts[1] ?? '') && texts.length === 3;
  return isShell ? texts[2]! : texts.map(quoted).join(' ');
}

function withCount({ to, ...values }: Values): Values {
  return typeof to === 'number' ? { ...values, count: to - Number(values.from ?? 1) + 1 } : values;
}

/** A command that is what the agent has no tool for, such as reading a file. */
function inShell(doing: Doing, own: readonly ToolAction[] | undefined): Doing {
  const isAlone = Object.keys(doing.values).length === 1 && doing.others.length === 0;
  const line = own === undefined || !isAlone ? undefined : lineIn(String(doing.values.command));
  const hasTool = own?.some(({ does }) => does === line?.does) === true;
  return line === undefined || hasTool ? doing : { does: line.does, values: withCount(line.values), others: [] };
}

// --- writing

/** Undefined if the agent has no tool for it. `project`: where it works, so that no command has to say it. */
export function callFor(doing: Doing, tools: readonly ToolAction[], project: string): AgentCall | undefined {
  for (const same of sameAs(doing)) {
    const row = tools.find(({ does, isOld }) => does === same.does && isOld !== true);
    if (row !== undefined) return written(row, withFolder(same, row, project));
  }
  return undefined;
}

/** The action, then other actions that come to the same. */
function* sameAs(doing: Doing): Generator<Doing> {
  yield doing;
  const { does, values, others } = doing;
  const { path, old, new: to, ...rest } = values as Values & { path: string; old: string; new: string };
  if (does === 'edit') yield* asEdits(path, [{ old, new: to }], rest, others);
  if (does === 'edits') yield* asEdits(path, values.edits as TextEdit[], { ...rest, edits: undefined }, others);
  if (does === 'write') yield { does: 'patch', values: { patch: addingPatch(path, String(values.content)) }, others };
  if (does === 'patch') yield* asFile(String(values.patch), others);
  const command = shellLine(does, withEnd(values.count === undefined ? values : { from: 1, ...values }));
  if (command !== undefined) yield { does: 'shell', values: { command, ...beside(does, values) }, others };
}

/** Values that the command for an action leaves out. */
function beside(does: Action, values: Values): Values {
  const left = Object.entries(values).filter(([word]) => !['path', 'pattern'].includes(word));
  const isRange = does === 'read' && values.count !== undefined;
  return Object.fromEntries(left.filter(([word]) => !(isRange && /^(?:from|count)$/.test(word))));
}

function* asEdits(path: string, edits: readonly TextEdit[], rest: Values, others: readonly string[]): Generator<Doing> {
  if (edits.length === 1) yield { does: 'edit', values: { ...rest, path, ...edits[0]! }, others };
  yield { does: 'edits', values: { ...rest, path, edits }, others };
  yield { does: 'patch', values: { ...rest, patch: updatingPatch(path, edits) }, others };
}

function* asFile(patch: string, others: readonly string[]): Generator<Doing> {
  const file = patchedFile(patch);
  if (file === undefined) return;
  const { path } = file;
  if ('content' in file) yield { does: 'write', values: { path, content: file.content }, others };
  else yield* asEdits(path, file.edits, {}, [...others, ...file.places]);
}

/** A command in another folder than the project's goes there itself where the tool cannot be told. */
function withFolder(doing: Doing, { args }: ToolAction, project: string): Doing {
  const { folder, ...values } = doing.values;
  if (typeof folder !== 'string' || args.folder !== undefined || doing.does !== 'shell') return doing;
  if (folder === project) return { ...doing, values };
  return { ...doing, values: { ...values, command: `cd ${quoted(folder)} && ${String(values.command)}` } };
}

function withEnd({ count, ...values }: Values): Values {
  if (typeof count !== 'number') return values;
  return { ...values, to: Number(values.from ?? 1) + count - 1 };
}

function written(row: ToolAction, doing: Doing): AgentCall {
  const { tool, args } = row;
  const ended = args.to === undefined ? doing.values : withEnd(doing.values);
  const values = doing.does === 'delegate' ? named(ended, row) : ended;
  const said = (Object.keys(values) as Said[]).filter((word) => values[word] !== undefined);
  const lost = [...doing.others, ...said.filter((word) => args[word] === undefined)];
  const [[first, name] = []] = Object.entries(args);
  if (name === '') return { tool, input: String(values[first as Said]), isFreeText: true, lost };
  const fields = (Object.keys(args) as Said[]).flatMap((word) =>
    values[word] === undefined ? [] : [[args[word]!, writeValue(word, values[word], row)]],
  );
  return { tool, input: JSON.stringify(Object.fromEntries(fields)), isFreeText: false, lost };
}

/** Each agent asks for one of these: which sub-agent it is, or what it does. */
function named(values: Values, { args, agents }: ToolAction): Values {
  const agent = values.agent ?? 'general';
  const own = Object.entries(agents ?? {}).find(([known]) => known === agent)?.[1];
  return {
    ...values,
    agent: own ?? agent,
    ...(args.title === undefined ? {} : { title: values.title ?? own ?? agent }),
  };
}

function writeValue(word: Said, value: unknown, { item = {}, filled = {} }: ToolAction): unknown {
  if (!LISTS.has(word)) return value;
  return (value as Record<string, unknown>[]).map((element) => {
    const own = Object.entries(item).flatMap(([said, key]) =>
      Object.hasOwn(element, said) ? [[key, element[said]]] : [],
    );
    const more = Object.entries(filled).map(([key, text]) => [
      key,
      text.replace('{text}', () => String(element['text'] ?? '')),
    ]);
    return Object.fromEntries([...own, ...more]);
  });
}
