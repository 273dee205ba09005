/** What `check` says of transcripts that hardly fit into their model's context window. */

import type { RuleWords } from '../../findings.js';
import type { Problem } from '../../rules/rule.js';
import { type ContextProblem, contextProblems, overflowText, type Room } from '../../tokens/context.js';
import { modelInfo, roomOf } from '../../tokens/models.js';
import { withoutCompacted } from '../../transcript/sent.js';
import type { Transcript } from '../../transcript/types.js';
import { type Models, modelOf } from '../context.js';
import { likelyTokens } from './likely-tokens.js';
import type { Meter } from './meter.js';
import { mostTokens } from './token-bounds.js';

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
  for (const { message, text } of contextProblems(transcript, room, 0)) // of the system prompt
    yield { rule: LONG_SYSTEM_PROMPT.id, message, text };
  const text = count && room.window !== undefined ? overflow(transcript, room, count) : undefined;
  if (text !== undefined) yield { rule: COUNTING, message: undefined, text };
}

/** What has more bytes for each token of the window is not counted: that would take long. */
const FAR = 16;

/** Counted only where it may be: loading a tokenizer, and counting, take longer than all else that is checked. */
function overflow(transcript: Transcript, room: Room, count: Meter['fit']): string | undefined {
  const window = room.window!;
  const next = withoutCompacted(transcript);
  const most = mostTokens(next);
  const { factor } = modelInfo(room.model!)!;
  const fits = window / Math.max(1, factor); // in tokens of a public encoding
  if (most <= fits || !beyond(transcript, room, Number.POSITIVE_INFINITY)) return undefined;
  const guess = beyond(transcript, room);
  if (guess !== undefined && most > FAR * window) return `${guess.text}; --as-request counts them`;
  if (guess === undefined && likelyTokens(next) <= fits) return undefined;
  const { tokens, source } = count(transcript);
  return overflowText(tokens, window, '', source === 'exact' ? '' : undefined);
}

/** By default guessed. Undefined also if the model took its requests. */
function beyond(transcript: Transcript, room: Room, tokens?: number): ContextProblem | undefined {
  return contextProblems(transcript, room, tokens).find(({ kind }) => kind === 'window');
}
