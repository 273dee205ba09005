import { printed } from '../../../documents/print.js';
import { sessionsDocument } from '../../../documents/sessions.js';
import type { Check } from '../../../engine/check/check.js';
import type { Context } from '../../../engine/context.js';
import { dayFunction, periodOf } from '../../../engine/period.js';
import {
  createSessionReader,
  figuresIn,
  type ListedSession,
  type SessionFigures,
} from '../../../engine/sessions/figures.js';
import { isTranscriptError, TranscriptError } from '../../../errors.js';
import { WITH_STORE } from '../../../formats/agents.js';
import { groupBy } from '../../../measure/stats/groups.js';
import { sessionsTable } from '../../../reports/sessions.js';
import { nearest } from '../../../text/nearest.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { openInput } from '../../files/input.js';
import { type KnownFiles, openKnownFiles } from '../../files/known-files.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { openTranscripts, say } from '../../inputs/reading.js';
import { usageBeside } from '../../inputs/usage-file.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import { deletedSoon } from '../../sessions/missing.js';
import { findSessions, type LeftOut, leftOutText, type SessionFile } from '../../sessions/sessions.js';
import { createProgress } from '../../terminal/progress.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import type { SessionsOptions } from './options.js';

declare const __BUILD__: string;

/** Lists the newest sessions. */
export async function runSessions(
  words: readonly string[],
  options: SessionsOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const now = () => timeOf(terminal).getTime();
  const within = periodOf({ since: options.since }, dayFunction(undefined), now);
  const leftOut: LeftOut[] = [];
  const found = sessionsOf(words, terminal, leftOut).filter(
    ({ changed, isPart }) => !isPart && (within === undefined || within(changed)),
  );
  const isRead = options.noCache === true || options.findings === true;
  const known = isRead ? undefined : openKnownFiles('sessions', __BUILD__, terminal);
  const openCheck = options.findings === true ? await checkOpener(terminal, config) : undefined;
  const context = await loadContext(
    { tokenizer: 'exact', prices: [], batch: undefined },
    { priced: true },
    config,
    terminal,
  );
  const progress = createProgress({ items: found.length, what: 'session' }, terminal);
  const listed: ListedSession[] = [];
  for (const [index, file] of found.entries()) {
    if (listed.length === options.top) break;
    progress.at(index);
    const figures = await figuresOf(file, { known, context, openCheck, leftOut }, terminal);
    if (figures === undefined || !isOfProject(file, figures, options.project)) continue;
    listed.push({ ...file, figures });
  }
  progress.clear();
  known?.close();
  const all: LeftOut[] = [...leftOut, ...withoutUsage(listed), ...deletedSoon(terminal.env, found, now())];
  if (options.format === 'json') terminal.stdout.write(printed(sessionsDocument(listed, all)));
  else if (listed.length === 0) say(terminal, 'ctx-trim: no session of a known agent was found');
  else
    terminal.stdout.write(
      sessionsTable(listed, found.length, {
        style: await paletteFor(terminal.stdout, terminal, options.color),
        room: terminal.stdout.isTerminal ? terminal.stdout.columns : Number.POSITIVE_INFINITY,
      }),
    );
  for (const line of leftOutLines(all)) say(terminal, line);
  return 0;
}

/** One line for each of the first few, and one for the rest. */
function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const lines = leftOut.slice(0, NAMED).map(leftOutText);
  const more = leftOut.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `ctx-trim: warning: ${more} more are left out or warned of; --format json lists them`];
}

const NAMED = 3;

/** By agent, the sessions whose cost nobody knows. */
function withoutUsage(listed: readonly ListedSession[]): LeftOut[] {
  const mute = listed.filter(({ figures }) => figures.requests === 0 && figures.messages > 0);
  return [...groupBy(mute, ({ agent }) => agent)].map(([agent, [first, ...more]]) => ({
    agent,
    path: first!.path,
    sessions: 1 + more.length,
    why: `no usage is recorded in it${moreOf(agent, more.length)}, so no cost is known`,
    isListed: true,
  }));
}

function moreOf(agent: string, count: number): string {
  return count === 0 ? '' : ` and ${count} more of ${agent}`;
}

/** Throws TranscriptError for an agent that is not known. */
function sessionsOf(agents: readonly string[], { env }: Terminal, leftOut: LeftOut[]): readonly SessionFile[] {
  const leave = (one: LeftOut) => void leftOut.push(one);
  if (agents.length === 0) return findSessions(env, undefined, leave);
  const ids = WITH_STORE.map(({ id }) => id);
  for (const agent of agents) {
    if (ids.includes(agent)) continue;
    const near = nearest(agent, ids);
    const hint = near.length === 0 ? `the agents are ${ids.join(', ')}` : `did you mean ${near.join(' or ')}?`;
    throw new TranscriptError('usage', `there is no agent \`${agent}\`; ${hint}`);
  }
  return agents.flatMap((agent) => findSessions(env, agent, leave)).sort((a, b) => b.changed - a.changed);
}

interface Reading {
  readonly known: KnownFiles | undefined;
  readonly context: Context;
  readonly openCheck: (() => Promise<Check>) | undefined;
  readonly leftOut: LeftOut[];
}

/** Loads the rules only for `--findings`. */
async function checkOpener(terminal: Terminal, config: Config): Promise<() => Promise<Check>> {
  const { openCheck } = await import('../check/open.js');
  const { usualCheckOptions } = await import('../check/usual-options.js');
  const options = await usualCheckOptions({ ...READING, ...NO_MODEL }, terminal, config);
  return async () => (await openCheck(options, config, terminal)).check;
}

const NO_MODEL = { model: undefined, asModel: undefined, tokenizer: 'exact' } as const;

/** Undefined for a file that cannot be read as a session, which is left out. */
async function figuresOf(
  file: SessionFile,
  { known, context, openCheck, leftOut }: Reading,
  terminal: Terminal,
): Promise<SessionFigures | undefined> {
  try {
    const isShared = usageBeside(file.path) !== undefined; // what is beside it can change alone
    const kept = isShared ? undefined : known?.get(file.path);
    const figures = kept === undefined ? undefined : figuresIn(kept);
    if (figures !== undefined) return figures;
    const input = await openInput({ name: file.path }, terminal);
    try {
      const omissions = collectOmissions();
      const reader = createSessionReader(context, await openCheck?.());
      const silent = { ...terminal, stderr: SILENT };
      for (const { transcript, piece } of openTranscripts(input, READING, silent, { omissions }))
        reader.add(transcript, piece);
      const read = reader.close({ unread: omissions.unread, badLines: omissions.badLines });
      if (!isShared) known?.put(file.path, JSON.stringify(read));
      return read;
    } finally {
      input.close();
    }
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    leftOut.push({ agent: file.agent, path: file.path, why: error.message });
    return undefined;
  }
}

const READING = {
  from: undefined,
  messages: undefined,
  skipBadLines: undefined,
  maxUnpacked: undefined,
  config: undefined,
  plugin: [],
  verbose: undefined,
} as const;

/** Warnings about single lines belong to the commands that read a session. */
const SILENT: Terminal['stderr'] = { isTerminal: false, columns: 80, write: () => {}, data: () => {} };

function isOfProject({ folder }: SessionFile, { project }: SessionFigures, wanted: string | undefined): boolean {
  return wanted === undefined || (project ?? folder).toLowerCase().includes(wanted.toLowerCase());
}
