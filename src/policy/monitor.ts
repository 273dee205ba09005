/** A policy kept beside a running agent: it answers before each call, counts, and raises the alarm. */
import { type AuditFacts, createAudit, type Place } from './audit.js';
import { type Decision, decide } from './decide.js';
import { type JudgeOptions, judge, type PolicyFinding } from './judge.js';
import type { Call, Policy } from './types.js';

export interface Monitor {
  /** The user said something: a turn begins. */
  user(text: string): void;
  /** Before a call is made. Calls with the same `step` are of one message of the model, and have no order. */
  call(call: {
    readonly tool: string;
    readonly args?: unknown;
    readonly step?: number;
  }): Decision & { readonly findings: readonly PolicyFinding[] };
  /** What the last call of the tool gave. */
  result(tool: string, result: { readonly text: string; readonly isError?: boolean }): void;
  /** The figures of the audit, with the alerts that are due. */
  facts(): AuditFacts;
}

const HERE: Place = { file: 'monitor', line: 1, index: 0, transcript: undefined };

/** Calls that are denied count as made: the figures are those that an audit of the recording gives. */
export function monitor(policy: Policy, options: JudgeOptions = {}): Monitor {
  const calls: Call[] = [];
  let said = '';
  let turn = 0;
  const told = new Set<string>();
  const found = () => judge(policy, { calls, said }, options).findings;
  return {
    user(text) {
      said = text;
      turn++;
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
        said,
        result: undefined,
      };
      calls.push(call);
      const fresh = found().filter((finding) => {
        const key = JSON.stringify([finding.rule, finding.call?.message]);
        const isNew = !told.has(key) && finding.call !== undefined;
        if (isNew) told.add(key);
        return isNew;
      });
      const decision = decide(policy, { text: said, tool, args }, options.language);
      const denial = fresh.find(({ severity }) => severity === 'error');
      if (decision.decision === 'deny' || denial === undefined) return { ...decision, findings: fresh };
      return { ...decision, decision: 'deny', confidence: 1, reason: denial.text, findings: fresh };
    },
    result(tool, { text, isError }) {
      const at = calls.findLastIndex((call) => call.tool === tool);
      if (at >= 0) calls[at] = { ...calls[at]!, result: { text, isError } };
    },
    facts() {
      const audit = createAudit(policy, options);
      audit.add({ calls, said }, HERE);
      return audit.facts();
    },
  };
}
