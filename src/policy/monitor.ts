/** Applies a policy to a running agent: answers before each call, counts, and raises alerts. */
import { type AuditFacts, type AuditPlace, type AuditRow, createAudit } from './audit.js';
import { roundedNumber } from './costs.js';
import { type Decision, decide } from './decide.js';
import { type JudgeOptions, judge, type PolicyFinding, typeOf } from './judge.js';
import type { Call, Policy } from './types.js';

export interface Monitor {
  /** Reports a user message, which begins a turn. */
  user(text: string): void;
  /** Reports a text of the assistant. */
  assistant(text: string): void;
  /** Asks before a call is made. Calls with the same `step` are from one assistant message, and have no order. */
  call(call: {
    readonly tool: string;
    readonly args?: unknown;
    readonly step?: number;
  }): Decision & { readonly findings: readonly PolicyFinding[] };
  /** Reports the result of the last call of the tool; of several with the same `step`, in the order of the calls. */
  result(tool: string, result: { readonly text: string; readonly isError?: boolean }): void;
  /** The results of the audit, with its alerts. */
  facts(): MonitorFacts;
}

type InNumbers<Row extends AuditRow> = Omit<Row, 'wasted'> & { readonly wasted: number | undefined };

/** Those of an audit, without bigint: JSON can hold them. */
export interface MonitorFacts extends Omit<AuditFacts, 'tools' | 'rules' | 'files' | 'days'> {
  readonly tools: readonly InNumbers<AuditFacts['tools'][number]>[];
  readonly rules: readonly InNumbers<AuditFacts['rules'][number]>[];
  readonly files: readonly InNumbers<AuditFacts['files'][number]>[];
  readonly days: readonly InNumbers<AuditFacts['days'][number]>[];
}

const HERE: AuditPlace = { file: 'monitor', line: 1, index: 0, transcript: undefined };

/** Denied calls count as made, so the results equal those of an audit of the recording. */
export function monitor(policy: Policy, options: JudgeOptions = {}): Monitor {
  const calls: Call[] = [];
  let lastUserText = '';
  const userTexts: string[] = [];
  let answer = '';
  let lastAssistantText = '';
  let turn = 0;
  const reported = new Set<string>();
  const denied = new Set<number>(); // calls that were not made, as a rule
  const found = () => judge(policy, { calls, lastUserText, userTexts, lastAssistantText }, options).findings;
  return {
    user(text) {
      lastUserText = text;
      userTexts.push(text);
      lastAssistantText = answer;
      turn++;
    },
    assistant(text) {
      answer = text || answer;
    },
    call({ tool, args, step }) {
      const last = calls.at(-1);
      const own = step === undefined ? (last?.step ?? 0) + 1 : step;
      const call: Call = {
        tool,
        callId: undefined,
        args: args ?? {},
        message: calls.length,
        step: own,
        turn,
        lastUserText,
        lastAssistantText,
        result: undefined,
      };
      calls.push(call);
      const fresh = found().filter((finding) => {
        const key = JSON.stringify([finding.rule, finding.call?.message]);
        const isNew = !reported.has(key) && finding.call !== undefined;
        if (isNew) reported.add(key);
        return isNew;
      });
      const decision = decide(policy, { text: lastUserText, tool, args }, options.language);
      const denial = fresh.find(
        ({ severity, type, rule }) => severity === 'error' && typeOf({ type, id: rule }).judgesLaterCalls !== true,
      );
      if (decision.decision === 'deny' || denial !== undefined) denied.add(call.message);
      if (decision.decision === 'deny' || denial === undefined) return { ...decision, findings: fresh };
      return { ...decision, decision: 'deny', confidence: 1, reason: denial.text, findings: fresh };
    },
    result(tool, { text, isError }) {
      const last = calls.findLastIndex((call) => call.tool === tool);
      const isOpen = (call: Call) =>
        call.tool === tool && call.step === calls[last]!.step && call.result === undefined && !denied.has(call.message);
      const open = calls.findIndex(isOpen);
      const at = open < 0 ? last : open;
      if (at >= 0) calls[at] = { ...calls[at]!, result: { text, isError } };
    },
    facts() {
      const audit = createAudit(policy, options);
      audit.add({ calls, lastUserText, userTexts, lastAssistantText }, HERE);
      const facts = audit.facts();
      return {
        ...facts,
        tools: facts.tools.map(inNumbers),
        rules: facts.rules.map(inNumbers),
        files: facts.files.map(inNumbers),
        days: facts.days.map(inNumbers),
      };
    },
  };
}

function inNumbers<Row extends AuditRow>(row: Row): InNumbers<Row> {
  return { ...row, wasted: row.wasted === undefined ? undefined : roundedNumber(row.wasted) };
}
