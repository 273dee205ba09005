import { modelOf } from '../../../engine/context.js';
import { dayFunction, periodOf } from '../../../engine/period.js';
import { rejectWrongSort, rowsNamed } from '../../../engine/stats/order.js';
import { createStats, groupingBy, type StatsResult } from '../../../engine/stats/stats.js';
import { TranscriptError } from '../../../errors.js';
import { storedFile } from '../../../formats/agents.js';
import type { Counted, GatherOptions, Settled } from '../../../measure/stats/audit.js';
import { forLongWork, keepOldSpaceSmall } from '../../../node/engine.js';
import { isWhole } from '../../../omissions.js';
import { calibrationTable } from '../../../reports/calibration.js';
import { countingText } from '../../../reports/estimates.js';
import { safe } from '../../../safe/text.js';
import { currencyOf } from '../../../text/money.js';
import { plural, unstatedText } from '../../../text/words.js';
import { roomOf } from '../../../tokens/models.js';
import type { Config } from '../../config/config.js';
import { projectNames } from '../../config/project-names.js';
import { loadContext } from '../../context/context.js';
import type { Input } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachInput, openTranscripts, say, sayError } from '../../inputs/reading.js';
import { threadsFor } from '../../inputs/thread-count.js';
import { type DonePart, serveParts } from '../../inputs/threads.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import { createContextWarnings } from '../../outputs/context-warnings.js';
import type { Terminal } from '../../terminal/terminal.js';
import { createExcess, sayUnpriced } from './budgets.js';
import type { StatsOptions } from './options.js';
import { recordedTaker } from './recorded.js';
import { createView } from './view.js';

/** Without files on a terminal: all sessions of this machine, or what each agent cost, if nothing else is asked for. */
export async function runStats(
  names: readonly string[],
  options: StatsOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const isNameless = names.length === 0 && terminal.stdinIsTerminal && options.merge !== true;
  const here = isNameless ? await import('../../inputs/session-names.js') : undefined;
  const isAtHome = here?.hasSessions(terminal) === true;
  if (isAtHome && !ASKING.some((option) => options[option] !== undefined) && options.format === 'table')
    return (await import('./home.js')).runHomeStats(options, terminal, config);
  const words = isAtHome ? here.oldestFirst(here.sessionsHere(terminal)).map(({ path }) => path) : names;
  if (options.cache === true) return (await import('./cache.js')).runCacheStats(words, options, terminal, config);
  const currency = currencyOf(options.currency);
  const dayOf = dayFunction(options.timezone);
  const projectOf = projectNames(config);
  const naming = { dayOf, ...(projectOf && { projectOf }) };
  const excess = createExcess(options, config, naming);
  const within = periodOf(options, dayOf);
  const by = rowsNamed(options.by);
  if (options.tools !== true || options.format === 'json') rejectWrongSort({ ...options, by });
  const view = await createView({ ...options, by }, naming, currency, terminal);
  const observers = [view.settled, excess.settled].filter((observer) => observer !== undefined);
  const settled: Settled | undefined =
    observers.length === 0 ? undefined : (...facts) => observers.forEach((observer) => void observer(...facts));
  const grouping = isOfRows(options) ? undefined : groupingBy(by, dayOf, projectOf);
  const gathering = { within, grouping, settled };
  const gathered =
    options.merge === true
      ? await merge(words, gathering, terminal)
      : await gather(words, options, gathering, terminal, config);
  if (gathered === undefined) return 2;
  if (storedFile(words[0] ?? '') !== undefined) await (await import('./home.js')).sayCopied(words, terminal, config);
  const { facts, calibrations, good } = gathered;
  const isOutside = within !== undefined && facts.paid.requests === 0;
  if (isOutside && good) say(terminal, 'ctx-trim: no requests in this period');
  if (isOutside ? options.format !== 'table' : facts.transcripts > 0 || options.format === 'parquet') {
    view.end(facts, calibrations);
    if (options.calibrate === true && options.format !== 'json') {
      const isApart = options.format === 'csv' || isOfRows(options); // its table has another shape
      const stream = isApart ? terminal.stderr : terminal.stdout;
      stream.write(safe`\n${calibrationTable(calibrations, await paletteFor(stream, terminal, options.color))}`);
    }
  }
  if (options.recorded === true && facts.transcripts === 0 && !isOutside && good)
    say(terminal, 'ctx-trim: no recorded usage found; leave out --recorded to count tokens');
  if (facts.timeless > 0)
    say(terminal, `ctx-trim: ${plural(facts.timeless, 'request')} without a recorded time skipped`);
  const { unstated } = facts.totals;
  if (unstated !== undefined) say(terminal, `ctx-trim: ${unstatedText(unstated)}`);
  const unpriced = sayUnpriced(facts, terminal);
  const isOver = excess.report(facts, terminal);
  if (!good) return 2;
  const isPartial = unpriced || unstated !== undefined || !isWhole(facts.omissions);
  return (options.strict === true && isPartial) || isOver ? 1 : 0;
}

