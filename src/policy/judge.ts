/** A policy over one conversation: what its rules find, and what became of each call. */
import { TranscriptError } from '../errors.js';
import { type Compiled, compile } from './compiled.js';
import type { Conversation } from './conversation.js';
import { filled } from './message.js';
import { ruleTypes } from './rules/index.js';
import type { PolicyContext, RuleType } from './rules/rule.js';
import { scenesOf } from './scenes.js';
import type { AnyRule, Call, Language, Policy, Severity, Verdict } from './types.js';

export interface PolicyFinding {
  readonly rule: string;
  readonly type: string;
  readonly severity: Exclude<Severity, 'off'>;
  /** A sentence that says what is wrong. */
  readonly text: string;
  /** Undefined where it is of the transcript as a whole. */
  readonly call: Call | undefined;
  readonly instead: readonly string[];
}

/** `invalid`: the arguments are wrong. `denied`: a rule with the severity error is broken. `warned`: one of less severity. */
export type Fate = 'valid' | 'warned' | 'denied' | 'invalid';

export interface Judgement {
  readonly findings: readonly PolicyFinding[];
  /** Of the calls that the policy is about. */
  readonly fates: ReadonlyMap<Call, Fate>;
  /** By the id of the rule. */
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>;
}

export interface JudgeOptions {
  /** Counts the tokens of a text, for rules that ask. */
  readonly count?: (text: string) => number;
  readonly language?: Language;
}

export function judge(
  policy: Policy,
  conversation: Conversation,
  { count, language = 'en' }: JudgeOptions = {},
): Judgement {
  const compiled = compile(policy);
  const scene: PolicyContext = { ...compiled, ...conversation, language, count: count ?? missingCounter };
  const active = activeRules(policy);
  const verdicts = new Map(
    active.map((rule) => [
      rule.id,
      applies(rule, conversation, compiled) ? verdictsOf(rule, scene).filter(counts(rule, conversation, compiled)) : [],
    ]),
  );
  const findings = active.flatMap((rule) =>
    verdicts.get(rule.id)!.flatMap((verdict) => findingOf(rule, verdict, compiled)),
  );
  return {
    findings: findings.sort((a, b) => (a.call?.message ?? Infinity) - (b.call?.message ?? Infinity)),
    fates: fatesOf(conversation.calls, findings, judged(policy)),
    verdicts,
  };
}

function missingCounter(): never {
  throw new TranscriptError('usage', 'a rule of the policy counts tokens: give `count`');
}

/** What is judged call by call: the rules that are not switched off. */
export function activeRules({ rules }: Policy): readonly AnyRule[] {
  return rules.filter(({ severity }) => severity !== 'off');
}

export function typeOf({ type, id }: AnyRule): RuleType {
  const found = ruleTypes.find((candidate) => candidate.type === type);
  if (found === undefined)
    throw new TranscriptError(
      'config',
      `rule \`${id}\`: no type of rule \`${type}\`; there are ${ruleTypes.map((candidate) => candidate.type).join(', ')}`,
    );
  return found;
}

/** Where a rule is about the same value of an argument, what it finds says which. */
function verdictsOf(rule: AnyRule, scene: PolicyContext): Verdict[] {
  return scenesOf(rule, typeOf(rule), scene).flatMap(({ about, ...part }) =>
    [...typeOf(rule).check(rule as never, part)].map((verdict) =>
      about === undefined || verdict.wrong === undefined
        ? verdict
        : { ...verdict, wrong: `${verdict.wrong} (${about})` },
    ),
  );
}

function applies({ when }: AnyRule, { calls }: Conversation, { is }: Compiled): boolean {
  const called = (selector: string) => calls.some((call) => is(call, selector));
  return (
    (when?.called === undefined || called(when.called)) && (when?.not_called === undefined || !called(when.not_called))
  );
}

function counts({ when }: AnyRule, { said }: Conversation, { holds }: Compiled): (verdict: Verdict) => boolean {
  const condition = when?.last_user;
  return ({ call }) => condition === undefined || holds(condition, call?.said ?? said);
}

function findingOf(rule: AnyRule, { call, wrong, unsure, instead }: Verdict, { specOf }: Compiled): PolicyFinding[] {
  if (wrong === undefined) return [];
  const severity = rule.severity ?? 'error';
  if (severity === 'off') return [];
  const isOfForm = typeOf(rule).isOfForm === true; // another tool would not mend the arguments
  const advice = instead ?? (call === undefined || isOfForm ? undefined : specOf(call.tool)?.instead) ?? [];
  return [
    {
      rule: rule.id,
      type: rule.type,
      severity: unsure === true && severity === 'error' ? 'warning' : severity,
      text: rule.message === undefined ? wrong : filled(rule.message, { rule, call, wrong }),
      call,
      instead: advice,
    },
  ];
}

/** Whether the policy is about calls of a tool: it is named in `tools`, or a rule judges it. */
function judged(policy: Policy): (tool: string) => boolean {
  const { isOneOf, specOf } = compile(policy);
  const selectors = activeRules(policy).flatMap((rule) => typeOf(rule).judges(rule as never));
  return (tool) => specOf(tool) !== undefined || isOneOf(tool, selectors);
}

function fatesOf(
  calls: readonly Call[],
  findings: readonly PolicyFinding[],
  isJudged: (tool: string) => boolean,
): ReadonlyMap<Call, Fate> {
  const fates = new Map<Call, Fate>(calls.filter(({ tool }) => isJudged(tool)).map((call) => [call, 'valid']));
  for (const finding of findings)
    if (finding.call !== undefined) fates.set(finding.call, worse(fates.get(finding.call) ?? 'valid', fateOf(finding)));
  return fates;
}

const BY_SEVERITY = { error: 'denied', warning: 'warned', info: 'valid' } as const;
const RANK: readonly Fate[] = ['valid', 'warned', 'denied', 'invalid'];

/** What becomes of a call by one finding. */
export function fateOf({ severity, type }: PolicyFinding): Fate {
  const isOfForm = ruleTypes.some((candidate) => candidate.type === type && candidate.isOfForm === true);
  return severity === 'error' && isOfForm ? 'invalid' : BY_SEVERITY[severity];
}

export function worse(a: Fate, b: Fate): Fate {
  return RANK.indexOf(a) > RANK.indexOf(b) ? a : b;
}
