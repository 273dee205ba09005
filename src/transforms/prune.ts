import { type Language, languageOf, languageOption } from '../options/language.js';
import { mapParts, withMessages } from '../transcript/edit.js';
import { hasContent } from '../transcript/text.js';
import { currentRun } from '../transcript/turns.js';
import type { ContentPart, Message, Part } from '../transcript/types.js';
import { defineTransform } from './transform.js';

/** What stands where an image was all that a user's message or a result held: neither can go, and an empty one is refused. */
const IMAGE_REMOVED: Readonly<Record<Language, string>> = {
  en: '[image removed]',
  zh: '[图片已移除]',
  ja: '[画像は削除されました]',
};

/** After the Vercel AI SDK's `pruneMessages` (`reasoning`, `emptyMessages`). https://ai-sdk.dev/docs/reference/ai-sdk-ui/prune-messages */
export default defineTransform({
  id: 'prune',
  summary: 'drop reasoning, images, empty messages, records',
  description:
    'Drops what is named, and nothing else. A message of the model that held only that goes with it; where an image was all that a user said or a tool gave, a short text stands in its place. Providers want the reasoning back while a run still calls tools: --scope history leaves the current run alone. Of the lines that are no messages only those go that the format knows to be mere echoes, progress or notices: headers, settings, summaries and recorded usage stay.',
  options: {
    reasoning: { type: 'flag', summary: 'the reasoning that the model showed, sealed or not' },
    images: { type: 'flag', summary: 'images, in messages and in results' },
    empty: { type: 'flag', summary: 'messages that say nothing and carry no calls or results' },
    records: { type: 'flag', summary: 'lines of session logs that nothing else in the log needs' },
    scope: {
      type: 'choice',
      choices: ['all', 'history'],
      default: 'all',
      summary: 'history: leave the current run alone, all after the last user message',
    },
    lang: { ...languageOption.lang, needs: ['images'] },
  },
  needs: ['reasoning', 'images', 'empty', 'records'],
  apply(transcript, options) {
    const { messages } = transcript;
    const end = options.scope === 'history' ? currentRun(messages) : messages.length;
    const note = IMAGE_REMOVED[languageOf(options.lang)];
    const pruned = messages.flatMap((message, index): readonly Message[] => {
      if (index >= end) return [message];
      if (message.role === 'meta') return options.records === true && message.spare === true ? [] : [message];
      const thoughtless = options.reasoning === true ? withoutThoughts(message) : message;
      const rest = options.images === true ? withoutImages(thoughtless, note) : thoughtless;
      const mayGo = rest !== message || options.empty === true;
      return mayGo && isEmpty(rest) ? [] : [rest];
    });
    return withMessages(transcript, pruned);
  },
});

function withoutThoughts(message: Message): Message {
  return message.parts.some(isThought)
    ? { ...message, parts: message.parts.filter((part) => !isThought(part)) }
    : message;
}

/** Only what the model said may be left with nothing at all. */
function withoutImages(message: Message, note: string): Message {
  const bare = mapParts(message, (part) =>
    part.type === 'result' && part.content.some(isImage)
      ? { ...part, content: orNote(part.content.filter(isNoImage), note) }
      : part,
  );
  if (!bare.parts.some(isImage)) return bare;
  const parts = bare.parts.filter(isNoImage);
  return { ...bare, parts: message.role === 'assistant' || !isEmpty({ ...bare, parts }) ? parts : orNote([], note) };
}

function orNote(content: readonly ContentPart[], note: string): readonly ContentPart[] {
  return content.some(hasContent) ? content : [{ type: 'text', text: note }];
}

/** Nothing is said, thought, called or answered. */
function isEmpty({ parts }: Message): boolean {
  return !parts.some(
    (part) => hasContent(part) || part.type === 'call' || part.type === 'result' || part.type === 'thinking',
  );
}

function isThought(part: Part): boolean {
  return part.type === 'thinking';
}

function isImage(part: Part): boolean {
  return part.type === 'media' && part.kind === 'image';
}

function isNoImage(part: Part): boolean {
  return !isImage(part);
}
