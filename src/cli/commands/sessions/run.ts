import { printed } from '../../../documents/print.js';
import { sessionsDocument } from '../../../documents/sessions.js';
import type { Check } from '../../../engine/check/check.js';
import { dayFunction, periodOf } from '../../../engine/period.js';
import {
  addedFigures,
  createSessionReader,
  estimatesIn,
  figuresIn,
  type ListedSession,
  type SessionFigures,
  sessionCosts,
  sessionName,
} from '../../../engine/sessions/figures.js';
import { createStats, groupingBy, type Stats } from '../../../engine/stats/stats.js';
import { TranscriptError } from '../../../errors.js';
import { WITH_STORE } from '../../../formats/agents.js';
import { resumeCommand } from '../../../formats/resume-command.js';
import { addAll } from '../../../lists.js';
import { createCopies } from '../../../measure/stats/copies.js';
import { foundSessions } from '../../../reports/found-sessions.js';
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
import { paletteFor, tableStyleFor } from '../../outputs/colors.js';
import { deletedSoon } from '../../sessions/missing.js';
import { findSessions, type LeftOut, type SessionFile } from '../../sessions/sessions.js';
import { type WholeSession, wholeSessions } from '../../sessions/whole.js';
import { createProgress } from '../../terminal/progress.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import { recordedTaker, takeFile } from '../stats/recorded.js';
import { matchesAmong } from './grep.js';
import {
  estimatedFiles,
  leftOutLines,
  type ReadFile,
  withoutFile,
  withoutPrice,
  withoutReplies,
  withoutUsage,
  withoutUsageIn,
} from './left-out.js';
import type { SessionsOptions } from './options.js';
import { orLeave, QUIET, READING } from './reading.js';

declare const __BUILD__: string;

