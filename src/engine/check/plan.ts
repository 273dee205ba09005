/** Which rules a check applies to which transcript, and how severe each one is: explicit choices win over settings. */
import { TranscriptError } from '../../errors.js';
import type { RuleWords, Severity } from '../../findings.js';
import { ruleIds, ruleNamed, rulesOf } from '../../rules/index.js';
import { ownProvider, providerIn } from '../../rules/own-provider.js';
import { judgeOf, type Provider, providers } from '../../rules/providers.js';
import { RESUME_RULES } from '../../rules/resume-rules.js';
import type { Rule } from '../../rules/rule.js';
import { rulesFor } from '../../rules/run-rules.js';
import { globOf } from '../../text/glob.js';
import { nearest } from '../../text/nearest.js';
import type { Transcript } from '../../transcript/types.js';
import { BUDGETS } from './budgets.js';
import { LONG_SYSTEM_PROMPT, UNREAD } from './context-limits.js';
import type { CheckSettings, Level } from './settings.js';

export interface Plan {
  readonly asRequest: boolean;
  readonly maxWarnings: number | undefined;
  providerFor(transcript: Transcript): Provider;
  rulesFor(provider: Provider): readonly Rule[];
  /** Whether the rule may apply to any transcript. */
  applies(rule: string): boolean;
  wordsOf(rule: string): RuleWords;
  /** Undefined where the rule is off. */
  severityOf(rule: string): Severity | undefined;
  /** The plan for the transcripts of one file, with the overrides for that file. */
  at(file: string): Plan;
}

/** Reported about the check as a whole. */
const TOO_MANY_WARNINGS: RuleWords = {
  id: 'check/max-warnings',
  summary: 'more warnings than allowed',
  severity: 'error',
};
/** Without what users see of them: no API says it. */
const RESUME_WORDS: readonly RuleWords[] = RESUME_RULES.map(({ error: _, ...words }) => words);
const OTHERS: readonly RuleWords[] = [...BUDGETS, LONG_SYSTEM_PROMPT, UNREAD, TOO_MANY_WARNINGS, ...RESUME_WORDS];
/** Enabled by an option of their own, even where only some rules are chosen. */
const SELF_ENABLED: ReadonlySet<string> = new Set([...BUDGETS, TOO_MANY_WARNINGS].map(({ id }) => id));

/** What is chosen for one run. It wins over the settings. */
export interface CheckSelection {
  readonly provider?: string | undefined;
  /** The history is about to be sent: rules for requests apply too. */
  readonly asRequest?: boolean | undefined;
  /** Only these rules, whatever the provider. Globs are allowed. */
  readonly only?: readonly string[];
  readonly disable?: readonly string[];
  readonly levels?: readonly (readonly [rule: string, level: Level])[];
  readonly maxWarnings?: number | undefined;
}

/** Settings for some files. A later one wins over an earlier one. */
export interface Override {
  fits(file: string): boolean;
  readonly provider?: string | undefined;
  readonly rules?: Readonly<Record<string, Level>> | undefined;
}

export interface PlanSource {
  readonly selection: CheckSelection;
  readonly settings: CheckSettings;
  /** Rules of policies, and of secrets, beside the built-in rules. */
  readonly policyRules?: readonly RuleWords[];
  readonly overrides?: readonly Override[];
}

/** Throws TranscriptError for a rule or a provider that does not exist, in an override that no file needs too. */
export function planOf({ overrides = [], ...source }: PlanSource): Plan {
  const plans = new Map<string, Plan>();
  const planWith = (fitting: readonly Override[]): Plan => {
    const key = fitting.map((override) => overrides.indexOf(override)).join();
    const plan = plans.get(key) ?? { ...planFor(source, fitting), at };
    plans.set(key, plan);
    return plan;
  };
  const byFile = new Map<string, Plan>();
  const at = (file: string): Plan => {
    const plan = byFile.get(file) ?? planWith(overrides.filter((override) => override.fits(file)));
    byFile.set(file, plan);
    return plan;
  };
  planWith(overrides); // finds a wrong name in any of them
  const plan = planWith([]);
  return overrides.length === 0 ? plan : { ...plan, applies: () => true };
}

