/** The library's face: the policy tried on recordings is the one the agent runs. */

export { describeError, type ErrorCode, type Place, TranscriptError } from './errors.js';
export { formats } from './formats/index.js';
export { type CheckFinding, type CheckOptions, type Converted, check, convert } from './library/check.js';
export { type Pipelines, type RunOptions, run, type StepName } from './library/run.js';
export { type SimulateOptions, simulate } from './library/simulate.js';
export type { Option, Options, Values } from './options/option.js';
export type { Alert, AuditFacts } from './policy/audit.js';
export { policies, policyNamed } from './policy/built-in.js';
export { type Decision, decide, type Question } from './policy/decide.js';
export { guardOf } from './policy/guard.js';
export type { PolicyFinding as Finding } from './policy/judge.js';
export { type Monitor, monitor } from './policy/monitor.js';
export type { Policy } from './policy/types.js';
export type { PriceBook } from './pricing/cost.js';
export type { SimulatedRequest, Simulation } from './simulation/simulate.js';
export { open, type Recording, save } from './source/recording.js';
export { textOf } from './transcript/text.js';
export type * from './transcript/types.js';
export { transforms } from './transforms/index.js';
export type { Counts, CountTokens, Transform } from './transforms/transform.js';
