/** A policy over transcripts as they are read: what `audit` shows, and what `check` reports beside its rules. */

import type { RuleWords } from '../../findings.js';
import { JsonNode } from '../../json/node.js';
import { adviceText, alertText } from '../../policy/alerts.js';
import { type AuditFacts, type AuditPeriod, type AuditPlace, createAudit, ratesOf } from '../../policy/audit.js';
import { conversationOf } from '../../policy/conversation.js';
import { activeRules, type PolicyFinding, typeOf } from '../../policy/judge.js';
import type { AnyRule, Language, Policy } from '../../policy/types.js';
import type { Transcript } from '../../transcript/types.js';

import { type Context, modelOf } from '../context.js';
import type { Excess } from './budgets.js';
import { createMeter } from './meter.js';

/** The beginning of the ids that a policy's rules have among those of `check`: `policy/one-source`. */
export const FAMILY = 'policy/';

export interface PolicyAudit {
  add(transcript: Transcript, place: Omit<AuditPlace, 'transcript'>): readonly PolicyFinding[];
  facts(): AuditFacts;
}

/** Whether a policy's rules count tokens or price requests: a context is loaded only for those. */
export function needsOf(policy: Policy): { readonly counting: boolean; readonly prices: boolean } {
  const has = (type: string) => activeRules(policy).some((rule) => rule.type === type);
  return { counting: has('max_result_tokens'), prices: has('max_run_cost') };
}

export interface AuditOptions {
  readonly language: Language;
  /** Needed where `needsOf` says so. */
  readonly context: Context | undefined;
  readonly period?: AuditPeriod;
}

export function openAudit(policy: Policy, { language, context, period = {} }: AuditOptions): PolicyAudit {
  const needs = needsOf(policy);
  const meter = needs.prices ? createMeter(context!) : undefined;
  let current: string | undefined;
  const count = (text: string) => context!.countingFor(modelOf(context!, current)).text(text);
  const audit = createAudit(policy, { language, ...period, ...(needs.counting ? { count } : {}) });
  return {
    add(transcript, place) {
      current = transcript.model;
      return audit.add(
        { ...conversationOf(transcript), cost: meter?.costOf(transcript) },
        { ...place, transcript: transcript.id },
      );
    },
    facts: audit.facts,
  };
}

/** What is said of a policy's rules, once for all findings of each. */
export function policyWords(policy: Policy): RuleWords[] {
  const ids = new Set<string>();
  return [...activeRules(policy), ...ratesOf(policy)].flatMap((rule) => {
    if (ids.has(rule.id)) return [];
    ids.add(rule.id);
    return [wordsOf(rule)];
  });
}

function wordsOf(rule: AnyRule): RuleWords {
  const severity = rule.severity === undefined || rule.severity === 'off' ? 'error' : rule.severity;
  return {
    id: FAMILY + rule.id,
    summary: rule.message ?? `a rule of the policy, of the type ${rule.type}`,
    severity,
    cause: typeOf(rule).summary,
  };
}

/** A policy as `check` goes by it. */
export interface PolicyCheck {
  readonly words: readonly RuleWords[];
  add(transcript: Transcript, place: Omit<AuditPlace, 'transcript'>): readonly PolicyProblem[];
  /** The rates that are too high, when all transcripts were seen. */
  alerts(): readonly { readonly rule: string; readonly text: string; readonly place: AuditPlace | undefined }[];
}

export type PolicyProblem = Excess & Pick<PolicyFinding, 'severity'>;

export function openPolicyCheck(policy: Policy, options: AuditOptions): PolicyCheck {
  const { language } = options;
  const audit = openAudit(policy, options);
  return {
    words: policyWords(policy),
    add: (transcript, place) =>
      audit.add(transcript, place).map(({ rule, severity, text, instead, call }) => ({
        rule: FAMILY + rule,
        severity,
        text: text + adviceText(instead, { language }),
        message: call?.message,
        callId: call?.callId,
        node: call?.raw instanceof JsonNode ? call.raw : undefined,
      })),
    alerts() {
      const facts = audit.facts();
      return facts.alerts.map((alert) => ({
        rule: FAMILY + alert.rule,
        text: alertText({ ...alert, place: undefined }, { language, facts }),
        place: alert.place,
      }));
    },
  };
}
