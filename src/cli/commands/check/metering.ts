/** Loads policies, and a meter for budgets and rules that count tokens. Loaded only if a check needs them. */
import type { Limits } from '../../../engine/check/budgets.js';
import { isPriced } from '../../../engine/check/budgets.js';
import { type CheckOptions as CheckInputs, needsMeter } from '../../../engine/check/check.js';
import { createMeter, type Meter } from '../../../engine/check/meter.js';
import type { Plan } from '../../../engine/check/plan.js';
import { needsOf, openPolicyCheck } from '../../../engine/check/policies.js';
import { dayFunction } from '../../../engine/period.js';
import { createPeriodCosts } from '../../../measure/stats/period-costs.js';
import { LANGUAGES } from '../../../options/language.js';
import type { Policy } from '../../../policy/types.js';
import type { Config } from '../../config/config.js';
import { projectNames } from '../../config/project-names.js';
import { type ContextOptions, loadContext } from '../../context/context.js';
import { loadPolicy } from '../../context/policy-file.js';
import type { Terminal } from '../../terminal/terminal.js';

export { policyWords } from '../../../engine/check/policies.js';

export function loadPolicies(names: readonly string[], terminal: Terminal): Promise<readonly Policy[]> {
  return Promise.all(names.map((name) => loadPolicy(name, terminal)));
}

/** Loads counters and prices only if a rule, a budget or a policy needs them. */
export async function loadMetering(
  { plan, limits, policies }: { readonly plan: Plan; readonly limits: Limits; readonly policies: readonly Policy[] },
  options: ContextOptions,
  config: Config,
  terminal: Terminal,
): Promise<Pick<CheckInputs, 'policies'> & { readonly meter: Meter | undefined }> {
  const needs = policies.map(needsOf);
  const isMetered = needsMeter(plan, limits);
  const priced = isPriced(limits) || needs.some(({ prices }) => prices);
  const isNeeded = isMetered || priced || needs.some(({ counting }) => counting);
  const context = isNeeded ? await loadContext(options, { priced }, config, terminal) : undefined;
  const projectOf = projectNames(config);
  const names = { dayOf: dayFunction(undefined), ...(projectOf && { projectOf }) };
  const language = LANGUAGES.find((known) => known === terminal.env['CTX_TRIM_LANG']) ?? 'en';
  return {
    meter: isMetered ? createMeter(context!, createPeriodCosts(limits.per, names)) : undefined,
    policies: policies.map((policy) => openPolicyCheck(policy, { language, context })),
  };
}
