/** Simulates a guard: its answer replaces the result of each call that the policy denies. */
import type { Guard } from '../options/option.js';
import { pair } from '../transcript/pairs.js';
import type { ResultPart } from '../transcript/types.js';
import { conversationOf } from './conversation.js';
import { activeRules, judge, type PolicyFinding, typeOf } from './judge.js';
import { PHRASES } from './phrases.js';
import type { Call, Language, Policy } from './types.js';

/** A guard answers before a call is made, so rules about results are skipped. */
export function guardOf(policy: Policy): Guard {
  const rules = activeRules(policy).filter((rule) => typeOf(rule).judgesResults !== true && rule.result === undefined);
  const part = { ...policy, rules };
  return (transcript, language) => {
    const conversation = conversationOf(transcript);
    const results = pair(transcript.messages).calls.map((call) => call.results.map((result) => result.part));
    const calls = [...conversation.calls];
    const answers = new Map<ResultPart, string>();
    for (let before = -1; before !== answers.size; ) {
      before = answers.size;
      const places = new Map(calls.map((call, index) => [call, index]));
      for (const [call, text] of denials(judge(part, { ...conversation, calls }, { language }).findings, language)) {
        const at = places.get(call)!;
        if (call.result === undefined || answers.has(results[at]![0]!)) continue;
        for (const result of results[at]!) answers.set(result, text);
        calls[at] = { ...call, result: { ...call.result, text } }; // later rules see the answer of the guard
      }
    }
    return answers;
  };
}

/** The answer for the first error of each call. */
function denials(findings: readonly PolicyFinding[], language: Language): ReadonlyMap<Call, string> {
  const texts = new Map<Call, string>();
  for (const { call, severity, text, instead } of findings)
    if (call !== undefined && severity === 'error' && !texts.has(call))
      texts.set(call, JSON.stringify({ success: false, error: text, suggestion: suggestionOf(instead, language) }));
  return texts;
}

function suggestionOf(instead: readonly string[], language: Language): string {
  const { instead: use, without } = PHRASES[language];
  return instead.length === 0 ? without : use(instead.join(', '));
}
