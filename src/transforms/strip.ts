import { withMessages, withoutLooseThoughts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { speaks } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { withUserMessage } from './append.js';
import { type Language, languageOf, languageOption } from './language.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

/** What the names are introduced by, and what stands between them. */
const TOOLS_USED: Readonly<Record<Language, readonly [label: string, comma: string]>> = {
  en: ['Tools used: ', ', '],
  zh: ['已使用的工具：', ', '],
  ja: ['使用したツール: ', ', '],
};

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
      summary: 'append a user message that asks for another way, once (a text of your own, or the built-in one)',
    },
    lang: { ...languageOption.lang, needs: ['keepToolNames', 'retryPrompt=true'] },
    ...toolOptions,
  },
  onlyTraffic: ({ retryPrompt }) => retryPrompt === undefined,
  apply(transcript, options) {
    const language = languageOf(options.lang);
    const stripped = withoutTraffic(
      transcript,
      toolMatcher(options),
      options.keepText === true,
      options.keepToolNames === true ? TOOLS_USED[language] : undefined,
    );
    if (options.retryPrompt === undefined || transcript.traits.endsOnReply === true) return stripped; // nothing can follow a reply
    if (transcript.traits.endsOnReply && stripped.messages.at(-1) === transcript.messages.at(-1)) return stripped;
    return withUserMessage(stripped, options.retryPrompt === true ? RETRY[language] : options.retryPrompt);
  },
});

function withoutTraffic(
  transcript: Transcript,
  matches: (tool: string | undefined) => boolean,
  keepText: boolean,
  names: readonly [string, string] | undefined,
): Transcript {
  const { gone, tools } = traffic(transcript.messages, matches);
  if (gone.size === 0) return transcript;
  let named = names === undefined || tools.length === 0;
  const messages = transcript.messages.flatMap((message): Message[] => {
    if (!message.parts.some((part) => gone.has(part))) return [message];
    const rest = stripMessage(message, gone, keepText);
    if (named || !message.parts.some((part) => part.type === 'call' && gone.has(part))) return rest;
    named = true;
    const tell: Message = { role: 'assistant', parts: [{ type: 'text', text: names![0] + tools.join(names![1]) }] };
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
  return carriesTraffic(rest) || (carriesText && parts.some(speaks)) ? [rest] : [];
}

function carriesTraffic({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'call' || part.type === 'result');
}
