/** Makes a check from options and config, for `check` and `overview`. */

import { type Check, createCheck, needsMeter } from '../../../engine/check/check.js';
import { createMeter } from '../../../engine/check/meter.js';
import { type CheckSelection, type Plan, planOf } from '../../../engine/check/plan.js';
import { contextWith, modelOf } from '../../../engine/context.js';
import { TranscriptError } from '../../../errors.js';
import { exactTokenizer, loadTokenizer } from '../../../node/tokenizer.js';
import { once } from '../../../once.js';
import type { Transcript } from '../../../transcript/types.js';
import { loadAuto } from '../../../transforms/auto.js';
import { KEEPS_NOTHING, withStore } from '../../../transforms/offload.js';
import { countsTokens, rewriteBy } from '../../../transforms/pipeline.js';
import { NO_COUNTS } from '../../../transforms/transform.js';
import type { Config } from '../../config/config.js';
import { policiesIn } from '../../config/paths.js';
import type { Suppressions } from '../../inputs/chosen-files.js';
import { portable } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';
import { stepNames, stepsFirst } from '../run/steps.js';
import { levelIn, limitsIn } from './limits.js';
import type { CheckOptions } from './options.js';

/** The options that decide what is checked, not how it is reported or fixed. */
export type CheckScope = Omit<CheckOptions, 'fix'>;

export interface OpenedCheck {
  readonly check: Check;
  readonly plan: Plan;
  /** Findings that the config hides; undefined if it hides none. */
  readonly suppressions: Suppressions | undefined;
}

/** Throws TranscriptError for unknown rules, providers, steps and policies. */
export async function openCheck(options: CheckScope, config: Config, terminal: Terminal): Promise<OpenedCheck> {
  const names = options.policy.length > 0 ? options.policy : policiesIn(config);
  const policies = names.length === 0 ? [] : await (await import('./metering.js')).loadPolicies(names, terminal);
  const { overrides, suppressions } = await fileSettings(config, terminal);
  const limits = limitsIn(options, config);
  const secrets =
    options.secrets === true
      ? (await import('../../../engine/check/secrets.js')).createSecretCheck(options.allow ?? [])
      : undefined;
  const plan = planOf({
    selection: selectionOf(options),
    settings: config.check,
    policyRules: [
      ...(policies.length === 0 ? [] : policies.flatMap((await import('./metering.js')).policyWords)),
      ...(secrets?.words ?? []),
    ],
    overrides,
  });
  const { meter, policies: checks } =
    policies.length > 0 || needsMeter(plan, limits)
      ? await (await import('./metering.js')).loadMetering({ plan, limits, policies }, options, config, terminal)
      : { meter: undefined, policies: [] };
  const { model, asModel } = options;
  const named = options.tokenizer === 'exact' ? undefined : await loadTokenizer(options.tokenizer);
  const counting = () => contextWith({ model, asModel, tokenizer: named ?? exactTokenizer(), ...UNPRICED });
  const check = createCheck({
    plan,
    limits,
    secrets,
    models: options,
    prepare: await preparationOf(options, config, terminal),
    pathOf: (file) => portable(file, terminal.cwd),
    policies: checks,
    meter: once(() => meter ?? createMeter(counting())),
  });
  return { check, plan, suppressions };
}

/** A check for another command: without the findings that the config hides. */
export async function openShownCheck(options: CheckScope, config: Config, terminal: Terminal): Promise<Check> {
  const { check, suppressions } = await openCheck(options, config, terminal);
  if (suppressions === undefined) return check;
  return { ...check, findings: () => suppressions.without(check.findings()) };
}

const UNPRICED = { prices: undefined, at: undefined } as const;

function selectionOf({ provider, asRequest, rule, disable, severity, maxWarnings }: CheckScope): CheckSelection {
  return { provider, asRequest, only: rule, disable, levels: severity.map(levelIn), maxWarnings };
}

/** Settings of the config for single files. */
async function fileSettings(config: Config, terminal: Terminal) {
  const { overrides = [], suppress = [] } = config.check;
  if (overrides.length + suppress.length === 0) return {};
  const { overridesOf, suppressionsOf } = await import('../../inputs/found-files.js');
  return { overrides: overridesOf(config, terminal), suppressions: suppressionsOf(config, terminal, today()) };
}

/** Today in local time: `2026-01-31`. */
export function today(): string {
  const now = new Date();
  const parts = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return [now.getFullYear(), ...parts].join('-');
}

/** The steps of `--after`, which run on each transcript before it is checked. */
async function preparationOf(
  { after, tokenizer, ...models }: CheckScope,
  config: Config,
  terminal: Terminal,
): Promise<(transcript: Transcript) => Transcript> {
  if (after.length === 0) return (transcript) => transcript;
  const { steps: named, rest } = await stepsFirst(after, config, terminal);
  const steps = withStore(named, KEEPS_NOTHING);
  if (rest.length > 0)
    throw new TranscriptError('usage', `unknown step or pipeline \`${rest[0]}\`; ${stepNames(config)}`);
  const countingFor = countsTokens(steps)
    ? await (await import('../../../node/tokenizer.js')).loadCountings(tokenizer)
    : undefined;
  loadAuto();
  return (transcript) => rewriteBy(transcript, steps, countingFor?.(modelOf(models, transcript.model)) ?? NO_COUNTS);
}
