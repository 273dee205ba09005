/** The JSON documents of the command line, as `stats`, `simulate` and `diff` return them. Costs are US dollars. */

/** Tokens and costs of requests. */
export interface UsageJson {
  /** Input tokens that were neither read from the cache nor written to it. */
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
}

export interface StatsRequest extends UsageJson {
  readonly key: string | null;
  readonly index: number;
  readonly model: string | null;
  readonly session: string | null;
  readonly time: string | null;
  readonly cost_usd: number | null;
  readonly cost_source: 'recorded' | 'computed' | 'estimated' | 'unpriced';
  readonly tokens_source: 'recorded' | 'exact' | 'estimated';
}

export interface StatsTotals extends UsageJson {
  readonly messages: number;
  readonly tool_calls: number;
  readonly tool_results: number;
  /** The transcript as one request. */
  readonly tokens: number;
  readonly tokens_source: 'exact' | 'estimated';
  /** The cost of the transcript as one request. */
  readonly cost_usd: number | null;
  readonly requests: number;
  readonly replay_tokens: number;
  /** What all requests cost; null where a price is missing. */
  readonly replay_cost_usd: number | null;
  readonly known_cost_usd: number;
  readonly unpriced_requests: number;
  readonly cost_source: string;
  readonly requests_source: string;
}

export interface StatsMessage {
  readonly index: number;
  readonly role: string;
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly cumulative: number;
  readonly share: number;
}

/** A tool result, followed through the requests that carried it. */
export interface CarriedResult {
  readonly index: number;
  readonly tool: string;
  readonly tokens: number;
  readonly requests: number;
  readonly carried_tokens: number;
  readonly cost_usd: number | null;
}

export interface StatsTranscript {
  readonly file: string;
  readonly line: number;
  readonly id: string | null;
  readonly format: string;
  readonly model: string | null;
  readonly context_window: number | null;
  readonly messages: readonly StatsMessage[];
  readonly roles: readonly { readonly role: string; readonly messages: number; readonly tokens: number }[];
  readonly tools: readonly {
    readonly tool: string;
    readonly calls: number;
    readonly results: number;
    readonly tokens: number;
  }[];
  readonly definition_tokens: number;
  readonly request_tokens: number;
  readonly hints: readonly string[];
  readonly turn_starts: readonly number[];
  readonly requests: readonly StatsRequest[];
  readonly totals: StatsTotals;
  readonly carried?: readonly CarriedResult[];
}

export interface StatsReport {
  readonly version: 1;
  readonly transcripts: readonly StatsTranscript[];
  readonly rows?: readonly Readonly<Record<string, string | number | null>>[];
  readonly tools?: readonly {
    readonly tool: string;
    readonly results: number;
    readonly tokens: number;
    readonly carried_tokens: number;
    readonly cost_usd: number | null;
    readonly share: number;
  }[];
  readonly calibrations?: readonly Readonly<Record<string, string | number | null>>[];
  readonly totals: StatsTotals & { readonly duplicates_dropped: number };
}

/** Why prompt caches missed, as `stats --cache` gives it. */
export interface CacheReport {
  readonly version: 1;
  /** A sub-agent is a session of its own. */
  readonly sessions: readonly CacheSessionJson[];
  readonly totals: CacheFiguresJson;
}

export interface CacheFiguresJson {
  /** Requests with a prompt. */
  readonly requests: number;
  /** Tokens that the requests could have read from the cache. */
  readonly possible: number;
  /** Those of them that they read. */
  readonly read: number;
  readonly missed: number;
  /** What the missed tokens cost more than cache reads; null where a price is missing. */
  readonly missed_cost_usd: number | null;
}

export interface CacheSessionJson extends CacheFiguresJson {
  readonly file: string;
  readonly session: string | null;
  readonly causes: readonly {
    readonly cause: CacheCause;
    readonly requests: number;
    readonly missed: number;
    readonly missed_cost_usd: number | null;
  }[];
  readonly misses: readonly {
    /** Position among the requests of the session, from 0. */
    readonly request: number;
    /** The message with the reply. */
    readonly index: number;
    readonly cause: CacheCause;
    readonly missed: number;
    readonly missed_cost_usd: number | null;
  }[];
}

export type CacheCause = 'first' | 'model' | 'tools' | 'system' | 'rewritten' | 'idle' | 'user' | 'unexplained';

/** One side of a simulated request: with the policy or without it. */
export interface SimulatedSide {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  /** The whole prompt: input, cache read and cache write. */
  readonly sent: number;
  readonly output: number;
  readonly cost_usd: number | null;
}

export interface SimulationTotals {
  readonly requests: number;
  readonly results_before: number;
  readonly results_kept: number;
  /** Requests before which the policy changed what had been sent. */
  readonly rewrites: number;
  /** Tokens that the cache could have served and that were paid as input. */
  readonly paid_again: number;
  readonly without: SimulatedSide;
  readonly with: SimulatedSide;
}

export interface SimulationRequest extends Omit<SimulationTotals, 'requests' | 'rewrites'> {
  readonly index: number;
  readonly message: number;
  readonly model: string | null;
  readonly time: string | null;
  readonly calls_in_history: number;
  readonly calls_before: number;
  readonly calls_after: number;
  readonly first_changed: number | null;
  readonly recorded: {
    readonly input: number;
    readonly cache_read: number;
    readonly cache_write: number;
    readonly output: number;
  } | null;
}

/** The usage and cost that the recording states, of all its requests. */
export interface RecordedUse {
  readonly requests: number;
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly cost_usd: number | null;
}

/** How far the cache model is off what the recording says, without a policy. */
export interface SimulationPrediction {
  readonly requests: number;
  readonly cache_read_predicted: number;
  readonly cache_read_recorded: number;
  readonly prompt_recorded: number;
  readonly off: number;
  readonly error: number;
  readonly cost_usd_predicted: number | null;
  readonly cost_usd_recorded: number | null;
}

export interface SimulationReport {
  readonly version: 1;
  /** The steps as text. */
  readonly policy: string;
  readonly transcripts: readonly {
    readonly file: string;
    readonly line: number;
    readonly id: string | null;
    readonly format: string;
    readonly model: string | null;
    readonly tokens_source: 'exact' | 'estimated' | 'recorded';
    readonly requests: readonly SimulationRequest[];
    readonly totals: SimulationTotals;
    readonly recorded: RecordedUse | null;
    readonly prediction: SimulationPrediction | null;
  }[];
  readonly caches: readonly Readonly<Record<string, unknown>>[];
  readonly totals: SimulationTotals & { readonly recorded: RecordedUse | null };
  readonly prediction: SimulationPrediction | null;
  /** What to do, in a sentence. */
  readonly advice: string | null;
}

export interface DiffSide {
  readonly index: number;
  readonly role: string;
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly text: string;
}

export interface DiffTotals {
  readonly messages: number;
  readonly tool_calls: number;
  readonly tool_results: number;
  readonly tokens: number;
  readonly cost_usd: number | null;
  readonly tokens_source: 'exact' | 'estimated';
}

export interface DiffReport {
  readonly version: 1;
  readonly transcripts: readonly {
    readonly file: string;
    readonly line: number;
    readonly id: string | null;
    readonly model: string | null;
    /** Messages that are the same on both sides. */
    readonly kept: number;
    readonly changes: readonly {
      readonly kind: string;
      readonly before: DiffSide | null;
      readonly after: DiffSide | null;
    }[];
    readonly totals: { readonly before: DiffTotals; readonly after: DiffTotals };
  }[];
}
