/** `check`: what a provider's API refuses in a history, and what budgets and policies forbid. */

import { TranscriptError } from '../../errors.js';
import type { Finding, Safety, Severity } from '../../findings.js';
import { createPeriodCosts } from '../../measure/stats/period-costs.js';
import { once } from '../../once.js';
import { OPENING, rejectWrongOptions, type Shape } from '../../options/arguments.js';
import type { Plugin } from '../../plugin/plugin.js';
import { withPlugins } from '../../plugin/with-plugins.js';
import type { Policy } from '../../policy/types.js';
import { addRules } from '../../rules/index.js';
import { receiverOf } from '../../rules/own-provider.js';
import { addSecrets } from '../../secrets/rules/index.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import { INPUT_NAME, type Input, readInput } from '../input.js';
import { dayFunction } from '../period.js';
import { contextOf, PRICING, type PriceOptions } from '../settings.js';
import { isPriced, type Limits, limitsOf } from './budgets.js';
import { createCheck } from './check.js';
import { createMeter } from './meter.js';
import { type Plan, planOf } from './plan.js';
import { needsOf, openPolicyCheck, policyWords } from './policies.js';
import { tooManyWarnings } from './rows.js';
import { createSecretCheck } from './secrets.js';
import type { BudgetSettings, CheckSettings } from './settings.js';

export interface CheckOptions extends Omit<DetectOptions, 'receiver' | 'plugins'>, CheckSettings, PriceOptions {
  /** Plugins, whose formats, rules and secrets count too. The formats stay known from then on. */
  readonly plugins?: readonly Plugin[];
  /** The history is about to be sent: rules for requests apply too. */
  readonly asRequest?: boolean;
  /** Limits: what exceeds one is a finding. A limit on cost needs `prices`. */
  readonly budgets?: BudgetSettings;
  /** Policies for tool calls. */
  readonly policies?: readonly Policy[];
  /** Search for keys, tokens and passwords, too. */
  readonly secrets?: boolean;
}

export interface CheckFinding {
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence that says what is wrong. */
  readonly message: string;
  /** The literal error of the provider's API; undefined for budgets and policies. */
  readonly error: string | undefined;
  /** Where it is in a text that was given; in a list of messages, each message begins a line. */
  readonly line: number;
  readonly column: number;
  /** Zero-based index of the transcript; undefined for findings about all transcripts together. */
  readonly transcript: number | undefined;
  /** Zero-based index of the message. */
  readonly index: number | undefined;
  readonly callId: string | undefined;
  /** What a fix would do; undefined where there is none. */
  readonly fix: Safety | undefined;
}

const TOTALS: Shape = { tokens: 'whole', cost: 'dollars', calls: 'whole' };
const CHECKING: Shape = {
  ...OPENING,
  ...PRICING,
  provider: 'text',
  asRequest: 'flag',
  rules: 'rules',
  disable: 'texts',
  severity: 'levels',
  maxWarnings: 'whole',
  budgets: {
    ...TOTALS,
    repeatedCalls: 'whole',
    resultLength: 'whole',
    systemLength: 'whole',
    contextShare: 'number',
    total: TOTALS,
    per: { day: 'dollars', week: 'dollars', month: 'dollars', project: 'dollars', branch: 'dollars' },
  },
  policies: 'objects',
  secrets: 'flag',
};

/**
 * The findings of `ctx-trim check` for a text (JSON or JSON Lines) or a list of plain messages of any supported format.
 * Throws TranscriptError for a wrong option and for an input that cannot be read.
 */
export function check(input: Input, options: CheckOptions = {}): CheckFinding[] {
  rejectWrongOptions(options, CHECKING);
  const add = ({ rules, secrets }: Plugin) => [addRules(rules), addSecrets(secrets)];
  return withPlugins(options.plugins, add, () => findingsIn(input, options));
}

function findingsIn(input: Input, options: CheckOptions): CheckFinding[] {
  const { policies = [], budgets = {}, asRequest, secrets: searches, ...settings } = options;
  const limits = limitsOf(budgets);
  rejectUnpriced(limits, policies, options);
  const context = contextOf(options);
  const secrets = searches === true ? createSecretCheck([]) : undefined;
  const policyRules = [...policies.flatMap(policyWords), ...(secrets?.words ?? [])];
  const plan = planOf({ selection: { asRequest }, settings, policyRules });
  const checked = createCheck({
    plan,
    limits,
    secrets,
    meter: once(() => createMeter(context, createPeriodCosts(limits.per, { dayOf: dayFunction(undefined) }))),
    policies: policies.map((policy) => openPolicyCheck(policy, { language: 'en', context })),
    models: options,
    pathOf: (file) => file,
  });
  const visit = checked.examining(INPUT_NAME);
  const receiver = receiverOf(settings.provider, asRequest === true);
  const { transcripts, omissions } = readInput(input, { ...options, receiver });
  for (const { transcript, piece } of transcripts) visit(transcript, piece);
  for (const unread of omissions().unread) checked.addUnread(unread);
  const findings = checked.findings();
  return [...findings, ...tooManyWarnings(findings, plan)].map((finding) => checkFinding(finding, plan));
}

function checkFinding({ transcript, fix, ...finding }: Finding, plan: Plan): CheckFinding {
  const { rule, severity, message, line, column, index, callId } = finding;
  const { error = plan.wordsOf(rule).error } = finding;
  return {
    rule,
    severity,
    message,
    error,
    line,
    column,
    transcript: transcript?.index,
    index,
    callId,
    fix: fix?.safety,
  };
}

/** Prices are loaded asynchronously, and a check is not. */
function rejectUnpriced(limits: Limits, policies: readonly Policy[], { prices }: CheckOptions): void {
  if (prices !== undefined || !(isPriced(limits) || policies.some((policy) => needsOf(policy).prices))) return;
  throw new TranscriptError('usage', 'a limit on cost needs prices: pass `prices: await loadPrices()`', {
    path: 'options.prices',
  });
}
