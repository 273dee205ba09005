/** The documents that the library returns, printed from their schemas by `npm run docs`. */

/** Lines of a file that are not JSON. */
export interface BadLines {
  file: string;
  /** The first of them. */
  line: number;
  bad: number;
  /** All lines with a value. */
  lines: number;
  reason: string;
}

export interface CacheFigures {
  /** Requests with a prompt. */
  requests: number;
  /** Tokens that the requests could have read from the cache. */
  possible: number;
  /** Those of them that they read. */
  read: number;
  missed: number;
  /** What they cost more than cache reads; null where a price is missing. */
  missed_cost_usd: number | null;
  /** The most expensive first. */
  causes: {
    cause: 'first' | 'model' | 'tools' | 'system' | 'rewritten' | 'idle' | 'user' | 'provider' | 'unexplained';
    requests: number;
    missed: number;
    missed_cost_usd: number | null;
  }[];
}

export interface CacheReport {
  version: 1;
  /** A sub-agent is a session of its own. */
  sessions: CacheSession[];
  /** Inputs that cannot be read; absent if there are none. */
  unreadable?: { file: string; message: string }[];
  unread: UnreadRows[];
  bad_lines: BadLines[];
  totals: CacheFigures;
}

export interface CacheSession {
  /** Requests with a prompt. */
  requests: number;
  /** Tokens that the requests could have read from the cache. */
  possible: number;
  /** Those of them that they read. */
  read: number;
  missed: number;
  /** What they cost more than cache reads; null where a price is missing. */
  missed_cost_usd: number | null;
  file: string;
  session: string | null;
  causes: {
    cause: 'first' | 'model' | 'tools' | 'system' | 'rewritten' | 'idle' | 'user' | 'provider' | 'unexplained';
    requests: number;
    missed: number;
    missed_cost_usd: number | null;
  }[];
  misses: {
    /** Position among the requests of the session, from 0. */
    request: number;
    /** The message with the reply. */
    index: number;
    cause: 'first' | 'model' | 'tools' | 'system' | 'rewritten' | 'idle' | 'user' | 'provider' | 'unexplained';
    missed: number;
    missed_cost_usd: number | null;
  }[];
}

export interface DiffReport {
  version: 1;
  transcripts: {
    file: string;
    line: number;
    id: string | null;
    model: string | null;
    /** What differs beside the messages: model, tools, other fields of the request; values as JSON. */
    beside: { name: string; before: string | null; after: string | null }[];
    /** What was not compared, as the formats differ. */
    not_compared: string[];
    /** Messages that are the same on both sides. */
    kept: number;
    changes: {
      kind: 'dropped' | 'added' | 'changed' | 'moved';
      before: DiffSide | null;
      after: DiffSide | null;
      /**
       * What changed that no text shows: error mark, name, image, audio, file, signature, citations, annotations,
       * cache_control and their places, white space of arguments.
       */
      unshown: string[];
    }[];
    totals: { before: DiffTotals; after: DiffTotals };
  }[];
  /** Inputs that cannot be read; absent if there are none. */
  unreadable?: { file: string; message: string }[];
  unread: UnreadRows[];
  bad_lines: BadLines[];
}

export interface DiffSide {
  index: number;
  role: string;
  tools: string[];
  tokens: number;
  text: string;
}

export interface DiffTotals {
  messages: number;
  tool_calls: number;
  tool_results: number;
  tokens: number;
  cost_usd: number | null;
  tokens_source: 'exact' | 'estimated';
}

/** The usage and cost that the recording states, of all its requests. */
export interface RecordedUse {
  requests: number;
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
  cost_usd: number | null;
}

export interface SimulatedSide {
  input: number;
  cache_read: number;
  cache_write: number;
  /** The whole prompt: input, cache read and cache write. */
  sent: number;
  output: number;
  cost_usd: number | null;
}

