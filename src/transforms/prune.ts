import { type Language, languageOf, languageOption } from '../options/language.js';
import { mapParts, withMessages } from '../transcript/edit.js';
import { hasContent } from '../transcript/text.js';
import { currentRun } from '../transcript/turns.js';
import type { ContentPart, Message, Part } from '../transcript/types.js';
import { isNeededIn } from './needed-reasoning.js';
import { hasOtherWords } from './other-words.js';
import { defineTransform } from './transform.js';

/** Replaces an image that was all of a user message or a result: APIs reject empty ones, and neither can be dropped. */
const IMAGE_REMOVED: Readonly<Record<Language, string>> = {
  en: '[image removed]',
  zh: '[图片已移除]',
  ja: '[画像は削除されました]',
};

/**
 * Works like the Vercel AI SDK's `pruneMessages` with `reasoning` and `emptyMessages`.
 * https://ai-sdk.dev/docs/reference/ai-sdk-ui/prune-messages
 */
export default defineTransform({
  id: 'prune',
  summary: 'drop reasoning, images, empty messages, records',
  description:
    'Drops only what the options name. An assistant message that is empty afterwards is dropped too; an image that ' +
    'was all of a user message or a result becomes a short text. Words in unknown members stay. ' +
    'Providers require the reasoning while a run still calls tools: use --scope history, which does not change the ' +
    'current run. In a request to Anthropic that enables thinking, it stays there in any case. --records drops only ' +
    'lines that the format knows to be duplicates, progress or notices: headers, settings, summaries and recorded ' +
    'usage stay.',
  options: {
    reasoning: { type: 'flag', summary: 'reasoning of the model, encrypted or not' },
    images: { type: 'flag', summary: 'images in messages and results' },
    empty: { type: 'flag', summary: 'messages without content, calls and results' },
    records: { type: 'flag', summary: 'lines of session logs that are neither messages nor needed by other lines' },
    scope: {
      type: 'choice',
      choices: ['all', 'history'],
      default: 'all',
      summary: 'history: do not change the current run (all after the last user message)',
    },
    lang: { ...languageOption.lang, needs: ['images'] },
  },
  needs: ['reasoning', 'images', 'empty', 'records'],
  apply(transcript, options) {
    const { messages, traits } = transcript;
    const end = options.scope === 'history' ? currentRun(messages) : messages.length;
    const note = IMAGE_REMOVED[languageOf(options.lang)];
    const isNeeded = isNeededIn(transcript);
    const pruned = messages.flatMap((message, index): readonly Message[] => {
      if (index >= end) return [message];
      if (message.role === 'meta') return options.records === true && message.discardable === true ? [] : [message];
      const isStaying = options.reasoning !== true || isNeeded(message, index);
      const unreasoned = isStaying ? message : withoutReasoning(message, traits.reasonsBesideCalls);
      const rest = options.images === true ? withoutImages(unreasoned, note) : unreasoned;
      const mayGo = rest !== message || options.empty === true;
      return mayGo && isEmpty(rest) && !hasOtherWords(message) ? [] : [rest];
    });
    return withMessages(transcript, pruned);
  },
});

function withoutReasoning(message: Message, staysBesideCalls = false): Message {
  if (!message.parts.some(isThinking)) return message;
  const emptyReasoning = staysBesideCalls && message.parts.some(({ type }) => type === 'call');
  const parts = message.parts.filter((part) => !isThinking(part));
  return { ...message, parts, ...(emptyReasoning ? { emptyReasoning } : {}) };
}

/** A user message or a result that would be empty gets a note. */
function withoutImages(message: Message, note: string): Message {
  const bare = mapParts(message, (part) =>
    part.type === 'result' && part.content.some(isImage)
      ? { ...part, content: orNote(part.content.filter(isNotImage), note) }
      : part,
  );
  if (!bare.parts.some(isImage)) return bare;
  const parts = bare.parts.filter(isNotImage);
  return { ...bare, parts: message.role === 'assistant' || !isEmpty({ ...bare, parts }) ? parts : orNote([], note) };
}

function orNote(content: readonly ContentPart[], note: string): readonly ContentPart[] {
  return content.some(hasContent) ? content : [{ type: 'text', text: note }];
}

function isEmpty({ parts }: Message): boolean {
  return !parts.some(
    (part) => hasContent(part) || part.type === 'call' || part.type === 'result' || part.type === 'thinking',
  );
}

function isThinking(part: Part): boolean {
  return part.type === 'thinking';
}

function isImage(part: Part): boolean {
  return part.type === 'media' && part.kind === 'image';
}

function isNotImage(part: Part): boolean {
  return !isImage(part);
}
