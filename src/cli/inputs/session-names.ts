/** `@` names of sessions: `@last`, `@codex`, `@codex:last`, `@<start of an id>`, `@all`. Loaded only for such. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TranscriptError } from '../../errors.js';
import { WITH_STORE } from '../../formats/agents.js';
import { nearest } from '../../text/nearest.js';
import { deletedSoon } from '../sessions/missing.js';
import { findSessionFiles, findSessions, type LeftOut, leftOutText, type SessionFile } from '../sessions/sessions.js';
import { type Terminal, timeOf } from '../terminal/terminal.js';
import { say } from './reading.js';

/** The name, and an address of `show` behind it. */
const NAME = /^@(?<name>.*?)(?<address>(?::\d+(?::\d+|\/[^#\s]+)?)?(?:#[\d.]+| turn \d+)?)$/s;

/**
 * Arguments with paths in place of `@` names. Throws TranscriptError for a name that means no session, and for one that
 * would be overwritten although it changed within the last minute.
 */
export function pathsFor(
  words: readonly string[],
  { write, fix, diff, force }: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): readonly string[] {
  const paths = withSessionPaths(words, terminal);
  const writes = write === true || (fix !== undefined && diff !== true);
  if (writes && force !== true) rejectLive(paths, terminal);
  return paths;
}

function withSessionPaths(words: readonly string[], terminal: Terminal): readonly string[] {
  return words.flatMap((word) => {
    const groups = word.startsWith('@') ? NAME.exec(word)?.groups : undefined;
    if (groups === undefined) return [word];
    const name = groups['name']!;
    const isFile = existsSync(resolve(terminal.cwd, word));
    if (isFile && !isFixed(name)) return [word];
    if (isFile) say(terminal, `ctx-trim: warning: ${word} means sessions; the file of this name is ./${word}`);
    return sessionsNamed(name, terminal).map(({ path }) => path + groups['address']!);
  });
}

/** Whether it is a name on every machine, so that no file can take its place. */
function isFixed(name: string): boolean {
  return /^(?:last|all)$/.test(name) || WITH_STORE.some(({ id }) => id === name.split(':')[0]);
}

/** All sessions of this machine, or of one agent; says what cannot be read. `isAll`: also of databases. */
export function sessionsHere(terminal: Terminal, agent?: string, isAll = agent === undefined): readonly SessionFile[] {
  const leaveOut = (one: LeftOut) => {
    if (isAll || one.isDatabase !== true) say(terminal, leftOutText(one));
  };
  const found = findSessions(terminal.env, agent, leaveOut);
  if (isAll) deletedSoon(terminal.env, found, timeOf(terminal).getTime()).forEach(leaveOut);
  return found;
}

function sessionsNamed(name: string, terminal: Terminal): readonly SessionFile[] {
  const [first = '', second, ...more] = name.split(':');
  if (more.length > 0) throw unknown(name);
  const agent = WITH_STORE.find(({ id }) => id === first)?.id;
  const sessions = pastFirst(
    sessionsHere(terminal, agent, agent !== undefined || name === 'all'),
    timeOf(terminal).getTime(),
  );
  if (agent === undefined && second === undefined) return ofAnyAgent(first, sessions);
  if (agent !== undefined && (second === undefined || second === 'all')) return some(sessions, name);
  if (agent !== undefined && second !== undefined) return ofAnyAgent(second, sessions, name);
  throw unknown(name);
}

/** Clocks of two machines may differ by this much. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A file with a time in the future, as a copy or a wrong clock leaves it, is not the last session. */
function pastFirst(sessions: readonly SessionFile[], now: number): readonly SessionFile[] {
  const isFuture = ({ changed }: SessionFile) => changed > now + CLOCK_DIFFERENCE_MS;
  return [...sessions.filter((one) => !isFuture(one)), ...sessions.filter(isFuture)];
}

function ofAnyAgent(name: string, sessions: readonly SessionFile[], written = name): readonly SessionFile[] {
  if (name === 'all') return some(sessions, written);
  const whole = sessions.filter(({ isPart }) => !isPart);
  if (name === 'last') return some(whole, written).slice(0, 1);
  const found = name === '' ? [] : sessions.filter(({ id }) => id.toLowerCase().startsWith(name.toLowerCase()));
  const [one, ...others] = found;
  if (one === undefined) throw unknown(written);
  if (others.length === 0 || others.every(({ id }) => id === one.id)) return [one];
  const list = found.slice(0, MOST_LISTED).map(({ agent, id }) => `@${agent}:${id}`);
  const more = found.length > MOST_LISTED ? ` and ${found.length - MOST_LISTED} more` : '';
  throw new TranscriptError('usage', `@${written} is the start of ${found.length} ids: ${list.join(', ')}${more}`);
}

const MOST_LISTED = 5;

function some(sessions: readonly SessionFile[], name: string): readonly SessionFile[] {
  if (sessions.length > 0) return sessions;
  throw new TranscriptError('file', `@${name}: no session was found on this machine (ctx-trim sessions lists them)`);
}

function unknown(name: string): TranscriptError {
  const names = ['last', 'all', ...WITH_STORE.map(({ id }) => id)];
  const begun = names.filter((each) => name !== '' && each.startsWith(name));
  const near = (begun.length > 0 ? begun : nearest(name, names)).map((each) => `@${each}`);
  const hint = near.length === 0 ? 'ctx-trim sessions lists them' : `did you mean ${near.join(' or ')}?`;
  return new TranscriptError('usage', `@${name} names no session; ${hint}`);
}

/** A session that changed so recently may be one that an agent is writing. */
const LIVE_MS = 60_000;

function rejectLive(paths: readonly string[], terminal: Terminal): void {
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