export interface SimulationPrediction {
  requests: number;
  /** The share by which recorded prompts are off counted ones, request by request. */
  tokens_error: number;
  /** The share of the recorded cost by which the replayed cost is off. */
  cost_error: number | null;
  /** The larger of both. */
  error: number;
  /** The replayed cost of the recorded requests. */
  cost_usd: number | null;
  cost_usd_recorded: number | null;
  cache_read_predicted: number;
  cache_read_recorded: number;
  prompt_recorded: number;
  off: number;
}

export interface SimulationReport {
  version: 1;
  /** The steps as text. */
  policy: string;
  transcripts: {
    file: string;
    line: number;
    id: string | null;
    format: string;
    model: string | null;
    tokens_source: 'recorded' | 'exact' | 'estimated';
    requests: SimulationRequest[];
    totals: SimulationTotals;
    /** What the steps could not do; exit code 1. */
    shortfalls: SimulationShortfall[];
    recorded: RecordedUse | null;
    prediction: SimulationPrediction | null;
  }[];
  /** Inputs that cannot be read; absent if there are none. */
  unreadable?: { file: string; message: string }[];
  unread: UnreadRows[];
  bad_lines: BadLines[];
  caches: {
    id: string;
    title: string;
    lifetime: number | null;
    step: number;
    look_back: number | null;
    caveat: string | null;
    source: string;
    minimums_source: string;
    date: string;
  }[];
  prediction: SimulationPrediction | null;
  /** What to do, in a sentence. */
  advice: string | null;
  totals: {
    requests: number;
    /** Requests before which the policy changed what had been sent. */
    rewrites: number;
    results_before: number;
    results_kept: number;
    /** Tokens that the cache could have served and that were paid as input. */
    paid_again: number;
    without: SimulatedSide;
    with: SimulatedSide;
    /**
     * `saves`, `costs`: for sure. `unsure`: the range of error holds the cost without it. `inexact`: the error is above
     * 20 %.
     */
    verdict: 'saves' | 'costs' | 'same' | 'unsure' | 'inexact' | 'unpriced';
    /** The cost without the policy less the cost with it. */
    saved_usd: number | null;
    saved_least_usd: number | null;
    saved_most_usd: number | null;
    recorded: RecordedUse | null;
  };
  /** What the steps could not do; exit code 1. */
  shortfalls: SimulationShortfall[];
  /** The same steps with options that keep the prompt cache, if the policy costs more without. */
  steadier: { options: string; cost_usd: number | null } | null;
}

export interface SimulationRequest {
  index: number;
  message: number;
  /** The index of the user message that began the current run. */
  run: number;
  model: string | null;
  time: string | null;
  calls_in_history: number;
  calls_before: number;
  calls_after: number;
  first_changed: number | null;
  results_before: number;
  results_kept: number;
  /** Tokens that the cache could have served and that were paid as input. */
  paid_again: number;
  without: SimulatedSide;
  with: SimulatedSide;
  recorded: { input: number; cache_read: number; cache_write: number; output: number } | null;
}

/** What a step could not do: prompts that stay above its budget. */
export interface SimulationShortfall {
  step: string;
  budget: number;
  /** Requests above the budget of the step. */
  requests: number;
  of: number;
  /** By how many tokens the longest of them is above it, as the step counts them. */
  tokens: number;
}

export interface SimulationTotals {
  requests: number;
  /** Requests before which the policy changed what had been sent. */
  rewrites: number;
  results_before: number;
  results_kept: number;
  /** Tokens that the cache could have served and that were paid as input. */
  paid_again: number;
  without: SimulatedSide;
  with: SimulatedSide;
}

export interface StatsAttachment {
  /** As the agent names it: `file`, `nested_memory`, … */
  kind: string;
  records: number;
  /** Of the words in the records. No other figure includes them. */
  tokens: number;
  /** Images and files, which are not counted. */
  media: number;
  /** Whether the agent is known to send it; else it may be. */
  known: boolean;
}