/** Whether requests are written as they are read: nothing is grouped or kept. */
function isOfRows({ format }: StatsOptions): boolean {
  return format === 'ndjson' || format === 'parquet';
}

/** Options that ask for more than a row for each agent. */
const ASKING = [
  ...(['by', 'tools', 'cache', 'recorded', 'calibrate', 'since', 'until', 'top', 'sort', 'strict'] as const),
  ...(['maxTokens', 'maxTotalTokens', 'maxCost', 'maxTotalCost', 'per'] as const),
] as const;

interface Gathered extends StatsResult {
  /** Whether every input could be read. */
  readonly good: boolean;
}

async function gather(
  words: readonly string[],
  options: StatsOptions,
  gathering: GatherOptions,
  terminal: Terminal,
  config: Config,
): Promise<Gathered> {
  const context = await loadContext(options, { priced: true }, config, terminal);
  const warnings = createContextWarnings(terminal);
  let file: string | undefined;
  const models = new Set<string | undefined>();
  const omissions = collectOmissions();
  const counted: Counted[] = []; // in a worker thread
  const stats = createStats({
    ...gathering,
    context,
    recorded: options.recorded === true,
    calibrates: options.calibrate === true,
    carries: options.tools === true,
    keepsMessages: keepsMessages(options),
    ...(terminal.serve === undefined ? {} : { keepsMessages: options.format === 'json' || options.by === 'message' }),
    ...(terminal.serve === undefined ? {} : { handOver: (one: Counted) => void counted.push(one) }),
    counted(transcript, place, tokens) {
      if (file !== undefined && file !== place.file) warnings.finished(file);
      file = place.file;
      const model = modelOf(options, transcript.model);
      models.add(model);
      warnings.add(transcript, place.line, roomOf(model), tokens);
    },
  });
  const takeRecorded = options.recorded === true ? recordedTaker(stats, options, terminal, omissions) : undefined;
  const isAlone = ALONE.filter((option) => options[option] === true);
  const threads = isAlone.length > 0 ? undefined : threadsFor(words, options.threads, terminal);
  if (isAlone.length > 0 && options.threads !== undefined)
    say(terminal, `ctx-trim: warning: --threads has no effect with --${isAlone[0]}`);
  const helping = threads && {
    threads,
    take({ data }: DonePart) {
      const part = data as PartOfStats;
      for (const model of part.models) models.add(model);
      for (const one of part.counted) stats.takeOver(one);
    },
  };
  const works = forLongWork(keepOldSpaceSmall);
  const take = (input: Input) => {
    for (const { transcript, place } of openTranscripts(input, options, terminal, { omissions, threads: helping })) {
      works(transcript.messages.length);
      stats.add(transcript, place);
    }
  };
  if (terminal.serve !== undefined)
    serveParts(terminal, (input) => {
      models.clear();
      counted.length = 0;
      take(input);
      if (file !== undefined) warnings.finished(file);
      return { models: [...models], counted } satisfies PartOfStats;
    });
  const good = await forEachInput(terminal.serve === undefined ? words : [], terminal, takeRecorded?.take ?? take, {
    ...options,
    isSilent: !(isOfRows(options) && terminal.stdout.isTerminal),
    isKnown: takeRecorded?.isKnown,
    failed: omissions.failed,
  });
  threads?.close();
  takeRecorded?.close();
  const result = stats.close();
  const isNamed = storedFile(words[0] ?? '') !== undefined;
  const leftOut = isNamed ? (await import('../../inputs/session-names.js')).leftOutOf(terminal) : [];
  if (file !== undefined) warnings.finished(file);
  if (options.verbose === true)
    for (const model of models) say(terminal, `ctx-trim: ${countingText(context.countingFor(model))}`);
  return { ...result, facts: { ...result.facts, omissions: { ...omissions, leftOut } }, good };
}

/** What needs transcripts, or reads so little of them that threads do not pay. */
const ALONE = ['recorded', 'calibrate', 'tools'] as const;

/** What a worker thread tells of its lines. */
interface PartOfStats {
  readonly models: readonly (string | undefined)[];
  readonly counted: readonly Counted[];
}

/** Without `--by`, only a single transcript is shown message by message. */
function keepsMessages(options: StatsOptions): boolean | 'first' {
  const { format, by, tools } = options;
  if (format === 'json') return true;
  if (tools === true || isOfRows(options)) return false;
  return by === undefined && format !== 'csv' ? 'first' : by === undefined || by === 'message';
}

async function merge(
  words: readonly string[],
  gathering: GatherOptions,
  terminal: Terminal,
): Promise<Gathered | undefined> {
  if (words.length === 0)
    throw new TranscriptError('usage', '--merge needs files written by `ctx-trim stats --format json`');
  const { mergeParts } = await import('./merge.js');
  try {
    return { facts: mergeParts(words, terminal.cwd, gathering), calibrations: [], good: true };
  } catch (error) {
    sayError(terminal, error, words[0]!);
    return undefined;
  }
}
