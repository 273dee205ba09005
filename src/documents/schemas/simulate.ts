/** `simulate --format json`: a policy, a sweep of policies, or retries. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, dollars, maybe, text } = part;

const side = z
  .object({
    input: count,
    cache_read: count,
    cache_write: count,
    sent: count.describe('The whole prompt: input, cache read and cache write.'),
    output: count,
    cost_usd: dollars,
  })
  .meta({ id: 'SimulatedSide' });

const sides = {
  results_before: count,
  results_kept: count,
  paid_again: count.describe('Tokens that the cache could have served and that were paid as input.'),
  without: side,
  with: side,
};

const totals = z
  .object({
    requests: count,
    rewrites: count.describe('Requests before which the policy changed what had been sent.'),
    ...sides,
  })
  .meta({ id: 'SimulationTotals' });

const request = z
  .object({
    index: count,
    message: count,
    run: z.number().describe('The index of the user message that began the current run.'),
    model: maybe,
    time: maybe,
    calls_in_history: count,
    calls_before: count,
    calls_after: count,
    first_changed: count.nullable(),
    ...sides,
    recorded: z.object(part.shortUsage).nullable(),
  })
  .meta({ id: 'SimulationRequest' });

const recorded = z
  .object({ requests: count, ...part.shortUsage, cost_usd: dollars })
  .meta({ id: 'RecordedUse', description: 'The usage and cost that the recording states, of all its requests.' });

const prediction = z
  .object({
    requests: count,
    tokens_error: z.number().describe('The share by which recorded prompts are off counted ones, request by request.'),
    cost_error: z.number().nullable().describe('The share of the recorded cost by which the replayed cost is off.'),
    error: z.number().describe('The larger of both.'),
    cost_usd: dollars.describe('The replayed cost of the recorded requests.'),
    cost_usd_recorded: dollars,
    cache_read_predicted: count,
    cache_read_recorded: count,
    prompt_recorded: count,
    off: z.number(),
  })
  .meta({ id: 'SimulationPrediction' });

const verdict = z.object({
  verdict: z
    .enum(['saves', 'costs', 'same', 'unsure', 'inexact', 'unpriced'])
    .describe(
      '`saves`, `costs`: for sure. `unsure`: the range of error holds the cost without it. ' +
        '`inexact`: the error is above 20 %.',
    ),
  saved_usd: dollars.describe('The cost without the policy less the cost with it.'),
  saved_least_usd: dollars,
  saved_most_usd: dollars,
});

const shortfall = z
  .object({
    step: text,
    budget: count,
    requests: count.describe('Requests above the budget of the step.'),
    of: count,
    tokens: count.describe('By how many tokens the longest of them is above it, as the step counts them.'),
  })
  .meta({ id: 'SimulationShortfall', description: 'What a step could not do: prompts that stay above its budget.' });

const shortfalls = z.array(shortfall).describe('What the steps could not do; exit code 1.');

const cache = z.object({
  ...{ id: text, title: text, lifetime: count.nullable(), step: count, look_back: count.nullable(), caveat: maybe },
  ...{ source: text, minimums_source: text, date: text },
});

const rest = {
  ...part.omissions,
  caches: z.array(cache),
  prediction: prediction.nullable(),
  advice: maybe.describe('What to do, in a sentence.'),
};

export const simulateSchema = z
  .object({
    version: z.literal(1),
    policy: text.describe('The steps as text.'),
    transcripts: z.array(
      z.object({
        ...part.place,
        format: text,
        model: maybe,
        tokens_source: part.tokensSource,
        requests: z.array(request),
        totals,
        shortfalls,
        recorded: recorded.nullable(),
        prediction: prediction.nullable(),
      }),
    ),
    ...rest,
    totals: totals.extend({ ...verdict.shape, recorded: recorded.nullable() }),
    shortfalls,
    steadier: z
      .object({ options: text, cost_usd: dollars })
      .nullable()
      .describe('The same steps with options that keep the prompt cache, if the policy costs more without.'),
  })
  .meta({ id: 'SimulationReport' });

const outcome = z.object({
  policy: text,
  sent: count,
  results_before: count,
  results_kept: count,
  rewrites: count,
  paid_again: count,
  cost_usd: dollars,
  ...verdict.shape,
  shortfalls,
  frontier: z.boolean(),
});

export const sweepSchema = z
  .object({
    version: z.literal(1),
    transcripts: z.array(z.object(part.place)),
    sweep: z.array(outcome),
    hindsight: z.array(outcome),
    cheapest: text,
    recommended: maybe,
    frontier: part.texts,
    budget_usd: z.number().optional(),
    within_budget: maybe.optional(),
    ...rest,
  })
  .meta({ id: 'SweepReport' });

const attempt = z.object({
  retries: count,
  tokens: count,
  cost_usd: dollars,
  stripped_tokens: count,
  stripped_cost_usd: dollars,
});

export const retriesSchema = z
  .object({
    version: z.literal(1),
    transcripts: z.array(
      z.object({
        ...part.place,
        ...{ model: maybe, tokens: count, stripped: count, tokens_source: part.countSource },
        attempts: z.array(attempt),
        shortfalls: z.array(text).describe('What the steps could not do; exit code 1.'),
      }),
    ),
    ...part.omissions,
    demand: z.object({ users: z.number(), questions: z.number(), subtasks: z.number() }).optional(),
    yearly: z.array(z.object({ cost_usd: dollars, stripped_cost_usd: dollars })).optional(),
  })
  .meta({ id: 'RetriesReport' });
