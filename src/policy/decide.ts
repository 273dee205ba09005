/**
 * Asked before a call is made: the answer that the audit gives after it, of the rules that look at one call and what
 * the user said.
 */
import { asksForSource } from './arguments.js';
import { compile, isKind } from './compiled.js';
import { activeRules, judge, typeOf } from './judge.js';
import { PHRASES } from './phrases.js';
import type { Call, Language, Policy } from './types.js';

export interface Question {
  /** The last user text. */
  readonly text: string;
  /** Default: the first tool that the policy is about. */
  readonly tool?: string;
  /** Without arguments, rules about arguments are skipped. */
  readonly args?: unknown;
}

export interface Decision {
  readonly decision: 'allow' | 'deny';
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  /** The words that decided. */
  readonly words: readonly string[];
  /** The intent of the user, if the words tell. */
  readonly intent: string | undefined;
  /** The tool to use; undefined if the words do not tell. */
  readonly tool: string | undefined;
  /** A hint for the caller, if any. */
  readonly hint: string | undefined;
  /** The text of a violated rule whose severity is only `warning`. */
  readonly warning?: string;
}

export function decide(
  policy: Policy,
  { text, tool = firstTool(policy), args }: Question,
  language: Language = 'en',
): Decision {
  const call: Call = {
    tool,
    callId: undefined,
    args: args ?? {},
    message: 0,
    step: 1,
    turn: 1,
    lastUserText: text,
    result: undefined,
  };
  const ofCall = activeRules(policy).filter(
    (rule) =>
      typeOf(rule).judgesSingleCalls === true &&
      (args !== undefined || typeOf(rule).judgesArguments !== true) &&
      !Object.values(rule.args ?? {}).some(asksForSource), // a question comes without what was said and found before
  );
  const { findings, results } = judge(within(policy, ofCall), { calls: [call], lastUserText: text }, { language });
  const denial = findings.find(({ severity }) => severity === 'error');
  const warning = findings.find(({ severity }) => severity === 'warning');
  const decided = [...results.values()].flat().flatMap(({ decision }) => decision ?? [])[0];
  const { isOneOf, intentOf } = compile(policy);
  const isDenied = denial !== undefined;
  const meant = intentOf(text, isDenied ? (intent) => isOneOf(tool, intent.tool) : undefined);
  const own = policy.intents?.find((intent) => isOneOf(tool, intent.tool));
  const isCalledFor = !isDenied && (decided === undefined || decided.words.length > 0);
  const isOfWords = denial === undefined || denial.type === 'decision';
  return {
    decision: isDenied ? 'deny' : 'allow',
    confidence: isOfWords ? (decided?.confidence ?? 1) : 1,
    reason: (isOfWords ? decided?.reason : denial.text) ?? denial?.text ?? 'no rule denies it',
    words: decided?.words ?? [],
    intent: isCalledFor ? (own ?? meant)?.intent : meant?.intent,
    tool: isCalledFor ? tool : (meant?.tool ?? (isDenied ? undefined : tool)),
    hint: hintOf(
      decided?.isAmbiguous === true,
      isDenied ? (meant === undefined ? denial.instead : [meant.tool]) : [],
      language,
    ),
    ...(isDenied || warning === undefined ? {} : { warning: warning.text }),
  };
}

/** The tool that a policy is about: that of its first decision rule, else the first in `tools`. */
export function firstTool(policy: Policy): string {
  const deciding =
    policy.rules.find(({ type }) => type === 'decision') ??
    policy.rules.find(({ type }) => type === 'allow_when' || type === 'deny_when');
  const selector = String(deciding?.['tool'] ?? Object.keys(policy.tools ?? {})[0] ?? '');
  const alias = Object.hasOwn(policy.aliases ?? {}, selector) ? policy.aliases![selector]! : undefined;
  return (alias === undefined ? undefined : [isKind(alias) ? alias.tool : alias].flat(2)[0]) ?? selector;
}

const parts = new WeakMap<Policy, Policy>();

/** The policy with only these rules, cached by policy. */
function within(policy: Policy, rules: Policy['rules']): Policy {
  const known = parts.get(policy);
  if (known !== undefined && known.rules.length === rules.length) return known;
  const part = { ...policy, rules };
  parts.set(policy, part);
  return part;
}

function hintOf(isAmbiguous: boolean, instead: readonly string[], language: Language): string | undefined {
  const { ambiguous, instead: use } = PHRASES[language];
  const hints = [...(isAmbiguous ? [ambiguous] : []), ...(instead.length > 0 ? [use(instead.join(', '))] : [])];
  return hints.length === 0 ? undefined : hints.join(' ');
}