/** Lists the newest sessions, and adds up all. */
export async function runSessions(
  words: readonly string[],
  options: SessionsOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const leftOut: LeftOut[] = [];
  const here = sessionsOf([...words, ...options.agent], options, terminal, leftOut);
  const isRead = options.noCache === true || options.findings === true;
  const known = isRead ? undefined : openKnownFiles('sessions', __BUILD__, terminal);
  const openCheck = options.findings === true ? await checkOpener(terminal, config) : undefined;
  const context = await loadContext(USUAL, { priced: true }, config, terminal);
  const copies = createCopies();
  const stats = createStats({
    ...RECORDED,
    context,
    grouping: groupingBy(['agent', 'session', 'model'], dayFunction(undefined)),
    copies,
  });
  const reading = { known, openCheck, leftOut, stats };
  const progress = createProgress({ items: here.length, what: 'session' }, terminal);
  const named = await ofProject(here, options.project, reading, terminal);
  const matches = options.grep === undefined ? undefined : await matchesAmong(named, options, leftOut, terminal);
  const found = matches === undefined ? named : named.filter(({ agent, id }) => matches.has(sessionName(agent, id)));
  const quiet = { ...terminal, ...QUIET };
  const paidFiles = new Set<string>();
  const unstated = new Map<string, number>();
  const hearing: typeof stats = {
    ...stats,
    addRecorded(part, place) {
      paidFiles.add(place.file);
      if (part.unstated !== undefined) unstated.set(place.file, (unstated.get(place.file) ?? 0) + part.unstated);
      stats.addRecorded(part, place);
    },
  };
  const taker = recordedTaker(hearing, { ...READING, noCache: options.noCache }, quiet, collectOmissions());
  // the oldest first: a fork repeats requests of a session before it
  for (const [index, { files }] of [...found].reverse().entries()) {
    progress.at(index);
    for (const file of files) await orLeave(file, leftOut, () => takeFile(taker, file.path, quiet));
  }
  taker.close();
  const chosen: { readonly session: WholeSession; readonly read: readonly ReadFile[] }[] = [];
  const estimated: SessionFile[] = [];
  const empty = new Set<string>();
  for (const session of found) {
    const isListed = chosen.length < options.top;
    const { files } = session;
    const own = isListed ? files : files.filter(({ path }) => !paidFiles.has(path));
    const read = own.length === 0 ? undefined : await figuresOf(own, reading, terminal);
    if (read === undefined) continue;
    if (isListed) chosen.push({ session, read });
    if (read.every(({ figures }) => figures.messages === 0)) empty.add(session.main.path);
    for (const { file, figures } of read) {
      const parts = estimatesIn(figures);
      if (parts.length > 0) estimated.push(file);
      for (const { part, line } of parts) stats.addRecorded(part, { file: file.path, line });
    }
  }
  const { groups, paid } = stats.close().facts;
  const costs = sessionCosts(groups);
  const listed: ListedSession[] = [];
  for (const { session, read } of chosen) {
    const { agent, id, main, files, last } = session;
    const figures = read.map((one) => one.figures);
    const cost = costs.get(sessionName(agent, id));
    addAll(leftOut, withoutFile(figures[0]!, files));
    if (cost !== undefined)
      addAll(
        leftOut,
        read.flatMap((one) => withoutUsageIn(one, paidFiles)),
      );
    const whole = addedFigures(figures, cost?.model);
    const resume = main.isPart ? undefined : resumeCommand(agent, id, whole.project);
    const copied = copies.of(sessionName(agent, id));
    listed.push({ ...main, id, last, resume, copied, figures: whole, paid: cost?.paid });
  }
  progress.clear();
  known?.close();
  const unread = new Set(leftOut.filter(({ isListed }) => isListed !== true).map(({ path }) => path));
  const isMute = (name: string) => !costs.has(name) && copies.of(name) === undefined;
  const mute = found.filter(
    ({ agent, id, main }) => isMute(sessionName(agent, id)) && !empty.has(main.path) && !unread.has(main.path),
  );
  const count = found.filter(({ main }) => !unread.has(main.path)).length;
  const total = { sessions: count, paid, named: here.map(namesOf) };
  const due = deletedSoon(
    terminal.env,
    here.flatMap(({ files }) => files),
    timeOf(terminal).getTime(),
  );
  const unpaid = [...withoutUsage(mute), ...withoutPrice(groups, found)];
  const guesses = estimatedFiles(estimated);
  const replies = found.flatMap(({ files }) => withoutReplies(files, unstated));
  const matchesOf = ({ agent, id }: ListedSession) => matches?.get(sessionName(agent, id));
  if (options.format === 'json') {
    const all = [...leftOut, ...unpaid, ...guesses, ...due, ...replies];
    terminal.stdout.write(printed(sessionsDocument(listed, total, all, matchesOf)));
  } else if (listed.length === 0)
    say(terminal, `ctx-trim: no session ${matches === undefined ? 'of a known agent was found' : 'has a match'}`);
  else if (matches !== undefined)
    terminal.stdout.write(
      foundSessions(listed, (session) => matchesOf(session)!, {
        style: await paletteFor(terminal.stdout, terminal, options.color),
        width: terminal.stdout.columns,
      }),
    );
  else
    terminal.stdout.write(
      sessionsTable(listed, total, {
        style: await tableStyleFor(terminal.stdout, terminal, options.color),
        room: terminal.stdout.isTerminal ? terminal.stdout.columns : Number.POSITIVE_INFINITY,
      }),
    );
  for (const line of leftOutLines([...leftOut, ...due, ...replies], unpaid, guesses)) say(terminal, line);
  return 0;
}

function namesOf({ agent, id, main, files }: WholeSession) {
  return { agent, id, names: [id, main.name, ...files.map((file) => file.id)] };
}

const USUAL = { tokenizer: 'exact', prices: [], batch: undefined } as const;

const RECORDED = {
  recorded: true,
  calibrates: false,
  carries: false,
  keepsMessages: false,
  within: undefined,
  settled: undefined,
} as const;