export interface StatsMessage {
  index: number;
  role: string;
  tools: string[];
  tokens: number;
  cumulative: number;
  share: number;
}

export interface StatsReport {
  version: 2;
  transcripts: StatsTranscript[];
  rows: StatsRow[];
  tools?: {
    tool: string;
    tokens: number;
    carried_tokens: number;
    cost_usd: number | null;
    results: number;
    share: number;
  }[];
  /** What the agent sends beside messages; absent if there is nothing. */
  attachments?: StatsAttachment[];
  calibrations?: Record<string, string | number | null>[];
  /** Inputs that cannot be read; absent if there are none. */
  unreadable?: { file: string; message: string }[];
  unread: UnreadRows[];
  bad_lines: BadLines[];
  /** Of names such as `@all`: what is there and cannot be read. */
  left_out?: { agent: string; path: string; sessions: number | null; why: string }[];
  /** The price list of computed costs, and files that win over it; null if merged parts used different lists. */
  prices: { source: string; date: string; files?: string[] } | null;
  totals: {
    messages: number;
    tool_calls: number;
    tool_results: number;
    requests: number;
    /** Input tokens that were neither read from the cache nor written to it. */
    input: number;
    cache_read: number;
    cache_write_5m: number;
    cache_write_1h: number;
    output: number;
    /** Part of `output`. */
    reasoning: number;
    /** Prompt and output tokens. */
    total: number;
    /** What the requests cost: the sum of the known costs; null where none is known. */
    cost_usd: number | null;
    /** Null without requests. */
    cost_source: 'recorded' | 'computed' | 'estimated' | 'unpriced' | null;
    tokens_source: 'recorded' | 'exact' | 'estimated' | null;
    /** The requests that `cost_usd` does not include. */
    unpriced_requests: number;
    /** Those without recorded usage: each is counted as if it sent all messages before it. */
    replayed_requests?: number;
    /** Replies that state no usage in sessions whose others do: no figure has them. Absent if 0. */
    unstated_replies?: number;
    /** The part of recorded totals that no recorded request explains. */
    unexplained: {
      /** Input tokens that were neither read from the cache nor written to it. */
      input: number;
      cache_read: number;
      cache_write_5m: number;
      cache_write_1h: number;
      output: number;
      /** Part of `output`. */
      reasoning: number;
      cost_usd: number | null;
    } | null;
    /** The transcript sent once as a prompt; null with `--recorded`. */
    prompt_tokens: number | null;
    prompt_tokens_source: 'exact' | 'estimated' | null;
    prompt_cost_usd: number | null;
    prompt_cost_source: 'estimated' | 'unpriced' | null;
    /** What `share` in rows is a share of. */
    share_of: 'cost' | 'tokens';
    duplicates_dropped: number;
  };
}

export interface StatsRequest {
  key: string | null;
  index: number;
  model: string | null;
  session: string | null;
  branch: string | null;
  time: string | null;
  /** How many requests this stands for. */
  requests: number;
  /** The sub-agent or abandoned branch (`branch-…`); null for the main agent. */
  subagent: string | null;
  /** No message of the transcript answers it. */
  unanswered: boolean;
  /** The rest of a stated total: what its requests do not explain. */
  unexplained: boolean;
  /** Input tokens that were neither read from the cache nor written to it. */
  input: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  output: number;
  /** Part of `output`. */
  reasoning: number;
  tier: 'batch' | 'flex' | 'priority' | 'fast' | null;
  region: string | null;
  /** How often tools of the provider ran that have a price. */
  tool_uses: Record<string, number> | null;
  cost_usd: number | null;
  cost_source: 'recorded' | 'computed' | 'estimated' | 'unpriced';
  tokens_source: 'recorded' | 'exact' | 'estimated';
}

