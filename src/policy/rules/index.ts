/**
 * Every rule type, in the order of the documentation. To add one: a file here, a line below, and tests for both
 * outcomes.
 */
import after from './after.js';
import allowWhen from './allow-when.js';
import allowedTools from './allowed-tools.js';
import argsValid from './args-valid.js';
import before from './before.js';
import count from './count.js';
import decision from './decision.js';
import deniedTools from './denied-tools.js';
import denyWhen from './deny-when.js';
import exclusive from './exclusive.js';
import intent from './intent.js';
import lastAnswer from './last-answer.js';
import maxCalls from './max-calls.js';
import maxCost from './max-cost.js';
import maxErrors from './max-errors.js';
import maxLatency from './max-latency.js';
import maxRate from './max-rate.js';
import maxResultTokens from './max-result-tokens.js';
import maxRunCost from './max-run-cost.js';
import maxSteps from './max-steps.js';
import maxSum from './max-sum.js';
import neverAfter from './never-after.js';
import noRepeat from './no-repeat.js';
import required from './required.js';
import resultText from './result-text.js';
import type { RuleType } from './rule.js';
import sequence from './sequence.js';
import trajectory from './trajectory.js';
import violationRate from './violation-rate.js';

export const ruleTypes = [
  allowWhen,
  denyWhen,
  decision,
  intent,
  exclusive,
  maxCalls,
  maxRate,
  maxSum,
  count,
  maxSteps,
  maxErrors,
  noRepeat,
  before,
  after,
  neverAfter,
  required,
  sequence,
  trajectory,
  allowedTools,
  deniedTools,
  argsValid,
  maxCost,
  maxRunCost,
  maxLatency,
  maxResultTokens,
  resultText,
  lastAnswer,
  violationRate,
] as unknown as readonly RuleType[];
