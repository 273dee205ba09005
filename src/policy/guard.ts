/** A guard asks the policy before a call is made: in an agent call by call, in a recording for all calls. */

import type { Guard } from '../options/option.js';
import { pair } from '../transcript/pairs.js';
import type { ResultPart } from '../transcript/types.js';
import { asksForSource } from './arguments.js';
import { type Conversation, conversationOf } from './conversation.js';
import { activeRules, judge, type PolicyFinding, typeOf } from './judge.js';
import { PHRASES } from './phrases.js';
import type { Call, Language, Policy } from './types.js';

/** What a guard says to a call that the policy denies. */
export interface Denial {
  readonly reason: string;
  /** What the model reads in place of the result, as JSON. */
  readonly answer: string;
}

/** Simulates a guard: its answer replaces the result of each call that the policy denies. */
export function guardOf(policy: Policy): Guard {
  const part = guarding(policy);
  const asksForSources = part.rules.some(({ args = {} }) => Object.values(args).some(asksForSource));
  return (transcript, language) => {
    const conversation = conversationOf(transcript);
    const results = pair(transcript.messages).calls.map((call) => call.results.map((result) => result.part));
    const calls = [...conversation.calls];
    const answers = new Map<ResultPart, string>();
    for (let before = -1; before !== answers.size; ) {
      before = answers.size;
      const places = new Map(calls.map((call, index) => [call, index]));
      let first: number | undefined; // the step of the first new answer
      for (const [call, { answer }] of denials(judge(part, { ...conversation, calls }, { language }), language)) {
        const at = places.get(call)!;
        if (call.result === undefined || answers.has(results[at]![0]!)) continue;
        first ??= call.step;
        if (asksForSources && call.step !== first) break; // an answer may hold what a later call asks for
        for (const result of results[at]!) answers.set(result, answer);
        calls[at] = { ...call, result: { ...call.result, text: answer } }; // later rules see the answer of the guard
      }
    }
    return answers;
  };
}

/** Asks about one call of a conversation; undefined if the policy allows it. */
export type Ask = (call: Call, conversation: Conversation, language?: Language) => Denial | undefined;

/** A guard in front of the tools of an agent. */
export function createGuard(policy: Policy): Ask {
  const part = guarding(policy);
  return (call, conversation, language = 'en') => denials(judge(part, conversation, { language }), language).get(call);
}

/** The policy without the rules about what a guard cannot know: the result of a call, and what is called after it. */
function guarding(policy: Policy): Policy {
  const isKnown = (rule: Policy['rules'][number]) => {
    const { judgesResults, judgesLaterCalls } = typeOf(rule);
    return judgesResults !== true && judgesLaterCalls !== true && rule.result === undefined;
  };
  return { ...policy, rules: activeRules(policy).filter(isKnown) };
}

/** The answer for the first error of each call. */
function denials({ findings }: { readonly findings: readonly PolicyFinding[] }, language: Language) {
  const found = new Map<Call, Denial>();
  for (const { call, severity, text, instead } of findings) {
    if (call === undefined || severity !== 'error' || found.has(call)) continue;
    const answer = JSON.stringify({ success: false, error: text, suggestion: suggestionOf(instead, language) });
    found.set(call, { reason: text, answer });
  }
  return found;
}

function suggestionOf(instead: readonly string[], language: Language): string {
  const { instead: use, without } = PHRASES[language];
  return instead.length === 0 ? without : use(instead.join(', '));
}
