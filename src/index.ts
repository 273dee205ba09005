/** What `import … from 'ctx-trim'` gives: the engine of the command line, for programs. */

import { cacheDocument } from './documents/cache.js';
import { diffDocument } from './documents/diff.js';
import { plain } from './documents/print.js';
import { simulateDocument } from './documents/simulate.js';
import { statsDocument } from './documents/stats.js';
import type { CacheReport, DiffReport, SimulationReport, StatsReport } from './documents/types.js';
import { type DiffOptions, differencesIn } from './engine/diff/differences.js';
import type { Input } from './engine/input.js';
import { type SimulateOptions, simulationOf } from './engine/simulate/simulation.js';
import { cacheMissesIn, type StatsOptions, statisticsOf } from './engine/stats/statistics.js';
import type { StepName } from './engine/written-steps.js';
import { adviceOf } from './reports/simulation/advice.js';
import type { Transcript } from './transcript/types.js';

export type * from './documents/types.js';
export { type CheckFinding, type CheckOptions, check } from './engine/check/findings.js';
export { type Converted, type ConvertOptions, convert } from './engine/convert/convert.js';
export { count } from './engine/count.js';
export { type RedactOptions, redact } from './engine/redact/redact.js';
export { type RunOptions, run } from './engine/rewrite/run.js';
export { type SaveOptions, save } from './engine/save.js';
export { type CountOptions, loadPrices, type PriceOptions } from './engine/settings.js';
export type { Pipelines } from './engine/written-steps.js';
export { describeError, type ErrorCode, type Place, TranscriptError } from './errors.js';
export { formats } from './formats/index.js';
export type { PriceBook } from './measure/pricing/cost.js';
export type { Option, Options, Values } from './options/option.js';
export type { Plugin } from './plugin/plugin.js';
export type { Alert, AuditFacts } from './policy/audit.js';
export { policies, policyNamed } from './policy/built-in.js';
export { type Decision, decide, type Question } from './policy/decide.js';
export { parsePolicy } from './policy/file.js';
export { guardOf } from './policy/guard.js';
export type { PolicyFinding as Finding } from './policy/judge.js';
export { type Monitor, type MonitorFacts, monitor } from './policy/monitor.js';
export type { Policy } from './policy/types.js';
export { open, type Recording } from './source/recording.js';
export { textOf } from './transcript/text.js';
export type * from './transcript/types.js';
export { transforms } from './transforms/index.js';
export type { Counts, CountTokens, Transform } from './transforms/transform.js';
export type { DiffOptions, Input, SimulateOptions, StatsOptions, StepName };

// The documents of the command line, as values. Each throws TranscriptError (rejects) for a wrong option and for an
// input that cannot be read.

/** Tokens, requests and costs of transcripts, as `ctx-trim stats --format json` prints them. */
export function stats(input: Input, options: StatsOptions & { readonly cache: true }): Promise<CacheReport>;
export function stats(input: Input, options?: StatsOptions & { readonly cache?: false }): Promise<StatsReport>;
export function stats(input: Input, options?: StatsOptions): Promise<StatsReport | CacheReport>;
export async function stats(input: Input, options: StatsOptions = {}): Promise<StatsReport | CacheReport> {
  return options?.cache === true // `null` is no option, either
    ? plain<CacheReport>(cacheDocument(await cacheMissesIn(input, options)))
    : plain<StatsReport>(statsDocument(await statisticsOf(input, options)));
}

/** What is different in two recordings, as `ctx-trim diff --format json` prints it. */
export async function diff(before: Input, after: Input, options: DiffOptions = {}): Promise<DiffReport> {
  const { differences, omissions } = await differencesIn(before, after, options);
  return plain<DiffReport>(diffDocument(differences, omissions));
}

/**
 * What requests would have sent and cost under steps, as `ctx-trim simulate --format json` prints it. Simulates a
 * text, a list of plain messages, or a transcript that `open` gave.
 */
export async function simulate(
  input: Input | Transcript,
  steps: readonly StepName[],
  options: SimulateOptions = {},
): Promise<SimulationReport> {
  const facts = await simulationOf(input, steps, options);
  return plain<SimulationReport>(simulateDocument(facts, adviceOf(facts)));
}
