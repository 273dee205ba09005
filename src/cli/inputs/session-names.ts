/** `@` names of sessions: `@last`, `@codex`, `@codex:last`, `@<start of an id>`, `@all`. Loaded only for such. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { TranscriptError } from '../../errors.js';
import { WITH_STORE } from '../../formats/agents.js';
import { nearest } from '../../text/nearest.js';
import { deletedSoon } from '../sessions/missing.js';
import { findSessionFiles, findSessions, type LeftOut, leftOutText, type SessionFile } from '../sessions/sessions.js';
import { type WholeSession, wholeSessions } from '../sessions/whole.js';
import { type Terminal, timeOf } from '../terminal/terminal.js';
import { say } from './reading.js';

const AGENT_IDS = WITH_STORE.map(({ id }) => id).join('|');
const ADDRESS = String.raw`(?<address>(?::\d+(?::\d+|\/[^#\s]+)?)?(?:#[\d.]+| turn \d+)?)`;
/** The name, and an address of `show` behind it. Behind an agent stands an id, which may be a number. */
const NAME = new RegExp(String.raw`^@(?<name>(?:${AGENT_IDS}):[^:#\s]+|.*?)${ADDRESS}$`, 's');

/**
 * Arguments with paths in place of `@` names. `takesParts`: a session is also its sub-agents. Throws TranscriptError
 * for a name that means no session, and for one that would be overwritten although it changed within the last minute.
 */
export function pathsFor(
  words: readonly string[],
  { write, fix, diff, force }: Readonly<Record<string, unknown>>,
  takesParts: boolean,
  terminal: Terminal,
): readonly string[] {
  const paths = withSessionPaths(words, takesParts, terminal);
  const writes = write === true || (fix !== undefined && diff !== true);
  if (writes && force !== true) rejectLive(paths, terminal);
  return paths;
}

const TYPED = new Map<string, string>();

/** What the user typed for a file: its `@` name where it had one. */
export function typedName(path: string): string {
  return TYPED.get(path) ?? path;
}

function withSessionPaths(words: readonly string[], takesParts: boolean, terminal: Terminal): readonly string[] {
  return words.flatMap((word) => {
    const groups = word.startsWith('@') ? NAME.exec(word)?.groups : undefined;
    if (groups === undefined) return [word];
    const name = groups['name']!;
    const isFile = existsSync(resolve(terminal.cwd, word));
    if (isFile && !isFixed(name)) return [word];
    if (isFile) say(terminal, `ctx-trim: warning: ${word} means sessions; the file of this name is ./${word}`);
    const address = groups['address']!;
    const files = sessionsNamed(name, takesParts && address === '', terminal);
    if (files.length === 1) TYPED.set(files[0]!.path, word);
    return files.map(({ path }) => path + address);
  });
}

/** Whether it is a name on every machine, so that no file can take its place. */
function isFixed(name: string): boolean {
  return /^(?:last|all)$/.test(name) || WITH_STORE.some(({ id }) => id === name.split(':')[0]);
}

export function hasSessions({ env }: Terminal): boolean {
  return findSessions(env).length > 0;
}

/** All sessions of this machine, or of one agent; says what cannot be read. `isAll`: also of databases. */
export function sessionsHere(terminal: Terminal, agent?: string, isAll = agent === undefined): readonly WholeSession[] {
  const now = timeOf(terminal).getTime();
  const said = new Set<string>();
  const leaveOut = (one: LeftOut) => {
    const isSaidLater = one.isDatabase === true && (one.isListed === true || !isAll); // where it is opened
    if (isSaidLater) return;
    const text = leftOutText(one);
    if (!said.has(text)) say(terminal, text);
    said.add(text);
    if (one.isListed !== true && one.isCopy !== true) leftOut.set(terminal, [...leftOutOf(terminal), one]);
  };
  const found = findSessions(terminal.env, agent, leaveOut);
  if (isAll) deletedSoon(terminal.env, found, now).forEach(leaveOut);
  const sessions = wholeSessions(found, now);
  for (const { main, files } of sessions) SUBAGENTS.set(main.path, files.length - 1);
  return sessions;
}

const SUBAGENTS = new Map<string, number>();

