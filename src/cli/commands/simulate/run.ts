/** The command `simulate`: reads transcripts, replays them under policies, and prints the results. */

import type { Context } from '../../../engine/context.js';
import {
  type Recorded,
  recordedOf,
  retryAll,
  simulateAll,
  sweepAll,
  sweepBudget,
  unpricedModels,
} from '../../../engine/simulate/simulate.js';
import { axesOf, type Steps } from '../../../engine/simulate/sweep-axes.js';
import { TranscriptError } from '../../../errors.js';
import type { Demand } from '../../../measure/simulation/retries.js';
import { serverSide } from '../../../measure/simulation/server-side.js';
import { candidatesOf } from '../../../measure/simulation/sweep.js';
import { isWhole, type Omissions } from '../../../omissions.js';
import { omissionLines } from '../../../reports/omissions.js';
import type { Report } from '../../../reports/report.js';
import { shortfallText } from '../../../reports/simulation/advice.js';
import {
  requestsReport,
  retriesReport,
  runsReport,
  sweepReport,
  transcriptsReport,
} from '../../../reports/simulation/index.js';
import { safe } from '../../../safe/text.js';
import { currencyOf } from '../../../text/money.js';
import { transforms } from '../../../transforms/index.js';
import { KEEPS_NOTHING, withStore } from '../../../transforms/offload.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachTranscript, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { tableStyleFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import { parseStep, rejectIdleEvery, stepsFirst } from '../run/steps.js';
import { unpricedText } from '../stats/budgets.js';
import { sayAttached } from './attached.js';
import type { SimulateOptions } from './options.js';
import { saySteps, saySweep } from './shortfalls.js';

const REPORTS = { request: requestsReport, run: runsReport, transcript: transcriptsReport } as const;

const DEFAULT_SWEEP = 'max-tool-calls=0..20';

export async function runSimulate(
  words: readonly string[],
  options: SimulateOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { steps: named, rest: files } = await stepsFirst(words, config, terminal, {
    every: options.every,
    more: serverSide,
  });
  const steps = withStore(named, KEEPS_NOTHING);
  const given: Steps = {
    steps,
    written: words.slice(0, words.length - files.length).join(' '),
    transforms,
    stepOf: async (text) => {
      const step = await parseStep({ text, every: options.every, more: serverSide, isPart: true }, config, terminal);
      return withStore([step], KEEPS_NOTHING)[0]!;
    },
  };
  const omissions = collectOmissions();
  const print = printer(options, omissions, terminal);
  const budget = sweepBudget(options.budget);
  const sweep = options.sweep.length > 0 || budget === undefined ? options.sweep : [DEFAULT_SWEEP];
  const swept = sweep.length === 0 ? undefined : await axesOf(sweep, given);
  if (options.every !== undefined && swept?.axes.some(({ key }) => key === 'every'))
    throw new TranscriptError('usage', '--every and --sweep every=… cannot be combined');
  rejectIdleEvery(options.every, swept?.steps ?? steps);
  const context = await loadContext(options, { priced: true }, config, terminal);
  const recorded: Recorded[] = [];
  const reading = { options, omissions, isSilent: true };
  const good = await forEachTranscript(files, terminal, reading, ({ transcript, place }) => {
    recorded.push(recordedOf(transcript, place, context));
  });
  if (recorded.length === 0) return good ? 0 : 2;
  const isUnpriced = sayUnpriced(recorded, context, terminal);
  sayAttached(recorded, swept?.steps ?? steps, terminal);
  const code = await printSimulated(recorded, given, { swept, budget, options, context, print, terminal });
  if (!good) return 2;
  return options.strict === true && (isUnpriced || !isWhole(omissions)) ? 1 : code;
}

type Print = <Facts>(report: Report<Facts>, facts: Facts) => Promise<void>;

/** Prints reports in the format of the options. */
function printer({ format, color, currency: code }: SimulateOptions, omissions: Omissions, terminal: Terminal): Print {
  const { stdout } = terminal;
  const currency = currencyOf(code);
  return async (report, found) => {
    const facts = { ...found, omissions };
    if (format !== 'table') {
      stdout.write(report[format](facts, { currency }));
      return;
    }
    const style = await tableStyleFor(stdout, terminal, color);
    stdout.write(safe`${report.table(facts, { currency, style })}${omissionLines(omissions, style)}`);
  };
}

interface Setup {
  readonly swept: Awaited<ReturnType<typeof axesOf>> | undefined;
  readonly budget: bigint | undefined;
  readonly options: SimulateOptions;
  readonly context: Context;
  readonly print: Print;
  readonly terminal: Terminal;
}

async function printSimulated(
  recorded: readonly Recorded[],
  { steps, written }: Steps,
  { swept, budget, options, context, print, terminal }: Setup,
): Promise<ExitCode> {
  const { scope, carry, cache, idle, retries, by } = options;
  if (retries !== undefined) {
    const demand = demandOf(options);
    const facts = retryAll(recorded, { times: retries, steps, demand }, context.prices, context.at);
    await print(retriesReport, facts);
    return saySteps(facts.transcripts, ({ retries: { shortfalls } }) => shortfalls, options, terminal);
  }
  const settings = { scope, carries: carry === true, cache, idle };
  if (swept === undefined) {
    const facts = simulateAll(recorded, { steps, written }, settings, context);
    await print(REPORTS[by], facts);
    return saySteps(facts.transcripts, ({ simulation }) => simulation.shortfalls.map(shortfallText), options, terminal);
  }
  const candidates = candidatesOf(swept.steps, swept.axes);
  const facts = sweepAll(recorded, { candidates, budget }, settings, context);
  await print(sweepReport, facts);
  const isOver = budget !== undefined && facts.within === undefined;
  return saySweep(facts, terminal) || isOver ? 1 : 0;
}

function demandOf({ users, questions, subtasks }: SimulateOptions): Demand | undefined {
  if (users === undefined && questions === undefined && subtasks === undefined) return undefined;
  return { users: users ?? 1, questions: questions ?? 1, subtasks: subtasks ?? 1 };
}

/** Reports models without a known price. Returns whether there are any. */
function sayUnpriced(recorded: readonly Recorded[], context: Context, terminal: Terminal): boolean {
  const models = unpricedModels(recorded, context);
  for (const model of models) say(terminal, unpricedText(model));
  return models.length > 0;
}
