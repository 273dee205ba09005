/** What `check` says of transcripts that hardly fit into their model's context window. */

import type { RuleWords } from '../../findings.js';
import type { Problem } from '../../rules/rule.js';
import { contextProblems } from '../../tokens/context.js';
import { roomOf } from '../../tokens/models.js';
import type { Transcript } from '../../transcript/types.js';
import { type Models, modelOf } from '../context.js';

/** The rule that asks how much of the context window is filled. */
export const COUNTING = 'core/context-overflow';

/** What no provider refuses, and leaves little room for anything else. */
export const LONG_SYSTEM_PROMPT: RuleWords = {
  id: 'check/long-system-prompt',
  summary: "a system prompt that takes more than half of the model's context window",
  severity: 'warning',
};
/** What the file holds and its format does not read is not checked. */
export const UNREAD: RuleWords = {
  id: 'core/unread',
  summary: 'texts, calls or results that no message holds: they are not checked',
  severity: 'warning',
};

/** Estimated from bytes. `counts`: whether the rule itself is asked, which counts tokens. */
export function tightProblems(
  transcript: Transcript,
  models: Models,
  counts: boolean,
): readonly (Problem & { readonly rule: string })[] {
  return contextProblems(transcript, roomOf(modelOf(models, transcript.model))).flatMap(({ kind, message, text }) => {
    if (kind === 'system prompt') return [{ rule: LONG_SYSTEM_PROMPT.id, message, text }];
    return counts ? [] : [{ rule: COUNTING, message, text: `${text}; --as-request counts them` }];
  });
}