/** Of a session that was named by `@`, how many sub-agents have files of their own. */
export function subagentsOf(path: string): number {
  return SUBAGENTS.get(path) ?? 0;
}

const leftOut = new WeakMap<Terminal, readonly LeftOut[]>();

/** What could not be read of the sessions that were named so far. */
export function leftOutOf(terminal: Terminal): readonly LeftOut[] {
  return leftOut.get(terminal) ?? [];
}

function sessionsNamed(name: string, takesParts: boolean, terminal: Terminal): readonly SessionFile[] {
  const [first = '', second, ...more] = name.split(':');
  if (more.length > 0) throw unknown(name);
  const agent = WITH_STORE.find(({ id }) => id === first)?.id;
  if (agent === undefined && second !== undefined) throw unknown(name);
  const sessions = sessionsHere(terminal, agent, agent !== undefined || name === 'all');
  const wanted = agent === undefined ? first : (second ?? 'all');
  if (wanted !== 'all' && wanted !== 'last') return begunBy(wanted, sessions, { takesParts, name });
  if (sessions.length === 0)
    throw new TranscriptError('file', `@${name}: no session was found on this machine (ctx-trim sessions lists them)`);
  if (wanted === 'all') return oldestFirst(sessions);
  return takesParts ? sessions[0]!.files : [sessions[0]!.main];
}

/** A request that forks repeat counts in the first session that has it. */
export function oldestFirst(sessions: readonly WholeSession[]): readonly SessionFile[] {
  return [...sessions].reverse().flatMap(({ files }) => files);
}

/** The session with an id of this start, or the sub-agent; else the one whose file has a name of this start. */
function begunBy(
  start: string,
  sessions: readonly WholeSession[],
  { takesParts, name }: { readonly takesParts: boolean; readonly name: string },
): readonly SessionFile[] {
  const begins = (text: string) => text.toLowerCase().startsWith(start.toLowerCase());
  const byId = sessions.flatMap(({ id, main, files }) => {
    const named = [id, main.name].find(begins);
    if (named !== undefined) return [{ agent: main.agent, id: named, files: takesParts ? files : [main] }];
    return files.filter((part) => begins(part.id)).map((part) => ({ ...part, files: [part] }));
  });
  const byFile = () =>
    sessions
      .filter(({ main }) => begins(basename(main.path)))
      .map(({ id, agent, main, files }) => ({ agent, id, files: takesParts ? files : [main] }));
  const begun = byId.length > 0 ? byId : byFile();
  const equal = begun.filter(({ id }) => id === start);
  const found = start === '' ? [] : equal.length > 0 ? equal : begun;
  const [one, ...others] = found;
  if (one === undefined) throw unknown(name);
  if (others.length === 0) return one.files;
  const list = found.slice(0, MOST_LISTED).map(({ agent, id }) => `@${agent}:${id}`);
  const more = found.length > MOST_LISTED ? ` and ${found.length - MOST_LISTED} more` : '';
  throw new TranscriptError('usage', `@${name} is the start of ${found.length} ids: ${list.join(', ')}${more}`);
}

const MOST_LISTED = 5;

function unknown(name: string): TranscriptError {
  const names = ['last', 'all', ...WITH_STORE.map(({ id }) => id)];
  const begun = names.filter((each) => name !== '' && each.startsWith(name));
  const near = (begun.length > 0 ? begun : nearest(name, names)).map((each) => `@${each}`);
  const hint = near.length === 0 ? 'ctx-trim sessions lists them' : `did you mean ${near.join(' or ')}?`;
  return new TranscriptError('usage', `@${name} names no session; ${hint}`);
}

/** A session that changed so recently may be one that an agent is writing. */
const LIVE_MS = 60_000;

/** Throws TranscriptError for a session that an agent may still write. */
export function rejectLive(paths: readonly string[], terminal: Terminal): void {
  const named = new Set(paths);
  const now = timeOf(terminal).getTime();
  const live = findSessionFiles(terminal.env).find(({ path, changed }) => named.has(path) && now - changed < LIVE_MS);
  if (live !== undefined)
    throw new TranscriptError(
      'file',
      'it changed within the last minute, so an agent may still write it; end the session first, or add --force',
      { file: live.path },
    );
}
