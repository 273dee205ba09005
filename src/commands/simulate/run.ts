import { priceDate } from '../../app/period.js';
import { axesOf, type Steps } from '../../app/simulate/sweep-axes.js';
import { TranscriptError } from '../../errors.js';
import { shownName } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import { loadTokenizer } from '../../io/tokenizer.js';
import { defaultsOf } from '../../options/option.js';
import { type PriceBook, picodollarsOf } from '../../pricing/cost.js';
import {
  type Look,
  type Place,
  requestsReport,
  retriesReport,
  type SimulationFacts,
  type SweepFacts,
  sumPredictions,
  sweepReport,
  transcriptsReport,
} from '../../reports/simulation.js';
import { retriesJson, simulationJson, sweepJson } from '../../reports/simulation-json.js';
import type { Policy } from '../../simulation/policy.js';
import { type Demand, retriesOf } from '../../simulation/retries.js';
import { type PreparedReplay, prepareReplay, type SimulationOptions, totalsOf } from '../../simulation/simulate.js';
import {
  type Candidate,
  candidatesOf,
  cheapestOf,
  mostKeptWithin,
  NO_POLICY,
  outcomesOf,
} from '../../simulation/sweep.js';
import { type Counting, countings } from '../../stats/counting.js';
import { currencyOf } from '../../text/money.js';
import type { Transcript } from '../../transcript/types.js';
import { transforms } from '../../transforms/index.js';
import type { ExitCode } from '../command.js';
import { parseStep, stepsFirst } from '../run/steps.js';
import { paletteFor } from '../shared/colors.js';
import type { Config } from '../shared/config.js';
import { loadPriceList } from '../shared/price-list.js';
import { forEachInput, openPieces, say } from '../shared/reading.js';
import type { SimulateOptions } from './options.js';

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
  const look = {
    style: await paletteFor(terminal.stdout, terminal, options.color),
    currency: currencyOf(options.currency),
    format: options.format === 'json' ? 'table' : options.format,
  } as const;
  const budget = budgetOf(options.budget);
  const demand = demandOf(options);
  const at = priceDate(options.priceDate, '--price-date');
  const sweep = options.sweep.length > 0 || budget === undefined ? options.sweep : [USUAL_SWEEP];
  const swept = sweep.length === 0 ? undefined : await axesOf(sweep, given);
  const [tokenizer, prices] = await Promise.all([
    loadTokenizer(options.tokenizer),
    loadPriceList(options, config, terminal),
  ]);
  const countingFor = countings(tokenizer);
  const takes: Taken[] = [];
  const good = await forEachInput(
    files,
    terminal,
    (input) => {
      for (const piece of openPieces(input, options, terminal)) {
        if (piece.type !== 'opened') continue;
        for (const transcript of piece.transcripts) {
          const counting = countingFor(options.model ?? transcript.model);
          takes.push({
            transcript,
            counting,
            place: {
              file: shownName(input.name),
              line: piece.line,
              id: transcript.id,
              format: transcript.format,
              model: counting.model,
            },
          });
        }
      }
    },
    { ...options, isSilent: true },
  );
  if (takes.length === 0) return good ? 0 : 2;
  const unpriced = sayUnpriced(takes, prices, at, options, terminal);
  const saying = { look, isJson: options.format === 'json', terminal };
  const pricing = { prices, at };
  const code =
    options.retries === undefined
      ? showPlays(takes, given, swept && candidatesOf(swept.steps, swept.axes), budget, options, pricing, saying)
      : showRetries(takes, given, options.retries, demand, pricing, saying);
  if (!good) return 2;
  return options.strict === true && unpriced ? 1 : code;
}

const USUAL_SWEEP = 'max-tool-calls=0..20';

interface Taken {
  readonly transcript: Transcript;
  readonly counting: Counting;
  readonly place: Place;
}

type Pricing = Required<Pick<SimulationOptions, 'at'>> & { readonly prices: PriceBook };

interface Saying {
  readonly look: Look;
  readonly isJson: boolean;
  readonly terminal: Terminal;
}

