/** The command `simulate`: reads transcripts, replays them under the policies that are named, and prints what it finds. */

import type { Context } from '../../app/context.js';
import {
  type Recorded,
  recordedOf,
  retryAll,
  simulateAll,
  sweepAll,
  sweepBudget,
  unpricedModels,
} from '../../app/simulate/simulate.js';
import { axesOf, type Steps } from '../../app/simulate/sweep-axes.js';
import { shownName } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { type Look, requestsReport, retriesReport, sweepReport, transcriptsReport } from '../../reports/simulation.js';
import { retriesJson, simulationJson, sweepJson } from '../../reports/simulation-json.js';
import type { SafeText } from '../../safe/text.js';
import type { Demand } from '../../simulation/retries.js';
import { candidatesOf } from '../../simulation/sweep.js';
import { currencyOf } from '../../text/money.js';
import { transforms } from '../../transforms/index.js';
import type { ExitCode } from '../command.js';
import { parseStep, stepsFirst } from '../run/steps.js';
import { paletteFor } from '../shared/colors.js';
import type { Config } from '../shared/config.js';
import { loadContext } from '../shared/context.js';
import { forEachInput, openPieces, say } from '../shared/reading.js';
import type { SimulateOptions } from './options.js';

const USUAL_SWEEP = 'max-tool-calls=0..20';

export async function runSimulate(
  words: readonly string[],
  options: SimulateOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { steps, rest: files } = await stepsFirst(words, config, terminal);
  const given: Steps = {
    steps,
    written: words.slice(0, words.length - files.length).join(' '),
    transforms,
    stepOf: (text) => parseStep(text, text, config, terminal, true),
  };
  const look: Look = {
    style: await paletteFor(terminal.stdout, terminal, options.color),
    currency: currencyOf(options.currency),
    format: options.format === 'json' ? 'table' : options.format,
  };
  const budget = sweepBudget(options.budget);
  const sweep = options.sweep.length > 0 || budget === undefined ? options.sweep : [USUAL_SWEEP];
  const swept = sweep.length === 0 ? undefined : await axesOf(sweep, given);
  const context = await loadContext(options, { priced: true }, config, terminal);
  const recorded: Recorded[] = [];
  const good = await forEachInput(
    files,
    terminal,
    (input) => {
      for (const piece of openPieces(input, options, terminal)) {
        if (piece.type !== 'opened') continue;
        const place = { file: shownName(input.name), line: piece.line };
        for (const transcript of piece.transcripts) recorded.push(recordedOf(transcript, place, context));
      }
    },
    { ...options, isSilent: true },
  );
  if (recorded.length === 0) return good ? 0 : 2;
  const isUnpriced = sayUnpriced(recorded, context, terminal);
  const { text, code } = simulated(recorded, given, { swept, budget, options, context, look });
  terminal.stdout.write(text);
  if (!good) return 2;
  return options.strict === true && isUnpriced ? 1 : code;
}

interface Asked {
  readonly swept: Awaited<ReturnType<typeof axesOf>> | undefined;
  readonly budget: bigint | undefined;
  readonly options: SimulateOptions;
  readonly context: Context;
  readonly look: Look;
}

function simulated(
  recorded: readonly Recorded[],
  { steps, written }: Steps,
  { swept, budget, options, context, look }: Asked,
): { readonly text: SafeText; readonly code: ExitCode } {
  const { scope, carry, cache, idle, retries, by } = options;
  const isJson = options.format === 'json';
  if (retries !== undefined) {
    const facts = retryAll(recorded, { times: retries, steps, demand: demandOf(options) }, context.prices, context.at);
    return { text: isJson ? retriesJson(facts) : retriesReport(facts, look), code: 0 };
  }
  const settings = { scope, carries: carry === true, cache, idle };
  if (swept !== undefined) {
    const candidates = candidatesOf(swept.steps, swept.axes);
    const facts = sweepAll(recorded, { candidates, budget }, settings, context);
    const isOver = budget !== undefined && facts.within === undefined;
    return { text: isJson ? sweepJson(facts) : sweepReport(facts, look), code: isOver ? 1 : 0 };
  }
  const facts = simulateAll(recorded, { steps, written }, settings, context);
  if (isJson) return { text: simulationJson(facts), code: 0 };
  return { text: by === 'request' ? requestsReport(facts, look) : transcriptsReport(facts, look), code: 0 };
}

function demandOf({ users, questions, subtasks }: SimulateOptions): Demand | undefined {
  if (users === undefined && questions === undefined && subtasks === undefined) return undefined;
  return { users: users ?? 1, questions: questions ?? 1, subtasks: subtasks ?? 1 };
}

/** Returns whether any model has no price. */
function sayUnpriced(recorded: readonly Recorded[], context: Context, terminal: Terminal): boolean {
  const models = unpricedModels(recorded, context);
  for (const model of models)
    say(
      terminal,
      model === undefined
        ? 'ctx-trim: a transcript says no model, so there is no price; --model names one'
        : `ctx-trim: no price is known for ${model}`,
    );
  return models.length > 0;
}
