/** Which rules `check` goes by for which transcript, and how severe each is: by flags, else by the config. */
import { TranscriptError } from '../../errors.js';
import type { RuleWords, Safety, Severity } from '../../findings.js';
import { rules } from '../../rules/index.js';
import { ownProvider, providerIn } from '../../rules/own-provider.js';
import { type Provider, providers } from '../../rules/providers.js';
import type { Rule } from '../../rules/rule.js';
import { rulesFor } from '../../rules/run-rules.js';
import { globOf } from '../../text/glob.js';
import { nearest } from '../../text/nearest.js';
import type { Transcript } from '../../transcript/types.js';
import type { Config } from '../shared/config.js';
import { BUDGETS } from './budgets.js';
import { LONG_SYSTEM_PROMPT } from './context.js';
import type { CheckOptions } from './options.js';

export interface Plan {
  readonly asRequest: boolean;
  readonly maxWarnings: number | undefined;
  providerFor(transcript: Transcript): Provider;
  rulesFor(provider: Provider): readonly Rule[];
  /** Whether any transcript may be held to the rule. */
  applies(rule: string): boolean;
  wordsOf(rule: string): RuleWords;
  /** Undefined where the rule is off. */
  severityOf(rule: string): Severity | undefined;
  /** The same for the transcripts of one file: the config may have overrides for it. */
  at(file: string): Plan;
}

/** Findings that are about the check itself. */
const TOO_MANY_WARNINGS: RuleWords = {
  id: 'check/max-warnings',
  summary: 'more warnings than allowed',
  severity: 'error',
};
const WORDS: readonly RuleWords[] = [...rules, ...BUDGETS, LONG_SYSTEM_PROMPT, TOO_MANY_WARNINGS];
/** Those that are asked for by an option of their own, whatever rules are chosen. */
const ASKED_FOR: ReadonlySet<string> = new Set([...BUDGETS, TOO_MANY_WARNINGS].map(({ id }) => id));

type PlanOptions = Pick<CheckOptions, 'provider' | 'asRequest' | 'rule' | 'disable' | 'severity' | 'maxWarnings'>;
type Level = Severity | 'off';

/** What the config says of some files. */
export interface Override {
  fits(file: string): boolean;
  readonly provider?: string | undefined;
  readonly rules?: Readonly<Record<string, Level>> | undefined;
}

/** `more`: rules of a policy, beside those that are here. */
export function planOf(
  options: PlanOptions,
  config: Config,
  more: readonly RuleWords[] = [],
  overrides: readonly Override[] = [],
): Plan {
  const plans = new Map<string, Plan>();
  const planWith = (fitting: readonly Override[]): Plan => {
    const key = fitting.map((override) => overrides.indexOf(override)).join();
    const plan = plans.get(key) ?? { ...layered(options, config, more, fitting), at };
    plans.set(key, plan);
    return plan;
  };
  const byFile = new Map<string, Plan>();
  const at = (file: string): Plan => {
    const plan = byFile.get(file) ?? planWith(overrides.filter((override) => override.fits(file)));
    byFile.set(file, plan);
    return plan;
  };
  planWith(overrides); // a slip of the pen in any of them is told
  const plan = planWith([]);
  return overrides.length === 0 ? plan : { ...plan, applies: () => true };
}

function layered(
  options: PlanOptions,
  { check }: Config,
  more: readonly RuleWords[],
  overrides: readonly Override[],
): Omit<Plan, 'at'> {
  const words = new Map([...WORDS, ...more].map((known) => [known.id, known]));
  const wordsOf = (rule: string) => words.get(rule)!;
  const idsOf = (names: readonly string[]) => idsNamed(names, [...words.keys()]);
  const only = idsOf(options.rule.length > 0 ? options.rule : Array.isArray(check.rules) ? check.rules : []);
  const levels = new Map<string, Level>();
  const setAll = (list: readonly (readonly [name: string, level: Level])[]) => {
    for (const [name, level] of list) for (const id of idsOf([name])) levels.set(id, level);
  };
  const off = (names: readonly string[]) => names.map((name) => [name, 'off'] as const);
  setAll(Object.entries(check.severity ?? {}));
  setAll(off(check.disable ?? []));
  setAll(Array.isArray(check.rules) ? [] : Object.entries(check.rules ?? {}));
  for (const { rules: changed } of overrides) setAll(Object.entries(changed ?? {}));
  setAll(options.severity.map(severityIn));
  setAll(off(options.disable));
  const named = providerIn(
    options.provider ?? overrides.findLast(({ provider }) => provider !== undefined)?.provider ?? check.provider,
  );
  const severityOf = (rule: string) => {
    const isLeftOut = only.size > 0 && !only.has(rule) && !ASKED_FOR.has(rule);
    const severity = isLeftOut ? 'off' : (levels.get(rule) ?? wordsOf(rule).severity);
    return severity === 'off' ? undefined : severity;
  };
  const asRequest = options.asRequest === true;
  const byProvider = new Map<Provider, readonly Rule[]>();
  const chosenFor = (provider: Provider) => {
    const known =
      byProvider.get(provider) ??
      (only.size > 0 ? rules.filter(({ id }) => only.has(id)) : rulesFor(rules, provider, asRequest)).filter(
        ({ id }) => severityOf(id) !== undefined,
      );
    byProvider.set(provider, known);
    return known;
  };
  return {
    asRequest,
    wordsOf,
    maxWarnings: options.maxWarnings ?? check.maxWarnings,
    providerFor: (transcript) => named ?? ownProvider(transcript),
    rulesFor: chosenFor,
    applies: (rule) =>
      (named === undefined ? providers : [named]).some((provider) => chosenFor(provider).some(({ id }) => id === rule)),
    severityOf,
  };
}

function severityIn(text: string): readonly [rule: string, level: Level] {
  const [, rule = '', level] = /^(.+)=(error|warning|off)$/.exec(text) ?? [];
  if (level === undefined)
    throw new TranscriptError(
      'usage',
      `--severity takes a rule and error, warning or off, such as budget/tokens=warning, not \`${text}\``,
    );
  return [rule, level as Level];
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

export function unknownRule(name: string, known: readonly string[] = WORDS.map(({ id }) => id)): TranscriptError {
  const flat = (id: string) => id.replace('/', '-');
  const like = nearest(flat(name), known.map(flat)).map((near) => known.find((id) => flat(id) === near));
  return new TranscriptError(
    'usage',
    `no rule \`${name}\`; ${like.length === 0 ? '' : `did you mean ${like.join(', ')}? `}\`ctx-trim rules\` lists them`,
  );
}

const SAFETIES: readonly Safety[] = ['safe', 'lossy', 'synthetic'];

/** The kinds of fixes that are asked for: each kind comes with those before it. */
export function safetiesUpTo(fix: string): ReadonlySet<Safety> | undefined {
  const last = SAFETIES.indexOf(fix as Safety);
  return last < 0 ? undefined : new Set(SAFETIES.slice(0, last + 1));
}
