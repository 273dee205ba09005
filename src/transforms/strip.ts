import { type Language, languageOf, languageOption } from '../options/language.js';
import { withMessages, withoutLooseThoughts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { hasContent } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { withUserMessage } from './append.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** What the names are introduced by, and what stands for them where there are none. */
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
  summary: 'drop tool traffic, for a retry',
  description:
    'Drops every tool result and every message that carries tool calls, so that a question can be asked again without what the last attempt dragged along.',
  options: {
    keepText: { type: 'flag', summary: 'keep the text of messages that carry calls' },
    keepToolNames: { type: 'flag', summary: 'leave one assistant message that names the tools used' },
    retryPrompt: {
      type: 'optional-text',
      value: 'text',
      summary:
        'append a user message that asks for another way, once (a text of your own, in which {tools} names the tools used, or the built-in one)',
    },
    lang: { ...languageOption.lang, needs: ['keepToolNames', 'retryPrompt'] },
    ...toolOptions,
  },
  onlyTraffic: ({ retryPrompt }) => retryPrompt === undefined,
  apply(transcript, options) {
    const { retryPrompt } = options;
    const { label, none } = TOOLS_USED[languageOf(options.lang)];
    const going = traffic(transcript.messages, toolMatcher(options));
    const names = going.tools.join(COMMA);
    const told = options.keepToolNames === true && names !== '' ? label + names : undefined;
    const stripped = withoutTraffic(transcript, going.gone, options.keepText === true, told);
    if (retryPrompt === undefined || endsOnReply(transcript, stripped)) return stripped;
    const template = retryPrompt === true ? RETRY[languageOf(options.lang)] : retryPrompt;
    const pieces = template.split(TOOLS);
    if (pieces.length === 1 || going.gone.size > 0) return withUserMessage(stripped, pieces.join(names || none));
    return withUserMessage(stripped, pieces.join(none), (text) => isMade(text, pieces)); // which tools there were, nobody knows any more
  },
});

/** Stands in a prompt for the names of the tools used. */
const TOOLS = '{tools}';

/** Whether a text is these pieces with anything between them. */
function isMade(text: string, pieces: readonly string[]): boolean {
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

/** `told`: what is to stand in the place of the calls. */
/** Nothing can follow a reply, unless it is gone. */
function endsOnReply({ traits, messages }: Transcript, stripped: Transcript): boolean {
  return traits.isReply === true || (traits.endsOnReply === true && messages.at(-1) === stripped.messages.at(-1));
}

function withoutTraffic(
  transcript: Transcript,
  gone: ReadonlySet<Part>,
  keepText: boolean,
  told: string | undefined,
): Transcript {
  if (gone.size === 0) return transcript;
  let isTold = told === undefined;
  const messages = transcript.messages.flatMap((message): Message[] => {
    if (!message.parts.some((part) => gone.has(part))) return [message];
    const rest = stripMessage(message, gone, keepText);
    if (isTold || !message.parts.some((part) => part.type === 'call' && gone.has(part))) return rest;
    isTold = true;
    const tell: Message = { role: 'assistant', parts: [{ type: 'text', text: told! }] };
    return rest.some(carriesTraffic) ? [tell, ...rest] : [...rest, tell]; // the results of calls that stay follow them at once
  });
  return withMessages(
    transcript,
    transcript.traits.piecesStandAlone ? withoutLooseThoughts(transcript.messages, messages) : messages,
  );
}

/** The calls and results to go, and the names of the tools, each once, in the order of their first use. */
function traffic(
  messages: readonly Message[],
  matches: (tool: string | undefined) => boolean,
): { gone: ReadonlySet<Part>; tools: readonly string[] } {
  const { calls, results } = pair(messages);
  const matched = calls.filter(({ part }) => matches(part.tool));
  const gone = new Set<Part>(matched.map(({ part }) => part));
  const orphanGoes = (tool: string | undefined) => matches(tool) || (tool === undefined && matched.length > 0); // else it would answer another call now
  for (const { part, call } of results)
    if (call === undefined ? orphanGoes(part.tool) : gone.has(call.part)) gone.add(part);
  return { gone, tools: [...new Set(matched.map(({ part }) => part.tool))].filter((name) => name !== '') };
}

/** A message that carries calls goes whole, unless its text is to stay or it keeps other calls. */
function stripMessage(message: Message, gone: ReadonlySet<Part>, keepText: boolean): Message[] {
  const parts = message.parts.filter((part) => !gone.has(part));
  const rest = { ...message, parts };
  const carriesText = message.role !== 'assistant' || keepText;
  return carriesTraffic(rest) || (carriesText && parts.some(hasContent)) ? [rest] : [];
}

function carriesTraffic({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'call' || part.type === 'result');
}