export interface StatsRow {
  /** Null where it differs among the requests of the row. */
  session: string | null;
  /** Null where it differs among the requests of the row. */
  day: string | null;
  /** Null where it differs among the requests of the row. */
  model: string | null;
  /** Null where it differs among the requests of the row. */
  role: string | null;
  /** Null where it differs among the requests of the row. */
  tool: string | null;
  requests: number | null;
  input: number | null;
  cache_read: number | null;
  cache_write_5m: number | null;
  cache_write_1h: number | null;
  output: number | null;
  reasoning: number | null;
  total: number;
  cost_usd: number | null;
  cost_source: string | null;
  tokens_source: string | null;
  /** Share of cost, or of tokens where a price is missing, 0 to 1. */
  share: number;
  unpriced_requests: number | null;
  /** Null where it differs among the requests of the row. */
  file: string | null;
  line: number | null;
  index: number | null;
  /** Null where it differs among the requests of the row. */
  project: string | null;
  /** Null where it differs among the requests of the row. */
  agent: string | null;
  /** Null where it differs among the requests of the row. */
  week: string | null;
  /** Null where it differs among the requests of the row. */
  month: string | null;
  /** Null where it differs among the requests of the row. */
  branch: string | null;
  /** Null where it differs among the requests of the row. */
  title: string | null;
}

export interface StatsTotals {
  messages: number;
  tool_calls: number;
  tool_results: number;
  requests: number;
  /** Input tokens that were neither read from the cache nor written to it. */
  input: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  output: number;
  /** Part of `output`. */
  reasoning: number;
  /** Prompt and output tokens. */
  total: number;
  /** What the requests cost: the sum of the known costs; null where none is known. */
  cost_usd: number | null;
  /** Null without requests. */
  cost_source: 'recorded' | 'computed' | 'estimated' | 'unpriced' | null;
  tokens_source: 'recorded' | 'exact' | 'estimated' | null;
  /** The requests that `cost_usd` does not include. */
  unpriced_requests: number;
  /** Those without recorded usage: each is counted as if it sent all messages before it. */
  replayed_requests?: number;
  /** Replies that state no usage in sessions whose others do: no figure has them. Absent if 0. */
  unstated_replies?: number;
  /** The part of recorded totals that no recorded request explains. */
  unexplained: {
    /** Input tokens that were neither read from the cache nor written to it. */
    input: number;
    cache_read: number;
    cache_write_5m: number;
    cache_write_1h: number;
    output: number;
    /** Part of `output`. */
    reasoning: number;
    cost_usd: number | null;
  } | null;
  /** The transcript sent once as a prompt; null with `--recorded`. */
  prompt_tokens: number | null;
  prompt_tokens_source: 'exact' | 'estimated' | null;
  prompt_cost_usd: number | null;
  prompt_cost_source: 'estimated' | 'unpriced' | null;
}

export interface StatsTranscript {
  file: string;
  line: number;
  id: string | null;
  format: string;
  /** The program that wrote the log; null for formats that any program writes. */
  agent: string | null;
  /** The sub-agent, or the branch (`branch-…`) that the user left by going back. */
  subagent: string | null;
  project: string | null;
  /** As the agent or the user named the session, else its first prompt. */
  title: string | null;
  model: string | null;
  context_window: number | null;
  messages: StatsMessage[];
  roles: { role: string; messages: number; tokens: number }[];
  tools: { tool: string; calls: number; results: number; tokens: number }[];
  definition_tokens: number;
  request_tokens: number;
  /** What the agent sends beside messages; absent if there is nothing. */
  attachments?: StatsAttachment[];
  hints: string[];
  turn_starts: number[];
  requests: StatsRequest[];
  totals: StatsTotals;
  carried?: {
    index: number;
    tool: string;
    tokens: number;
    requests: number;
    carried_tokens: number;
    cost_usd: number | null;
  }[];
}

/** Texts, calls and results of a file that no message holds. */
export interface UnreadRows {
  file: string;
  /** The line of the first. */
  line: number;
  format: string;
  rows: number;
  calls: number;
  results: number;
  texts: number;
}
