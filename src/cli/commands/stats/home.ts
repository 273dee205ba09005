/** `stats` without files on a terminal: what the agents of this machine cost today, this week and this month. */
import { dayFunction } from '../../../engine/period.js';
import { sessionName } from '../../../engine/sessions/figures.js';
import { createStats, groupingBy } from '../../../engine/stats/stats.js';
import { isTranscriptError } from '../../../errors.js';
import { type StoredFile, storedFile } from '../../../formats/agents.js';
import { createCopies } from '../../../measure/stats/audit.js';
import { sessionKey } from '../../../measure/stats/group-keys.js';
import { type GroupFacts, groupBy } from '../../../measure/stats/groups.js';
import { addSums } from '../../../measure/stats/request-sum.js';
import { sessionTitle } from '../../../measure/stats/title.js';
import { type HomeFacts, type HomeSession, homePage, type Period, periodsBefore } from '../../../reports/home.js';
import { omissionLines } from '../../../reports/omissions.js';
import { shortNames } from '../../../reports/sessions.js';
import { RESUME } from '../../../rules/resume-rules.js';
import { safe, shown } from '../../../safe/text.js';
import type { Opened } from '../../../source/piece.js';
import { currencyOf, USD } from '../../../text/money.js';
import { costText, plural } from '../../../text/words.js';
import type { Transcript } from '../../../transcript/types.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import type { Input } from '../../files/input.js';
import { openCounted } from '../../inputs/long-run.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { openTranscripts } from '../../inputs/reading.js';
import { oldestFirst, sessionsHere } from '../../inputs/session-names.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import { headOf } from '../../sessions/ends.js';
import { findSessionFiles, type SessionFile } from '../../sessions/sessions.js';
import { type WholeSession, wholeSessions } from '../../sessions/whole.js';
import { createProgress } from '../../terminal/progress.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import type { StatsOptions } from './options.js';
import { recordedTaker, takeFile } from './recorded.js';

export async function runHomeStats(options: StatsOptions, terminal: Terminal, config: Config): Promise<ExitCode> {
  const dayOf = dayFunction(options.timezone);
  const now = timeOf(terminal).getTime();
  const periods = periodsBefore(dayOf(now));
  const first = periods.map(({ since }) => since).sort()[0]!;
  const here = sessionsHere(terminal);
  const files = oldestFirst(here.filter(({ last }) => dayOf(last) >= first));
  const context = await loadContext(options, { priced: true }, config, terminal);
  const stats = createStats({
    context,
    recorded: true,
    calibrates: false,
    carries: false,
    keepsMessages: false,
    within: (time) => dayOf(time) >= first,
    grouping: groupingBy(['agent', 'day', 'session'], dayOf),
    settled: undefined,
  });
  const omissions = collectOmissions();
  const taker = recordedTaker(stats, options, terminal, omissions);
  const progress = createProgress({ items: files.length, what: 'session' }, terminal);
  for (const [index, { path }] of files.entries()) {
    progress.at(index);
    try {
      await takeFile(taker, path, terminal);
    } catch (error) {
      if (!isTranscriptError(error)) throw error; // a file that is not a session
    }
  }
  progress.clear();
  taker.close();
  const { groups } = stats.close().facts;
  const style = await paletteFor(terminal.stdout, terminal, options.color);
  const glances = await glancesAt(here, groups, periods.at(-1)!, { options, terminal, config });
  const page = homePage({ rows: groups, periods, ...glances }, { style, currency: currencyOf(options.currency) });
  terminal.stdout.write(safe`${page}${omissionLines(omissions, style)}`);
  return 0;
}

/** So many sessions are named. */
const NAMED = 3;

interface Glance {
  readonly options: StatsOptions;
  readonly terminal: Terminal;
  readonly config: Config;
}

/** The titles of the most expensive sessions of a period, and what is wrong with the newest. */
async function glancesAt(
  here: readonly WholeSession[],
  groups: readonly GroupFacts[],
  { since }: Period,
  glance: Glance,
): Promise<Pick<HomeFacts, 'mostExpensive' | 'newest'>> {
  const nameOf = shortNames(here.map(({ agent, id, main }) => ({ agent, id, names: [id, main.name] })));
  const rows = groups.filter(({ names: [, day = ''] }) => day >= since);
  const paid = groupBy(rows, ({ names: [agent = '', , id = ''] }) => sessionName(agent, id));
  const sums = here.flatMap((session) => {
    const own = paid.get(sessionName(session.agent, session.id));
    return own === undefined ? [] : [{ session, paid: addSums(own) }];
  });
  const most = sums.sort((a, b) => Number(b.paid.knownCost - a.paid.knownCost)).slice(0, NAMED);
  const mostExpensive: HomeSession[] = [];
  for (const { session, paid: sum } of most)
    mostExpensive.push({ name: nameOf(session), title: (await titleOf(session, glance)) ?? '', paid: sum });
  const [newest] = here;
  return { mostExpensive, newest: newest && { name: nameOf(newest), ...(await problemsOf(newest, glance)) } };
}

