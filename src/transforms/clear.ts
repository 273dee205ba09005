import { type Language, languageOf, languageOption } from '../options/language.js';
import { isOpen, pair } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { CallPart, Part } from '../transcript/types.js';
import { requestTokens } from './request.js';
import { allButNewest, noted, replaceParts } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** Defaults of Anthropic's `clear_tool_uses_20250919`. https://platform.claude.com/docs/en/build-with-claude/context-editing */
const DEFAULT_TRIGGER = 100_000;
const DEFAULT_KEEP = 3;

/** The English text is that of Eino's `reduction`. https://github.com/cloudwego/eino */
const CLEARED: Readonly<Record<Language, string>> = {
  en: '[Old tool result content cleared]',
  zh: '[旧的工具结果已清除]',
  ja: '[古いツール結果は消去されました]',
};

export default defineTransform({
  id: 'clear',
  summary: 'replace old tool results by a placeholder',
  description:
    'Where a transcript has more tokens than the trigger, all tool results but the last few are replaced by a short text; their calls stay, so that the model knows what it did. The last ones count whatever their tool: --tool and --exclude-tool only say which of the older ones may be cleared. A result that would not get shorter is left alone.',
  options: {
    trigger: {
      type: 'integer',
      least: 0,
      default: DEFAULT_TRIGGER,
      value: 'tokens',
      summary: 'nothing happens up to this many tokens in the whole request',
    },
    keep: {
      type: 'integer',
      least: 0,
      default: DEFAULT_KEEP,
      value: 'n',
      summary: 'how many of the newest results stay; 0 clears all',
    },
    clearAtLeast: {
      type: 'integer',
      least: 0,
      value: 'tokens',
      summary: 'do nothing where it would free less: what is rewritten is no longer in the cache',
    },
    clearInputs: { type: 'flag', summary: 'also make the arguments of these calls {}' },
    text: { type: 'text', value: 'text', excludes: ['lang'], summary: 'the text that is put in' },
    ...languageOption,
    ...toolOptions,
  },
  countsTokens: () => true,
  onlyTraffic: () => true,
  apply(transcript, options, counts) {
    const matches = toolMatcher(options);
    const answered = pair(transcript.messages).calls.filter((call) => !isOpen(call));
    const old = allButNewest(answered, options.keep).filter(({ part }) => matches(part.tool));
    if (old.length === 0) return transcript;
    const before = requestTokens(transcript, counts);
    if (before <= options.trigger) return transcript;

    const text = options.text ?? CLEARED[languageOf(options.lang)];
    const became = new Map<Part, Part>();
    for (const { part, results } of old) {
      for (const { part: result } of results) became.set(result, noted(result, text, counts));
      if (options.clearInputs === true) became.set(part, withoutInput(part));
    }
    const cleared = replaceParts(transcript, became);
    return before - requestTokens(cleared, counts) < (options.clearAtLeast ?? 0) ? transcript : cleared;
  },
});

/** Arguments that are an object with members become an empty one; the free text of other kinds of calls stays. */
function withoutInput(part: CallPart): CallPart {
  return part.kind === undefined && /^\s*\{\s*[^\s}]/.test(textOf(part.input)) ? { ...part, input: '{}' } : part;
}
