/** A policy over transcripts as they are read: what `audit` shows, and what `check` reports beside its rules. */

import type { RuleWords } from '../../findings.js';
import type { Terminal } from '../../io/terminal.js';
import { JsonNode } from '../../json/node.js';
import { type AuditFacts, type AuditPeriod, createAudit, type Place, ratesOf } from '../../policy/audit.js';
import { conversationOf } from '../../policy/conversation.js';
import { activeRules, type PolicyFinding, typeOf } from '../../policy/judge.js';
import type { AnyRule, Language, Policy } from '../../policy/types.js';
import { adviceText, alertText } from '../../reports/audit.js';
import type { Transcript } from '../../transcript/types.js';
import { LANGUAGES } from '../../transforms/languages.js';
import type { Config } from './config.js';
import type { MeterOptions } from './meter.js';
import { loadPolicy } from './policy-file.js';

/** The beginning of the ids that a policy's rules have among those of `check`: `policy/one-source`. */
export const FAMILY = 'policy/';

export interface PolicyAudit {
  add(transcript: Transcript, place: Omit<Place, 'transcript'>): readonly PolicyFinding[];
  facts(): AuditFacts;
}

/** A tokenizer is loaded only for a policy that counts, and prices only for one that limits the cost of a run. */
export async function openAudit(
  policy: Policy,
  language: Language,
  options: MeterOptions,
  config: Config,
  terminal: Terminal,
  period: AuditPeriod = {},
): Promise<PolicyAudit> {
  const { model, tokenizer } = options;
  const has = (wanted: string) => activeRules(policy).some(({ type }) => type === wanted);
  const counts = has('max_result_tokens');
  const meter = has('max_run_cost')
    ? await (await import('./meter.js')).createMeter(options, true, config, terminal)
    : undefined;
  const countingFor = counts ? await (await import('./tokenizer.js')).loadCountings(tokenizer) : undefined;
  let current: string | undefined;
  const audit = createAudit(policy, {
    language,
    ...period,
    ...(countingFor === undefined ? {} : { count: (text) => countingFor(model ?? current).text(text) }),
  });
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
  add(transcript: Transcript, place: Omit<Place, 'transcript'>): readonly PolicyProblem[];
  /** The rates that are too high, when all transcripts were seen. */
  alerts(): readonly { readonly rule: string; readonly text: string; readonly place: Place | undefined }[];
}

export interface PolicyProblem {
  readonly rule: string;
  readonly severity: PolicyFinding['severity'];
  readonly text: string;
  readonly message: number | undefined;
  readonly callId: string | undefined;
  readonly node: JsonNode | undefined;
}

export async function openPolicyCheck(
  name: string,
  options: MeterOptions,
  config: Config,
  terminal: Terminal,
): Promise<PolicyCheck> {
  const policy = await loadPolicy(name, terminal);
  const language = LANGUAGES.find((known) => known === terminal.env['CTX_TRIM_LANG']) ?? 'en';
  const audit = await openAudit(policy, language, options, config, terminal);
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
