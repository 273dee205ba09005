/** An overview of one input: its totals as `stats` counts them, its findings as `check` reports them. */
import type { Finding } from '../findings.js';
import type { AuditFacts } from '../measure/stats/audit.js';
import type { Opened } from '../source/piece.js';
import type { Transcript } from '../transcript/types.js';
import type { Check } from './check/check.js';
import type { Context } from './context.js';
import { createStats } from './stats/stats.js';

export interface OverviewFacts {
  readonly file: string;
  readonly stats: AuditFacts;
  readonly findings: readonly Finding[];
}

export interface Overview {
  add(transcript: Transcript, piece: Opened): void;
  /** Call this once, after the last transcript. */
  close(): OverviewFacts;
}

export function createOverview(file: string, context: Context, check: Check): Overview {
  const stats = createStats({ context, ...TOTALS_ONLY });
  const examine = check.examining(file);
  return {
    add(transcript, piece) {
      stats.add(transcript, { file, line: piece.line });
      examine(transcript, piece);
    },
    close: () => ({ file, stats: stats.close().facts, findings: check.findings() }),
  };
}

const TOTALS_ONLY = {
  within: undefined,
  grouping: undefined,
  settled: undefined,
  recorded: false,
  calibrates: false,
  carries: false,
  keepsMessages: false,
} as const;

export interface Suggestion {
  /** Arguments of `ctx-trim`, without the file. */
  readonly words: string;
  readonly purpose: string;
}

/** Tool calls that the suggested filter keeps. */
const KEPT_CALLS = 10;

/** The three commands to go on with: for the findings, for the cost, for the size. */
export function suggestionsFor({ stats, findings }: Pick<OverviewFacts, 'stats' | 'findings'>): readonly Suggestion[] {
  const { toolCalls, toolResults } = stats.totals;
  return [forFindings(findings), forCost(toolResults), forSize(toolCalls, toolResults)];
}

function forFindings(findings: readonly Finding[]): Suggestion {
  const safeties = new Set(findings.map(({ fix }) => fix?.safety));
  if (safeties.has('synthetic')) return { words: 'check --fix=synthetic --diff', purpose: 'preview all fixes' };
  if (safeties.has('lossy')) return { words: 'check --fix=lossy --diff', purpose: 'preview all fixes' };
  if (safeties.has('safe')) return { words: 'check --fix', purpose: 'fix in place' };
  if (findings.length > 0) return { words: 'check', purpose: 'show each problem with its position' };
  return { words: 'check --as-request', purpose: 'check it as the next request to the provider' };
}

function forCost(results: number): Suggestion {
  return results > 0
    ? { words: 'stats --tools', purpose: 'show the most expensive tool results' }
    : { words: 'stats', purpose: 'show the tokens of each message' };
}

function forSize(calls: number, results: number): Suggestion {
  if (calls > KEPT_CALLS)
    return {
      words: `filter --max-tool-calls ${KEPT_CALLS} --diff`,
      purpose: `preview keeping the last ${KEPT_CALLS} tool calls`,
    };
  if (results > 0) return { words: 'truncate --max-length 2000 --diff', purpose: 'preview cutting long tool results' };
  return { words: 'fit --max-tokens 8000 --diff', purpose: 'preview a budget of 8,000 tokens' };
}
