/** What a check goes by, as a config file or a program states it. */
import type { Severity } from '../../findings.js';
import type { Period } from '../../measure/stats/period-costs.js';

/** How severe the findings of a rule are; `off` disables the rule. */
export type Level = Exclude<Severity, 'info'> | 'off';

export interface CheckSettings {
  /** Whose rules apply; by default those of the transcript's own provider. */
  readonly provider?: string | undefined;
  /** A list: only these rules. A map: the level of each rule. Globs such as `anthropic/*` are allowed in both. */
  readonly rules?: readonly string[] | Readonly<Record<string, Level>> | undefined;
  readonly disable?: readonly string[] | undefined;
  readonly severity?: Readonly<Record<string, Level>> | undefined;
  /** More warnings than this are an error. */
  readonly maxWarnings?: number | undefined;
}

/** Limits for one transcript, or for all transcripts together. */
export interface TotalBudgets {
  /** Tokens as one request. */
  readonly tokens?: number | undefined;
  /** US dollars: `1.5`, `'1.50'`, `'$1.50'`. */
  readonly cost?: number | string | undefined;
  /** Tool calls. */
  readonly calls?: number | undefined;
}

export interface BudgetSettings extends TotalBudgets {
  /** How often the same call (tool and arguments) may be made again. */
  readonly repeatedCalls?: number | undefined;
  /** Characters of a tool result. */
  readonly resultLength?: number | undefined;
  /** Characters of a system prompt. */
  readonly systemLength?: number | undefined;
  /** Share of the model's context window that a transcript may fill, such as 0.8. */
  readonly contextShare?: number | undefined;
  /** For all transcripts together. */
  readonly total?: TotalBudgets | undefined;
  /** US dollars for each day, week, month, project or branch. */
  readonly per?: Readonly<Partial<Record<Period, TotalBudgets['cost']>>> | undefined;
}
