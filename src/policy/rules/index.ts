/** Every type of rule, in the order in which they are documented. Add one: a file beside this one, a line here, an ok and a bad case in the tests. */
import after from './after.js';
import allowWhen from './allow-when.js';
import allowedTools from './allowed-tools.js';
import argsValid from './args-valid.js';
import before from './before.js';
import decision from './decision.js';
import deniedTools from './denied-tools.js';
import denyWhen from './deny-when.js';
import exclusive from './exclusive.js';
import intent from './intent.js';
import maxCalls from './max-calls.js';
import maxCost from './max-cost.js';
import maxResultTokens from './max-result-tokens.js';
import neverAfter from './never-after.js';
import noRepeat from './no-repeat.js';
import required from './required.js';
import type { RuleType } from './rule.js';
import sequence from './sequence.js';
import violationRate from './violation-rate.js';

export const ruleTypes = [
  allowWhen,
  denyWhen,
  decision,
  intent,
  exclusive,
  maxCalls,
  noRepeat,
  before,
  after,
  neverAfter,
  required,
  sequence,
  allowedTools,
  deniedTools,
  argsValid,
  maxCost,
  maxResultTokens,
  violationRate,
] as unknown as readonly RuleType[];
