/** A simulation for programs: of a transcript that was opened, or of a list of plain messages of any supported format. */
import { TranscriptError } from '../errors.js';
import type { PriceBook } from '../pricing/cost.js';
import { CACHES, cacheNamed } from '../simulation/caches.js';
import { prepareReplay, type Simulation } from '../simulation/simulate.js';
import { open } from '../source/recording.js';
import { createCounting } from '../stats/counting.js';
import type { Transcript } from '../transcript/types.js';
import { RUNNING, rejectWrongOptions, type Shape, spelledMessages, wrong } from './arguments.js';
import { type RunOptions, type StepName, stepsOf } from './run.js';

export interface SimulateOptions extends RunOptions {
  /** Counts and prices as this model, whatever the recording says. */
  readonly model?: string;
  /** `history` (as it is by default): the steps leave the current run alone. */
  readonly scope?: 'history' | 'all';
  /** Whether the agent goes on from what the steps left. */
  readonly carry?: boolean;
  /** `auto` (as it is by default), `off`, or the id of a cache. */
  readonly cache?: string;
  /** Seconds between requests, whatever the recording says. */
  readonly idle?: number;
  /** Without it nothing is priced. */
  readonly prices?: PriceBook;
  /** Prices as of then, whatever the recording says. */
  readonly at?: Date;
}

const SIMULATING: Shape = {
  ...RUNNING,
  model: 'text',
  scope: 'text',
  carry: 'flag',
  cache: 'text',
  idle: 'number',
  prices: 'object',
  at: 'object',
};

/** What each request would have sent and cost, without the steps and with them. `countTokens` has to be given. */
export function simulate(
  input: Transcript | readonly object[],
  steps: readonly StepName[],
  options: SimulateOptions,
): Simulation {
  rejectWrongOptions(options ?? {}, SIMULATING);
  const { countTokens, model, scope = 'history', carry = false, cache = 'auto', idle, prices, at } = options ?? {};
  if (countTokens === undefined) throw new TranscriptError('usage', 'a simulation counts tokens: give `countTokens`');
  if (cache !== 'auto' && cache !== 'off' && cacheNamed(cache) === undefined)
    throw new TranscriptError(
      'usage',
      `no cache \`${cache}\`; there are auto, off, ${CACHES.map(({ id }) => id).join(', ')}`,
    );
  if (idle !== undefined && !(idle >= 0))
    throw new TranscriptError('usage', `\`idle\` takes seconds from 0 on, not ${idle}`);
  if (typeof input !== 'object' || input === null) throw wrong('input', input, 'a transcript or a list of messages');
  const transcript = 'messages' in input ? input : transcriptOf(input, options);
  const counting = createCounting(model ?? transcript.model, () => countTokens);
  return prepareReplay(transcript, counting, { cache, idle, prices, at, model }).play({
    steps: stepsOf(steps, options.pipelines),
    scope,
    carries: carry,
  });
}

function transcriptOf(messages: readonly object[], options: RunOptions): Transcript {
  const [transcript] = open(spelledMessages(messages), options).transcripts;
  if (transcript === undefined) throw new TranscriptError('format', 'no messages were given');
  return transcript;
}