function planFor(source: Omit<PlanSource, 'overrides'>, overrides: readonly Override[]): Omit<Plan, 'at'> {
  const { selection, settings, policyRules = [] } = source;
  const words = new Map<string, RuleWords>([...OTHERS, ...policyRules].map((other) => [other.id, other]));
  const wordsOf = (rule: string) => words.get(rule) ?? wordsOfRule(ruleNamed(rule)!);
  const known = [...ruleIds(), ...words.keys()];
  const only = idsNamed(onlyRules(selection, settings), known);
  const levels = levelsOf(selection, settings, overrides, known);
  const named = providerIn(
    selection.provider ?? overrides.findLast(({ provider }) => provider !== undefined)?.provider ?? settings.provider,
  );
  const severityOf = (rule: string) => {
    const isLeftOut = only.size > 0 && !only.has(rule) && !SELF_ENABLED.has(rule);
    const severity = isLeftOut ? 'off' : (levels.get(rule) ?? (words.get(rule) ?? ruleNamed(rule)!).severity);
    return severity === 'off' ? undefined : severity;
  };
  const asRequest = selection.asRequest === true;
  const isOn = ({ id }: Rule) => severityOf(id) !== undefined;
  const listed = only.size === 0 ? undefined : ruleIds().flatMap((id) => (only.has(id) ? [ruleNamed(id)!] : []));
  const byProvider = new Map<Provider, readonly Rule[]>();
  const chosenFor = (provider: Provider) => {
    const chosen =
      byProvider.get(provider) ?? (listed ?? rulesFor(rulesOf(provider), provider, asRequest)).filter(isOn);
    byProvider.set(provider, chosen);
    return chosen;
  };
  return {
    asRequest,
    wordsOf,
    maxWarnings: selection.maxWarnings ?? settings.maxWarnings,
    providerFor: (transcript) => (named === undefined ? ownProvider(transcript) : judgeOf(named, transcript.model)),
    rulesFor: chosenFor,
    applies: (rule) =>
      severityOf(rule) !== undefined &&
      (only.size > 0 ||
        (named === undefined || named.forwards ? providers : [named]).some(
          (provider) => rulesFor([ruleNamed(rule)!], provider, asRequest).length > 0,
        )),
    severityOf,
  };
}

/** Without an error that only some providers say: each finding has that of its own. */
function wordsOfRule({ error, ...rule }: Rule): RuleWords {
  return typeof error === 'string' ? { error, ...rule } : rule;
}

function onlyRules({ only = [] }: CheckSelection, { rules: listed }: CheckSettings): readonly string[] {
  if (only.length > 0) return only;
  return isList(listed) ? listed : [];
}

function isList(rules: CheckSettings['rules']): rules is readonly string[] {
  return Array.isArray(rules);
}

/** The level of each rule that is named anywhere; the last one wins. */
function levelsOf(
  { disable = [], levels = [] }: CheckSelection,
  settings: CheckSettings,
  overrides: readonly Override[],
  known: readonly string[],
): ReadonlyMap<string, Level> {
  const off = (names: readonly string[]) => names.map((name) => [name, 'off'] as const);
  const entries: readonly (readonly [name: string, level: Level])[] = [
    ...Object.entries(settings.severity ?? {}),
    ...off(settings.disable ?? []),
    ...Object.entries(isList(settings.rules) ? {} : (settings.rules ?? {})),
    ...overrides.flatMap(({ rules: changed }) => Object.entries(changed ?? {})),
    ...levels,
    ...off(disable),
  ];
  return new Map(entries.flatMap(([name, level]) => [...idsNamed([name], known)].map((id) => [id, level] as const)));
}

/** The rules that are named, one by one or by a glob. */
function idsNamed(names: readonly string[], known: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const pattern = globOf(name);
      const found = known.filter((id) => pattern.test(id));
      if (found.length === 0) throw unknownRule(name, known);
      return found;
    }),
  );
}

export function unknownRule(
  name: string,
  known: readonly string[] = [...ruleIds(), ...OTHERS.map(({ id }) => id)],
): TranscriptError {
  const flat = (id: string) => id.replace('/', '-');
  const like = nearest(flat(name), known.map(flat)).map((near) => known.find((id) => flat(id) === near));
  return new TranscriptError(
    'usage',
    `no rule \`${name}\`; ${like.length === 0 ? '' : `did you mean ${like.join(', ')}? `}\`ctx-trim rules\` lists them`,
  );
}
