/** The cost of retries, with the context unchanged and after a step such as `strip`. */
import type { Picodollars } from '../../decimals.js';
import type { Transcript } from '../../transcript/types.js';
import { NO_USAGE } from '../../transcript/usage.js';
import { applySteps, type Step } from '../../transforms/pipeline.js';
import type { PriceBook } from '../pricing/cost.js';
import type { Counting } from '../stats/counting.js';

export interface Attempt {
  /** How many times it is sent again. */
  readonly retries: number;
  /** Tokens and cost of this attempt and all before it. */
  readonly tokens: number;
  readonly cost: Picodollars | undefined;
  /** The same if all attempts but the first send the stripped context. */
  readonly strippedTokens: number;
  readonly strippedCost: Picodollars | undefined;
}

export interface Retries {
  /** Tokens of the context as one prompt. */
  readonly tokens: number;
  readonly stripped: number;
  readonly tokensSource: 'exact' | 'estimated';
  readonly attempts: readonly Attempt[];
  /** What the steps could not do. */
  readonly shortfalls: readonly string[];
}

/** The load: users, questions per user and day, and subtasks per question that may be retried. */
export interface Demand {
  readonly users: number;
  readonly questions: number;
  readonly subtasks: number;
}

const DAYS = 365n;

export function retriesOf(
  transcript: Transcript,
  counting: Counting,
  steps: readonly Step[],
  times: number,
  prices: PriceBook | undefined,
  at: Date | undefined,
): Retries {
  const tokens = promptOf(transcript, counting);
  const shortfalls: string[] = [];
  const tell = (shortfall: string) => void shortfalls.push(shortfall);
  const stripped = promptOf(applySteps(transcript, steps, counting, tell), counting);
  const costOf = (input: number) =>
    counting.model === undefined ? undefined : prices?.cost(counting.model, { ...NO_USAGE, input }, at).usd;
  const [whole, less] = [costOf(tokens), costOf(stripped)];
  const attempts = Array.from(
    { length: times + 1 },
    (_, retries): Attempt => ({
      retries,
      tokens: tokens * (retries + 1),
      cost: whole === undefined ? undefined : whole * BigInt(retries + 1),
      strippedTokens: tokens + stripped * retries,
      strippedCost: whole === undefined || less === undefined ? undefined : whole + less * BigInt(retries),
    }),
  );
  return { tokens, stripped, tokensSource: counting.source, attempts, shortfalls };
}

/** The cost of a year, from the cost of a subtask. */
export function perYear(
  cost: Picodollars | undefined,
  { users, questions, subtasks }: Demand,
): Picodollars | undefined {
  return cost === undefined ? undefined : cost * BigInt(users) * BigInt(questions) * BigInt(subtasks) * DAYS;
}

function promptOf(transcript: Transcript, counting: Counting): number {
  return (
    counting.definitions(transcript) +
    counting.perRequest +
    transcript.messages.reduce((sum, message) => sum + counting.message(message), 0)
  );
}
