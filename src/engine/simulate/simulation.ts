/** What the requests of an input would have sent and cost under steps. */

import { TranscriptError } from '../../errors.js';
import { CACHES } from '../../measure/simulation/caches.js';
import type { SimulationFacts } from '../../measure/simulation/facts.js';
import { serverSide } from '../../measure/simulation/server-side.js';
import { NOTHING_OMITTED, type Omissions } from '../../omissions.js';
import { OPENING, rejectWrongOptions, type Shape } from '../../options/arguments.js';
import { kebab } from '../../options/parse.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import type { Transcript } from '../../transcript/types.js';
import { KEEPS_NOTHING, withStore } from '../../transforms/offload.js';
import { INPUT_NAME, type Input, readInput } from '../input.js';
import { loadContext, PRICING, type PriceOptions } from '../settings.js';
import { stepsOf } from '../steps.js';
import type { Pipelines, StepName } from '../written-steps.js';
import { recordedOf, simulateAll } from './simulate.js';

export interface SimulateOptions extends DetectOptions, PriceOptions {
  /**
   * `all`: the steps see the whole context. `history`: they leave the current run alone. `agent` (the default): they
   * do if no run so far has more than one round of calls.
   */
  readonly scope?: 'agent' | 'history' | 'all';
  /** The agent goes on from what the steps left. */
  readonly carry?: boolean;
  /** `auto` (the default), `off`, or the id of a cache. */
  readonly cache?: string;
  /** Seconds between two requests, whatever the recording says. */
  readonly idle?: number;
  /** Names that stand for several steps: the `pipelines` of a config. */
  readonly pipelines?: Pipelines;
}

const SIMULATING: Shape = {
  ...OPENING,
  ...PRICING,
  scope: ['agent', 'history', 'all'],
  carry: 'flag',
  cache: ['auto', 'off', ...CACHES.map(({ id }) => id)],
  idle: 'number',
  pipelines: 'object',
};

/**
 * Simulates a text, a list of plain messages, or a transcript that `open` gave.
 * Throws TranscriptError (rejects) for a wrong step or option, and for an input that holds no messages.
 */
export async function simulationOf(
  input: Input | Transcript,
  steps: readonly StepName[],
  options: SimulateOptions,
): Promise<SimulationFacts & { readonly omissions: Omissions }> {
  rejectWrongOptions(options, SIMULATING);
  const { scope = 'agent', carry: carries = false, cache = 'auto', idle, pipelines } = options;
  if (idle !== undefined && idle < 0)
    throw new TranscriptError('usage', `\`idle\` is ${idle}; expected seconds from 0 on`, { path: 'options.idle' });
  const policy = {
    steps: withStore(stepsOf(steps, pipelines, serverSide), KEEPS_NOTHING),
    written: steps.map(stepText).join(' '),
  };
  const context = await loadContext(options);
  const { placed, omissions } = isTranscript(input)
    ? { placed: [{ transcript: input, line: 1 }], omissions: NOTHING_OMITTED }
    : placedIn(input, options);
  const recorded = placed.map(({ transcript, line }) => recordedOf(transcript, { file: INPUT_NAME, line }, context));
  if (recorded.length === 0) throw new TranscriptError('format', 'the input holds no messages');
  return { ...simulateAll(recorded, policy, { scope, carries, cache, idle }, context), omissions };
}

function isTranscript(input: Input | Transcript): input is Transcript {
  return typeof input === 'object' && input !== null && 'messages' in input;
}

function placedIn(input: Input, options: DetectOptions) {
  const { transcripts, omissions } = readInput(input, options);
  return {
    placed: transcripts.map(({ transcript, piece }) => ({ transcript, line: piece.line })),
    omissions: omissions(),
  };
}

/** A step as the command line writes it. */
function stepText(step: StepName): string {
  if (typeof step === 'string') return step;
  const { transform, ...given } = step as { readonly transform: string };
  const options = Object.entries(given).map(([key, value]) => `${kebab(key)}=${value}`);
  return options.length === 0 ? transform : `${transform}:${options.join(',')}`;
}