async function titleOf({ main }: WholeSession, { terminal, options }: Glance): Promise<string | undefined> {
  let title: string | undefined;
  await eachOf(main, options, terminal, (transcript) => {
    title ??= sessionTitle(transcript);
  });
  return title;
}

/** The errors of `check`, how many of them keep it from loading, and the level of fixes that mends all, if one does. */
async function problemsOf({ main }: WholeSession, { terminal, options, config }: Glance) {
  const { openShownCheck } = await import('../check/open.js');
  const { examined } = await import('../check/sessions.js');
  const { usualCheckOptions } = await import('../check/usual-options.js');
  const check = await openShownCheck(await usualCheckOptions(options, terminal, config), config, terminal);
  const visit = check.examining(main.path);
  await eachOf(main, options, terminal, visit, (input) => examined(input, check));
  const errors = check.findings().filter(({ severity }) => severity === 'error');
  const levels = errors.map(({ fix }) => fix?.safety);
  const fix = LEVELS.findLast((level) => levels.includes(level));
  const unloaded = errors.filter(({ rule }) => rule.startsWith(RESUME)).length;
  return { errors: errors.length, unloaded, fix: levels.includes(undefined) ? undefined : fix };
}

const LEVELS = ['safe', 'lossy', 'synthetic'] as const;

/** What cannot be read has no title and no problem here: `sessions` says so. */
async function eachOf(
  { path }: SessionFile,
  options: StatsOptions,
  terminal: Terminal,
  take: (transcript: Transcript, piece: Opened) => void,
  prepare: (input: Input) => Input | Promise<Input> = (input) => input,
): Promise<void> {
  try {
    const input = await openCounted({ name: path }, terminal);
    try {
      const reading = { omissions: collectOmissions() };
      for (const { transcript, piece } of openTranscripts(await prepare(input), options, terminal, reading))
        take(transcript, piece);
    } finally {
      input.close();
    }
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
  }
}

/** For the files of one stored session. */
export async function sayCopied(paths: readonly string[], terminal: Terminal, config: Config): Promise<void> {
  const own = paths.map(storedFile);
  const [first] = own;
  if (first === undefined || own.some((file) => file?.session !== first.session)) return;
  const relatives = relativesOf(first, paths[0]!, terminal);
  if (relatives.length < 2) return;
  const copies = createCopies();
  const context = await loadContext(
    { tokenizer: 'exact', prices: [], batch: undefined },
    { priced: true },
    config,
    terminal,
  );
  const stats = createStats({
    ...RECORDED,
    context,
    grouping: groupingBy(['session'], dayFunction(undefined)),
    copies,
  });
  const quiet = { ...terminal, stderr: { ...terminal.stderr, write: () => {} } };
  const taker = recordedTaker(stats, READING, quiet, collectOmissions());
  for (const { path } of oldestFirst(relatives))
    try {
      await takeFile(taker, path, quiet);
    } catch (error) {
      if (!isTranscriptError(error)) throw error; // whoever reads it says so
    }
  taker.close();
  stats.close();
  const copied = copies.of(sessionKey({ file: paths[0]!, line: 1 }));
  if (copied === undefined) return;
  const from = [...copied.from].map((key) => `@${key.slice(key.indexOf(' ') + 1)}`).join(', ');
  const what = safe`${plural(copied.requests, 'request')} (${costText(copied.cost, 'exact', USD)})`;
  terminal.stderr.write(safe`ctx-trim: copied from ${shown(from)}, where sessions and @all count it: ${what}\n`);
}

const RECORDED = {
  ...{ recorded: true, calibrates: false, carries: false, keepsMessages: false },
  ...{ within: undefined, settled: undefined },
} as const;
const READING = {
  ...{ from: undefined, messages: undefined, skipBadLines: undefined, maxUnpacked: undefined, config: undefined },
  ...{ plugin: [], verbose: undefined, noCache: undefined },
} as const;

/** The session, others that it names, and those of its folder that begin as it does. */
function relativesOf(own: StoredFile, path: string, terminal: Terminal): readonly WholeSession[] {
  const sessions = wholeSessions(findSessionFiles(terminal.env, own.agent), timeOf(terminal).getTime());
  const head = headOf(path);
  const [start] = TIME.exec(head) ?? [];
  const beginsSo = ({ folder, path: other }: SessionFile) =>
    start !== undefined && folder === own.folder && TIME.exec(headOf(other))?.[0] === start;
  const isNamed = (name: string) => head.includes(JSON.stringify(name).slice(1, -1));
  return sessions.filter(({ id, main }) => id === own.session || isNamed(id) || isNamed(main.path) || beginsSo(main));
}

const TIME = /"timestamp"\s*:\s*"[^"]+"/;
