/** Applies a policy to one conversation: the findings, and a status for each call. */
import { TranscriptError } from '../errors.js';
import { type Compiled, compile } from './compiled.js';
import type { Conversation } from './conversation.js';
import { filled } from './message.js';
import { contextsOf } from './narrowing.js';
import { ruleTypes } from './rules/index.js';
import type { PolicyContext, RuleType } from './rules/rule.js';
import type { AnyRule, Call, Language, Policy, RuleResult, Severity } from './types.js';

export interface PolicyFinding {
  readonly rule: string;
  readonly type: string;
  readonly severity: Exclude<Severity, 'off'>;
  /** A sentence that says what is wrong. */
  readonly text: string;
  /** Undefined for a finding about the whole transcript. */
  readonly call: Call | undefined;
  readonly instead: readonly string[];
}

/**
 * `invalid`: the arguments are wrong. `denied`: a rule with the severity error is broken. `warned`: one of less
 * severity.
 */
export type CallStatus = 'valid' | 'warned' | 'denied' | 'invalid';

export interface Judgement {
  readonly findings: readonly PolicyFinding[];
  /** By call, for the calls that the policy is about. */
  readonly statuses: ReadonlyMap<Call, CallStatus>;
  /** By the id of the rule. */
  readonly results: ReadonlyMap<string, readonly RuleResult[]>;
}

export interface JudgeOptions {
  /** Counts the tokens of a text, for rules about tokens. */
  readonly count?: (text: string) => number;
  readonly language?: Language;
}

export function judge(
  policy: Policy,
  conversation: Conversation,
  { count, language = 'en' }: JudgeOptions = {},
): Judgement {
  const compiled = compile(policy);
  const context: PolicyContext = { ...compiled, ...conversation, language, count: count ?? missingCounter };
  const active = activeRules(policy);
  const results = new Map(
    active.map((rule) => [
      rule.id,
      applies(rule, conversation, compiled)
        ? resultsOf(rule, context).filter(counts(rule, conversation, compiled))
        : [],
    ]),
  );
  const findings = active.flatMap((rule) =>
    results.get(rule.id)!.flatMap((result) => findingOf(rule, result, compiled)),
  );
  return {
    findings: findings.sort((a, b) => (a.call?.message ?? Infinity) - (b.call?.message ?? Infinity)),
    statuses: fatesOf(conversation.calls, findings, judged(policy)),
    results,
  };
}

function missingCounter(): never {
  throw new TranscriptError('usage', 'a rule of the policy counts tokens: pass `count`');
}

/** The rules that are not switched off. */
export function activeRules({ rules }: Policy): readonly AnyRule[] {
  return rules.filter(({ severity }) => severity !== 'off');
}

export function typeOf({ type, id }: AnyRule): RuleType {
  const found = ruleTypes.find((candidate) => candidate.type === type);
  if (found === undefined)
    throw new TranscriptError(
      'config',
      `rule \`${id}\`: unknown type \`${type}\`; use one of ${ruleTypes.map((candidate) => candidate.type).join(', ')}`,
    );
  return found;
}

/** With `same_arg`, each text ends with the value of the argument. */
function resultsOf(rule: AnyRule, context: PolicyContext): RuleResult[] {
  return contextsOf(rule, typeOf(rule), context).flatMap(({ about, ...part }) =>
    [...typeOf(rule).check(rule as never, part)].map((result) =>
      about === undefined || result.wrong === undefined ? result : { ...result, wrong: `${result.wrong} (${about})` },
    ),
  );
}

function applies({ when }: AnyRule, { calls }: Conversation, { is }: Compiled): boolean {
  const called = (selector: string) => calls.some((call) => is(call, selector));
  return (
    (when?.called === undefined || called(when.called)) && (when?.not_called === undefined || !called(when.not_called))
  );
}

/** What the assistant said is not known to every guard: there the rule does not apply. */
function counts({ when }: AnyRule, conversation: Conversation, { holds }: Compiled): (result: RuleResult) => boolean {
  const { last_user: user, last_assistant: assistant } = when ?? {};
  return ({ call }) => {
    const { lastUserText, lastAssistantText } = call ?? conversation;
    return (
      (user === undefined || holds(user, lastUserText)) &&
      (assistant === undefined || (lastAssistantText !== undefined && holds(assistant, lastAssistantText)))
    );
  };
}

function findingOf(rule: AnyRule, { call, wrong, unsure, instead }: RuleResult, { specOf }: Compiled): PolicyFinding[] {
  if (wrong === undefined) return [];
  const severity = rule.severity ?? 'error';
  if (severity === 'off') return [];
  const isOfForm = typeOf(rule).judgesArguments === true; // another tool would not help
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
): ReadonlyMap<Call, CallStatus> {
  const fates = new Map<Call, CallStatus>(calls.filter(({ tool }) => isJudged(tool)).map((call) => [call, 'valid']));
  for (const finding of findings)
    if (finding.call !== undefined)
      fates.set(finding.call, worseStatus(fates.get(finding.call) ?? 'valid', statusOf(finding)));
  return fates;
}

const BY_SEVERITY = { error: 'denied', warning: 'warned', info: 'valid' } as const;
const RANK: readonly CallStatus[] = ['valid', 'warned', 'denied', 'invalid'];

/** The status of a call with this finding. */
export function statusOf({ severity, type }: PolicyFinding): CallStatus {
  const isOfForm = ruleTypes.some((candidate) => candidate.type === type && candidate.judgesArguments === true);
  return severity === 'error' && isOfForm ? 'invalid' : BY_SEVERITY[severity];
}

export function worseStatus(a: CallStatus, b: CallStatus): CallStatus {
  return RANK.indexOf(a) > RANK.indexOf(b) ? a : b;
}