function showPlays(
  takes: readonly Taken[],
  { steps, written: policy }: Steps,
  candidates: readonly Candidate[] | undefined,
  budget: bigint | undefined,
  { scope, carry, by, cache, idle, model }: SimulateOptions,
  pricing: Pricing,
  { look, isJson, terminal }: Saying,
): ExitCode {
  const how: Omit<Policy, 'steps'> = { scope, carries: carry === true };
  const stages = takes.map(
    ({ transcript, counting }): PreparedReplay =>
      prepareReplay(transcript, counting, { cache, idle, model, ...pricing }),
  );
  const transcripts = takes.map(({ place }, index) => ({
    ...place,
    simulation: stages[index]!.play({ ...how, steps: candidates === undefined ? steps : NO_POLICY.steps }),
  }));
  const simulations = transcripts.map(({ simulation }) => simulation);
  const basis = {
    transcripts,
    caches: [...new Set(simulations.flatMap(({ caches }) => caches))],
    prediction: sumPredictions(simulations.map(({ prediction }) => prediction)),
    tokensSource:
      simulations.find(({ tokensSource }) => tokensSource === 'estimated')?.tokensSource ??
      simulations.find(({ tokensSource }) => tokensSource === 'recorded')?.tokensSource ??
      'exact',
  } as const;
  if (candidates === undefined) {
    const facts: SimulationFacts = {
      ...basis,
      policy,
      totals: totalsOf(simulations.flatMap(({ requests }) => requests)),
    };
    terminal.stdout.write(
      isJson ? simulationJson(facts) : by === 'request' ? requestsReport(facts, look) : transcriptsReport(facts, look),
    );
    return 0;
  }
  const outcomes = outcomesOf(stages, candidates, how);
  const facts: SweepFacts = {
    ...basis,
    outcomes,
    cheapest: cheapestOf(outcomes),
    budget,
    within: budget === undefined ? undefined : mostKeptWithin(outcomes, budget),
  };
  terminal.stdout.write(isJson ? sweepJson(facts) : sweepReport(facts, look));
  return budget !== undefined && facts.within === undefined ? 1 : 0;
}

/** Each retry is a row of the report: more than these nobody reads. */
const MOST_RETRIES = 1000;

function showRetries(
  takes: readonly Taken[],
  { steps, transforms }: Steps,
  times: number,
  demand: Demand | undefined,
  { prices, at }: Pricing,
  { look, isJson, terminal }: Saying,
): ExitCode {
  if (times > MOST_RETRIES)
    throw new TranscriptError('usage', `--retries ${times}: expected a whole number from 0 to ${MOST_RETRIES}`);
  const strip = transforms.find(({ id }) => id === 'strip')!;
  const stripping = steps.length > 0 ? steps : [{ transform: strip, values: defaultsOf(strip.options) }];
  const facts = {
    demand,
    transcripts: takes.map(({ transcript, counting, place }) => ({
      ...place,
      retries: retriesOf(transcript, counting, stripping, times, prices, at),
    })),
  };
  terminal.stdout.write(isJson ? retriesJson(facts) : retriesReport(facts, look));
  return 0;
}

function budgetOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const budget = picodollarsOf(text.replace(/^\$/, ''));
  if (budget === undefined || budget < 0n)
    throw new TranscriptError('usage', `--budget \`${text}\` is no amount of US dollars; expected something like 0.50`);
  return budget;
}

function demandOf({ users, questions, subtasks }: SimulateOptions): Demand | undefined {
  if (users === undefined && questions === undefined && subtasks === undefined) return undefined;
  return { users: users ?? 1, questions: questions ?? 1, subtasks: subtasks ?? 1 };
}

function sayUnpriced(
  takes: readonly Taken[],
  prices: PriceBook,
  at: Date | undefined,
  { model }: SimulateOptions,
  terminal: Terminal,
): boolean {
  const NOTHING = { input: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const models = new Set(takes.map(({ transcript }) => model ?? transcript.model));
  const unpriced = [...models].filter((name) => name === undefined || prices.cost(name, NOTHING, at).usd === undefined);
  for (const name of unpriced)
    say(
      terminal,
      name === undefined
        ? 'ctx-trim: a transcript says no model, so there is no price; --model names one'
        : `ctx-trim: no price is known for ${name}`,
    );
  return unpriced.length > 0;
}
