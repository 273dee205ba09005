import { TranscriptError } from '../../errors.js';
import { type Input, shownName } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { calibrationTable } from '../../reports/calibration.js';
import { safe } from '../../safe/text.js';
import { type AuditFacts, createAudit, type GatherOptions, type Settled } from '../../stats/audit.js';
import { type Calibration, calibrate, growthOf } from '../../stats/calibrate.js';
import { countings } from '../../stats/counting.js';
import type { TranscriptFacts } from '../../stats/facts.js';
import { type Grouping, namer } from '../../stats/groups.js';
import { currencyOf } from '../../text/money.js';
import { grouped } from '../../text/words.js';
import { modelInfo, roomOf } from '../../tokens/models.js';
import type { Transcript } from '../../transcript/types.js';
import type { ExitCode } from '../command.js';
import { tableStyleFor } from '../shared/colors.js';
import type { Config } from '../shared/config.js';
import { createContextWarnings } from '../shared/context-warnings.js';
import { dayFunction, periodOf, priceDate } from '../shared/period.js';
import { loadPriceList } from '../shared/price-list.js';
import { forEachInput, openPieces, say, sayError } from '../shared/reading.js';
import { loadTokenizer } from '../shared/tokenizer.js';
import { createExcess, sayUnpriced } from './budgets.js';
import type { StatsOptions } from './options.js';
import { checkSort, isGroup } from './order.js';
import { createView } from './view.js';

export async function runStats(
  words: readonly string[],
  options: StatsOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const currency = currencyOf(options.currency);
  const excess = createExcess(options);
  const dayOf = dayFunction(options.timezone);
  const within = periodOf(options, dayOf);
  checkSort(options);
  const view = await createView(options, currency, terminal);
  const tellings = [view.settled, excess.settled].filter((telling) => telling !== undefined);
  const settled: Settled | undefined =
    tellings.length === 0 ? undefined : (...of) => tellings.forEach((telling) => void telling(...of));
  const gathering = { within, grouping: groupingOf(options.by, dayOf), settled };
  const gathered =
    options.merge === true
      ? await merge(words, gathering, terminal)
      : await gather(words, options, gathering, terminal, config);
  if (gathered === undefined) return 2;
  const { facts, calibrations, good } = gathered;
  if (facts.transcripts > 0) {
    view.end(facts, calibrations);
    if (options.calibrate === true && options.format !== 'json')
      terminal.stdout.write(
        safe`\n${calibrationTable(calibrations, await tableStyleFor(terminal.stdout, terminal, options.color))}`,
      );
  }
  if (options.recorded === true && facts.transcripts === 0 && good)
    say(terminal, 'ctx-trim: no recording says what was used; without --recorded it is counted');
  if (facts.timeless > 0)
    say(terminal, `ctx-trim: ${grouped(facts.timeless)} requests without a recorded time are left out`);
  const unpriced = sayUnpriced(facts, terminal);
  const isOver = excess.say(facts, terminal);
  if (!good) return 2;
  return (options.strict === true && unpriced) || isOver ? 1 : 0;
}

interface Gathered {
  readonly facts: AuditFacts;
  readonly calibrations: readonly Calibration[];
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
  const at = priceDate(options.priceDate, '--price-date');
  const [tokenizer, prices] = await Promise.all([
    loadTokenizer(options.tokenizer),
    loadPriceList(options, config, terminal),
  ]);
  const audit = createAudit({
    ...gathering,
    prices,
    at,
    model: options.model,
    carries: options.tools === true,
    keepsMessages: options.format === 'json' || (options.by === 'message' && options.tools !== true),
  });
  const waiting: {
    readonly transcript: Transcript;
    readonly place: { readonly file: string; readonly line: number };
  }[] = []; // for the factors that a calibration finds
  let countingFor = countings(tokenizer, undefined, false);
  const warnings = createContextWarnings(terminal);
  const add = ({ transcript, place }: (typeof waiting)[number]) => {
    const model = options.model ?? transcript.model;
    warnings.add(transcript, place.line, roomOf(model), audit.add(transcript, place, countingFor(model)));
  };
  const take = (input: Input) => {
    const file = shownName(input.name);
    for (const piece of openPieces(
      input,
      options,
      terminal,
      undefined,
      options.recorded === true ? 'usage' : undefined,
    )) {
      if (piece.type !== 'opened') continue;
      for (const transcript of piece.transcripts) {
        const next = { transcript, place: { file, line: piece.line } };
        if (options.recorded === true) audit.addRecorded(transcript, next.place);
        else if (options.calibrate === true) waiting.push(next);
        else add(next);
      }
    }
    warnings.finished(file);
  };
  const good = await forEachInput(words, terminal, take, { ...options, isSilent: true });
  const calibrations = calibrate(waiting.flatMap(({ transcript }) => growthOf(transcript, countingFor, options.model)));
  countingFor = countings(
    tokenizer,
    new Map(
      calibrations.filter(({ model }) => modelInfo(model)?.exact !== true).map(({ model, fitted }) => [model, fitted]),
    ),
  );
  waiting.forEach((next, at) => {
    add(next);
    if (waiting[at + 1]?.place.file !== next.place.file) warnings.finished(next.place.file);
  });
  return { facts: audit.facts(), calibrations, good };
}

async function merge(
  words: readonly string[],
  gathering: GatherOptions,
  terminal: Terminal,
): Promise<Gathered | undefined> {
  if (words.length === 0)
    throw new TranscriptError('usage', '--merge needs the files that `ctx-trim stats --format json` wrote');
  const { mergeParts } = await import('./merge.js');
  try {
    return { facts: mergeParts(words, terminal.cwd, gathering), calibrations: [], good: true };
  } catch (error) {
    sayError(terminal, error, words[0]!);
    return undefined;
  }
}

// --- what is asked for

function groupingOf(by: StatsOptions['by'], dayOf: (time: number) => string): Grouping<TranscriptFacts> | undefined {
  if (!isGroup(by)) return undefined;
  return {
    nameOf: namer(by, dayOf),
    fileOf: ({ file }) => file,
    dayOf,
    windowOf: (model) => modelInfo(model)?.contextWindow,
  };
}
