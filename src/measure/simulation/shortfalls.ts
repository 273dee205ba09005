/** What a policy could not do: prompts that stay above the budget of one of its steps. */
import { greatest } from '../../lists.js';
import { once } from '../../once.js';
import type { Message, Transcript } from '../../transcript/types.js';
import fit, { waysToLess } from '../../transforms/fit.js';
import type { Step } from '../../transforms/pipeline.js';
import { overheadTokens } from '../../transforms/request.js';
import type { Counts } from '../../transforms/transform.js';

export interface Shortfall {
  /** The id of the step. */
  readonly step: string;
  readonly budget: number;
  /** The requests above the budget, and all of them. */
  readonly requests: number;
  readonly of: number;
  /** By how many tokens the longest prompt is above it, as the step counts it. */
  readonly tokens: number;
  /** The options that may leave less. */
  readonly ways: readonly string[];
}

type FitOptions = Parameters<(typeof fit)['apply']>[1];

const isFit = ({ transform }: Step) => (transform.id as string) === fit.id;
const optionsOf = ({ values }: Step) => values as unknown as FitOptions;

/** Whether a step has a budget, so that prompts are to be counted as it counts them. */
export function hasBudget(steps: readonly Step[]): boolean {
  return steps.some((step) => isFit(step) && optionsOf(step).maxTokens !== undefined);
}

/** `seesAll`: whether the steps see all of each request. */
export function shortfallsOf(steps: readonly Step[], prompts: readonly number[], seesAll: boolean): Shortfall[] {
  const budgets = new Map(steps.filter(isFit).map((step) => [optionsOf(step).maxTokens, optionsOf(step)]));
  return [...budgets].flatMap(([budget = Number.POSITIVE_INFINITY, options]) => {
    const above = prompts.filter((tokens) => tokens > budget);
    if (above.length === 0) return [];
    const ways = [...waysToLess(options), ...(seesAll ? [] : ['--scope all'])];
    const tokens = greatest(above) - budget;
    return [{ step: fit.id, budget, requests: above.length, of: prompts.length, tokens, ways }];
  });
}

/** The shortfalls of several recordings together, to which the same steps were applied. `of`: all requests. */
export function sumShortfalls(all: readonly (readonly Shortfall[])[], of: number): Shortfall[] {
  const sums = new Map<number, Shortfall>();
  for (const one of all.flat()) {
    const { requests = 0, tokens = 0 } = sums.get(one.budget) ?? {};
    sums.set(one.budget, {
      ...one,
      requests: one.requests + requests,
      of,
      tokens: Math.max(one.tokens, tokens),
    });
  }
  return [...sums.values()];
}

/** Counts prompts as `fit` does, of which each has the first messages of the one before. */
export function createPrompts(
  transcript: Transcript,
  counts: Counts,
): (same: number, added: readonly Message[]) => number {
  const sums = [0];
  const systems = [0];
  const overhead = (messages: readonly Message[]) => overheadTokens({ ...transcript, messages }, counts);
  const overheads = [once(() => overhead([])), once(() => overhead([{ role: 'system', parts: [] }]))] as const;
  return (same, added) => {
    sums.length = same + 1;
    systems.length = same + 1;
    for (const message of added) {
      sums.push(sums.at(-1)! + counts.message(message));
      systems.push(systems.at(-1)! + (message.role === 'system' ? 1 : 0));
    }
    return sums.at(-1)! + overheads[systems.at(-1)! > 0 ? 1 : 0]();
  };
}
