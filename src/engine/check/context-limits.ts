/** What `check` says of transcripts that hardly fit into their model's context window. */

import type { RuleWords } from '../../findings.js';
import type { Problem } from '../../rules/rule.js';
import { guessedOverflow, guessedTokens, longSystemPrompt, overflowText, wasSent } from '../../tokens/context.js';
import { type ModelInfo, modelInfo, roomOf } from '../../tokens/models.js';
import { withoutCompacted } from '../../transcript/sent.js';
import type { Transcript } from '../../transcript/types.js';
import { type Models, modelOf } from '../context.js';
import type { Meter } from './meter.js';
import { likelyTokens, mostTokens } from './token-bounds.js';

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

type Tight = Problem & { readonly rule: string };

/** `count`: counts tokens. Undefined where the rule itself has asked it. */
export function* tightProblems(
  transcript: Transcript,
  models: Models,
  count: Meter['fit'] | undefined,
): Generator<Tight> {
  const room = roomOf(modelOf(models, transcript.model));
  for (const { message, text } of longSystemPrompt(transcript, room))
    yield { rule: LONG_SYSTEM_PROMPT.id, message, text };
  const info = count && room.model !== undefined ? modelInfo(room.model) : undefined;
  const text = info && overflow(transcript, info, count!);
  if (text !== undefined) yield { rule: COUNTING, message: undefined, text };
}

/** What is guessed to be so many times beyond the window is not counted: that would take long. */
const FAR = 4;

/** Counted only where it may be: loading a tokenizer, and counting, take longer than all else that is checked. */
function overflow(
  transcript: Transcript,
  { factor, contextWindow: window }: ModelInfo,
  count: Meter['fit'],
): string | undefined {
  const next = withoutCompacted(transcript);
  const room = window / Math.max(1, factor); // in tokens of a public encoding
  if (mostTokens(next) <= room || wasSent(transcript)) return undefined;
  const guess = guessedTokens(next);
  if (guess > FAR * window) return `${guessedOverflow(guess, window)}; --as-request counts them`;
  if (guess <= window && likelyTokens(next) <= room) return undefined;
  const { tokens, source } = count(transcript);
  return overflowText(tokens, window, { source });
}
