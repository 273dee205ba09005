import { type Language, languageOf, languageOption } from '../options/language.js';
import { withMessages, withoutLooseThoughts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { hasContent } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { NO_PLACE_FOR_USER, withUserMessage } from './append.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** The text before the names of the tools, and the text if no tool was used. */
const TOOLS_USED: Readonly<Record<Language, { readonly label: string; readonly none: string }>> = {
  en: { label: 'Tools used: ', none: 'none' },
  zh: { label: '已使用的工具：', none: '无' },
  ja: { label: '使用したツール: ', none: 'なし' },
};
const COMMA = ', ';

const RETRY: Readonly<Record<Language, string>> = {
  en: 'That did not lead to an answer. Try again with a different tool, or with other keywords.',
  zh: '以上尝试没有得到答案。请换一个工具，或换用其他关键词再试一次。',
  ja: '答えにたどり着けませんでした。別のツールを使うか、キーワードを変えて、もう一度試してください。',
};

export default defineTransform({
  id: 'strip',
  summary: 'drop tool calls and results, for a retry',
  description:
    'Drops every tool result and every message with tool calls, so that a question can be asked again without the ' +
    'context of the failed attempt.',
  options: {
    keepText: { type: 'flag', summary: 'keep the text of messages with calls' },
    keepToolNames: { type: 'flag', summary: 'add an assistant message that names the tools used' },
    retryPrompt: {
      type: 'optional-text',
      value: 'text',
      summary:
        'append a user message, once: the built-in text, or your own, where {tools} becomes the names of the tools ' +
        'used',
    },
    lang: { ...languageOption.lang, needs: ['keepToolNames', 'retryPrompt'] },
    ...toolOptions,
  },
  onlyTraffic: ({ retryPrompt }) => retryPrompt === undefined,
  apply(transcript, options) {
    const { retryPrompt } = options;
    const { label, none } = TOOLS_USED[languageOf(options.lang)];
    const found = traffic(transcript.messages, toolMatcher(options));
    const names = found.tools.join(COMMA);
    const summary = options.keepToolNames === true && names !== '' ? label + names : undefined;
    const stripped = withoutTraffic(transcript, found.removed, options.keepText === true, summary);
    if (retryPrompt === undefined || endsOnReply(transcript, stripped)) return stripped;
    const template = retryPrompt === true ? RETRY[languageOf(options.lang)] : retryPrompt;
    const pieces = template.split(TOOLS);
    if (pieces.length === 1 || found.removed.size > 0) return withUserMessage(stripped, pieces.join(names || none));
    // the names of the tools are no longer known
    return withUserMessage(stripped, pieces.join(none), (text) => isMadeOf(text, pieces));
  },
  shortfall: (after, { retryPrompt }) =>
    retryPrompt !== undefined && endsOnReply(after, after) ? `added ${NO_PLACE_FOR_USER}` : undefined,
});

/** In a retry prompt: the names of the tools used. */
const TOOLS = '{tools}';

/** Whether the text consists of these pieces with any text between them. */
function isMadeOf(text: string, pieces: readonly string[]): boolean {
  const [first, ...others] = pieces;
  const last = others.pop()!;
  if (!text.startsWith(first!)) return false;
  let at = first!.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.endsWith(last) && text.length - last.length >= at;
}

/** No message can be added after a reply, unless the reply was dropped. */
function endsOnReply({ traits, messages }: Transcript, stripped: Transcript): boolean {
  if (traits.isReply === true || traits.holdsOnlyReplies === true) return true;
  const last = messages.at(-1);
  return traits.endsOnReply === true && last === stripped.messages.at(-1) && last?.role === 'assistant';
}

function withoutTraffic(
  transcript: Transcript,
  removed: ReadonlySet<Part>,
  keepText: boolean,
  /** The text of a message in the place of the first calls. */
  summary: string | undefined,
): Transcript {
  if (removed.size === 0) return transcript;
  let isAdded = summary === undefined;
  const messages = transcript.messages.flatMap((message): Message[] => {
    if (!message.parts.some((part) => removed.has(part))) return [message];
    const rest = stripMessage(message, removed, keepText);
    if (isAdded || !message.parts.some((part) => part.type === 'call' && removed.has(part))) return rest;
    isAdded = true;
    const text: Part = { type: 'text', text: summary! };
    const [only] = rest;
    // results must directly follow the calls that stay
    const isFirst = rest.some(hasToolParts);
    if (only !== undefined && transcript.traits.endsOnReply && message === transcript.messages.at(-1))
      return [{ ...only, parts: isFirst ? [text, ...only.parts] : [...only.parts, text] }]; // nothing can follow it
    const added: Message = { role: 'assistant', parts: [text] };
    return isFirst ? [added, ...rest] : [...rest, added];
  });
  return withMessages(
    transcript,
    transcript.traits.piecesStandAlone ? withoutLooseThoughts(transcript.messages, messages) : messages,
  );
}

/** The calls and results to drop, and the distinct names of their tools in the order of first use. */
function traffic(
  messages: readonly Message[],
  matches: (tool: string | undefined) => boolean,
): { removed: ReadonlySet<Part>; tools: readonly string[] } {
  const { calls, results } = pair(messages);
  const matched = calls.filter(({ part }) => matches(part.tool));
  const removed = new Set<Part>(matched.map(({ part }) => part));
  // otherwise it could pair with another call
  const dropsOrphan = (tool: string | undefined) => matches(tool) || (tool === undefined && matched.length > 0);
  for (const { part, call } of results)
    if (call === undefined ? dropsOrphan(part.tool) : removed.has(call.part)) removed.add(part);
  return { removed, tools: [...new Set(matched.map(({ part }) => part.tool))].filter((name) => name !== '') };
}

/** A message with calls is dropped as a whole, unless its text is kept or it has other calls. */
function stripMessage(message: Message, removed: ReadonlySet<Part>, keepText: boolean): Message[] {
  const parts = message.parts.filter((part) => !removed.has(part));
  const rest = { ...message, parts };
  const keepsText = message.role !== 'assistant' || keepText;
  return hasToolParts(rest) || (keepsText && parts.some(hasContent)) ? [rest] : [];
}

function hasToolParts({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'call' || part.type === 'result');
}