/** Throws TranscriptError for an agent that is not known. */
function sessionsOf(
  agents: readonly string[],
  { since }: SessionsOptions,
  terminal: Terminal,
  leftOut: LeftOut[],
): readonly WholeSession[] {
  const leave = (one: LeftOut) => void leftOut.push(one);
  const now = timeOf(terminal).getTime();
  const within = periodOf({ since }, dayFunction(undefined), () => now);
  rejectUnknown(agents);
  const chosen = agents.length === 0 ? [undefined] : new Set(agents);
  const files = [...chosen].flatMap((agent) => findSessions(terminal.env, agent, leave));
  const sessions = wholeSessions(files, now);
  return within === undefined ? sessions : sessions.filter(({ last }) => within(last));
}

function rejectUnknown(agents: readonly string[]): void {
  const ids = WITH_STORE.map(({ id }) => id);
  for (const agent of agents) {
    if (ids.includes(agent)) continue;
    const near = nearest(agent, ids);
    const hint = near.length === 0 ? `the agents are ${ids.join(', ')}` : `did you mean ${near.join(' or ')}?`;
    throw new TranscriptError('usage', `there is no agent \`${agent}\`; ${hint}`);
  }
}

async function ofProject(
  sessions: readonly WholeSession[],
  project: string | undefined,
  reading: Reading,
  terminal: Terminal,
): Promise<readonly WholeSession[]> {
  if (project === undefined) return sessions;
  const found: WholeSession[] = [];
  for (const session of sessions) {
    const [{ figures } = { figures: undefined }] = (await figuresOf([session.main], reading, terminal)) ?? [];
    const own = (figures?.project ?? session.main.folder).toLowerCase();
    if (figures !== undefined && own.includes(project.toLowerCase())) found.push(session);
  }
  return found;
}

interface Reading {
  readonly known: KnownFiles | undefined;
  readonly openCheck: (() => Promise<Check>) | undefined;
  readonly leftOut: LeftOut[];
  readonly stats: Stats;
}

/** Loads the rules only for `--findings`. */
async function checkOpener(terminal: Terminal, config: Config): Promise<() => Promise<Check>> {
  const { openShownCheck } = await import('../check/open.js');
  const { usualCheckOptions } = await import('../check/usual-options.js');
  const options = await usualCheckOptions({ ...READING, ...NO_MODEL }, terminal, config);
  return () => openShownCheck(options, config, terminal);
}

const NO_MODEL = { model: undefined, asModel: undefined, tokenizer: 'exact' } as const;

/** Undefined where one cannot be read as a session, which is left out. */
async function figuresOf(
  files: readonly SessionFile[],
  reading: Reading,
  terminal: Terminal,
): Promise<readonly ReadFile[] | undefined> {
  const read: ReadFile[] = [];
  for (const file of files) {
    const figures = await orLeave(file, reading.leftOut, () => readFigures(file.path, reading, terminal));
    if (figures !== undefined) read.push({ file, figures });
    else if (file === files[0]) return undefined;
  }
  return read;
}

async function readFigures(path: string, reading: Reading, terminal: Terminal): Promise<SessionFigures> {
  const { openCheck, stats } = reading;
  const known = usageBeside(path) === undefined ? reading.known : undefined; // what is beside it can change alone
  const kept = known?.get(path);
  const figures = kept === undefined ? undefined : figuresIn(kept);
  if (figures !== undefined) return figures;
  const input = await openInput({ name: path }, { ...terminal, ...QUIET });
  try {
    const omissions = collectOmissions();
    const check = await openCheck?.();
    const reader = createSessionReader(stats, check);
    const whole = check === undefined ? input : await (await import('../check/sessions.js')).examined(input, check);
    for (const { transcript, piece } of openTranscripts(whole, READING, { ...terminal, ...QUIET }, { omissions }))
      reader.add(transcript, piece);
    const read = reader.close({ unread: omissions.unread, badLines: omissions.badLines });
    known?.put(path, JSON.stringify(read));
    return read;
  } finally {
    input.close();
  }
}
