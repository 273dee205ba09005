/**
 * What providers do to a context on their servers when they are asked to, as steps for `simulate` only: to compare them
 * with policies. They see the whole context of each request, the current run included.
 */
import { TranscriptError } from '../../errors.js';
import { defaultsOf } from '../../options/option.js';
import { modelInfo } from '../../tokens/models.js';
import { withMessages } from '../../transcript/edit.js';
import { turns } from '../../transcript/turns.js';
import type { Message, Transcript } from '../../transcript/types.js';
import clear from '../../transforms/clear.js';
import { growCleared } from '../../transforms/clear-growing.js';
import fit from '../../transforms/fit.js';
import { growFitted } from '../../transforms/fit-growing.js';
import { defineTransform, type Transform } from '../../transforms/transform.js';

/** https://platform.claude.com/docs/en/build-with-claude/context-editing, read 2026-11-23. */
const clearToolUses = defineTransform({
  id: 'clear_tool_uses_20250919',
  summary: "Anthropic's clearing of tool results",
  description: 'Replaces old tool results with a placeholder once the context has more tokens than the trigger.',
  options: {
    trigger: { type: 'integer', least: 0, default: 100_000, value: 'tokens', summary: 'clear above this many tokens' },
    keep: { type: 'integer', least: 0, default: 3, value: 'n', summary: 'how many of the newest results to keep' },
    clearAtLeast: { type: 'integer', least: 0, value: 'tokens', summary: 'clear only if it frees this many tokens' },
    excludeTools: { type: 'text', many: true, value: 'tool', summary: 'a tool whose results stay; repeatable' },
    clearToolInputs: { type: 'flag', summary: 'also clear the arguments of these calls' },
  },
  countsTokens: () => true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  grow: (transcript, options, counts, carries) => growCleared(transcript, asClear(options), counts, carries),
  apply: (transcript, options, counts) => clear.apply(transcript, asClear(options), counts),
});

/** The page shows no other text. */
const CLEARED = '[Old tool result content cleared]';

function asClear({ trigger, keep, clearAtLeast, excludeTools, clearToolInputs }: ServerClear) {
  const usual = defaultsOf(clear.options);
  return {
    ...usual,
    trigger,
    keep,
    clearAtLeast,
    excludeTool: excludeTools,
    clearInputs: clearToolInputs,
    everything: true,
    minSize: 0,
    text: CLEARED,
  };
}

interface ServerClear {
  readonly trigger: number;
  readonly keep: number;
  readonly clearAtLeast: number | undefined;
  readonly excludeTools: readonly string[];
  readonly clearToolInputs: boolean | undefined;
}

/** https://platform.claude.com/docs/en/build-with-claude/context-editing, read 2026-11-23. */
const clearThinking = defineTransform({
  id: 'clear_thinking_20251015',
  summary: "Anthropic's clearing of thinking blocks",
  description: 'Drops the thinking of all but the last turns that have any.',
  options: {
    keep: { type: 'integer', least: 1, default: 1, value: 'n', summary: 'how many turns with thinking to keep' },
  },
  apply(transcript, { keep }) {
    const { messages } = transcript;
    const thinking = turns(messages).filter(({ start, end }) => messages.slice(start, end).some(hasThinking));
    const from = thinking.at(-keep)?.start ?? 0;
    const cleared = messages.map((message, index) =>
      index < from && hasThinking(message)
        ? { ...message, parts: message.parts.filter(({ type }) => type !== 'thinking') }
        : message,
    );
    return thinking.length <= keep ? transcript : withMessages(transcript, cleared);
  },
});

/** `truncation: "auto"`: https://platform.openai.com/docs/api-reference/responses/create, read 2026-11-23. */
const truncationAuto = defineTransform({
  id: 'truncation_auto',
  summary: "OpenAI's truncation of contexts that are too long",
  description: "Drops items from the beginning if the context is longer than the model's context window.",
  options: { window: { type: 'integer', least: 1, value: 'tokens', summary: "the window; by default the model's" } },
  countsTokens: () => true,
  isMonotone: () => true,
  continues: () => true,
  grow: (transcript, { window }, counts, carries) => growFitted(transcript, asFit(transcript, window), counts, carries),
  apply: (transcript, { window }, counts) => fit.apply(transcript, asFit(transcript, window), counts),
});

function asFit({ model, contextWindow }: Transcript, window: number | undefined) {
  const maxTokens = window ?? contextWindow ?? modelInfo(model ?? '')?.contextWindow;
  if (maxTokens === undefined)
    throw new TranscriptError(
      'model',
      `truncation_auto: the context window of ${model ?? 'a recording without a model'} is unknown; ` +
        'name it (`truncation_auto:window=128000`), or a model that is known (--as-model)',
    );
  return { ...defaultsOf(fit.options), maxTokens, unit: 'round' as const };
}

export const serverSide = [clearToolUses, clearThinking, truncationAuto] as unknown as readonly Transform[];

const hasThinking = ({ parts }: Message) => parts.some(({ type }) => type === 'thinking');
