import { languageOption } from '../options/language.js';
import { grouped } from '../transcript/text.js';
import type { Part } from '../transcript/types.js';
import { goingCleared } from './clear-going.js';
import { everyOption } from './every.js';
import { keepingOptions } from './keeping.js';
import { besideTokens, requestTokens } from './request.js';
import { replaceParts } from './results.js';
import { toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/**
 * Defaults of Anthropic's `clear_tool_uses_20250919`.
 * https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
const DEFAULT_TRIGGER = 100_000;
const DEFAULT_KEEP = 3;

export default defineTransform({
  id: 'clear',
  summary: 'replace old tool results with a placeholder',
  description:
    'If the transcript has more tokens than the trigger, replaces all tool results except the newest with a short ' +
    'text that says how long they were and how to see them again; their calls stay, so the model knows what it did. ' +
    'The newest results stay whatever their tool: --tool and --exclude-tool select among the older ones. A result ' +
    'that would not get shorter does not change. Answers of a person stay, and so do the last plan and the last ' +
    'failed call.',
  options: {
    trigger: {
      type: 'integer',
      least: 0,
      default: DEFAULT_TRIGGER,
      value: 'tokens',
      summary: 'clear only if the whole request has more tokens than this',
    },
    keep: {
      type: 'integer',
      least: 0,
      default: DEFAULT_KEEP,
      value: 'n',
      summary: 'how many of the newest results to keep; 0 clears all',
    },
    clearAtLeast: {
      type: 'integer',
      least: 0,
      value: 'tokens',
      summary: 'clear only if it frees this many tokens, because it breaks the prompt cache',
    },
    clearInputs: { type: 'flag', summary: 'also replace the arguments of these calls with {}' },
    minSize: {
      type: 'integer',
      least: 0,
      value: 'n',
      summary: 'leave results of fewer characters as they are; by default 1000 with --every auto, else 200',
    },
    ...keepingOptions,
    text: { type: 'text', value: 'text', excludes: ['lang'], summary: 'the placeholder text' },
    ...everyOption,
    ...languageOption,
    ...toolOptions,
  },
  countsTokens: () => true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  idle(transcript, { trigger }, counts) {
    const tokens = requestTokens(transcript, counts) + besideTokens(transcript, counts);
    if (tokens > trigger) return undefined;
    return `${grouped(tokens)} tokens are not more than the trigger of ${grouped(trigger)} (--trigger)`;
  },
  apply(transcript, options, counts) {
    const { trigger, clearAtLeast = 0 } = options;
    const isCounted = trigger > 0 || clearAtLeast > 0; // any request has more tokens than none, and no less is cleared
    const before = isCounted ? requestTokens(transcript, counts) : Number.POSITIVE_INFINITY;
    if (before <= trigger && before + besideTokens(transcript, counts) <= trigger) return transcript;
    const replacements = new Map<Part, Part>();
    for (const { what } of goingCleared(transcript, options, counts)(transcript.messages.length))
      for (const [part, cleared] of what) replacements.set(part, cleared);
    const cleared = replaceParts(transcript, replacements);
    return clearAtLeast > 0 && before - requestTokens(cleared, counts) < clearAtLeast ? transcript : cleared;
  },
});
