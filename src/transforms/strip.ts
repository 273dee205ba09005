import { JsonNode } from '../json/node.js';
import { type Language, languageOf, languageOption } from '../options/language.js';
import { originOf } from '../transcript/compare.js';
import { withMessages, withoutLooseThoughts, withoutPartsOf } from '../transcript/edit.js';
import { type CallSite, pair } from '../transcript/pairs.js';
import { hasContent } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { NO_PLACE_FOR_USER, withUserMessage } from './append.js';
import { isForAll, toolMatcher, toolOptions } from './tools.js';
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
  continues: ({ keepToolNames, retryPrompt, ...options }, transcript) =>
    keepToolNames !== true &&
    retryPrompt === undefined &&
    isForAll(options) &&
    transcript.traits.piecesStandAlone !== true &&
    trafficIn(transcript, options).split.size === 0,
  apply(transcript, options) {
    const { retryPrompt } = options;
    const traffic = trafficIn(transcript, options);
    const { removed, calls } = traffic;
    const tools = namesOf(calls);
    const stripped = withoutTraffic(transcript, traffic, summaryOf(tools, options));
    if (retryPrompt === undefined || endsOnReply(transcript, stripped)) return stripped;
    const template = retryPrompt === true ? RETRY[languageOf(options.lang)] : retryPrompt;
    const pieces = template.split(TOOLS);
    const { none } = TOOLS_USED[languageOf(options.lang)];
    if (pieces.length === 1 || removed.size > 0) return withUserMessage(stripped, pieces.join(listed(tools) || none));
    // the names of the tools are no longer known
    return withUserMessage(stripped, pieces.join(none), (text) => isMadeOf(text, pieces));
  },
  shortfall: (after, { retryPrompt }) =>
    retryPrompt !== undefined && endsOnReply(after, after) ? `added ${NO_PLACE_FOR_USER}` : undefined,
});

export interface StripOptions extends TrafficOptions {
  readonly keepToolNames: boolean | undefined;
  readonly retryPrompt: string | true | undefined;
  readonly lang: Language | undefined;
}

interface TrafficOptions {
  readonly keepText: boolean | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

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

/** No message can be added after a reply, unless the reply was dropped. One without its calls is still there. */
function endsOnReply({ traits, messages }: Transcript, stripped: Transcript): boolean {
  if (traits.isReply === true || traits.holdsOnlyReplies === true) return true;
  const [last, left] = [messages.at(-1), stripped.messages.at(-1)];
  return traits.endsOnReply === true && last?.role === 'assistant' && !!left && originOf(last) === originOf(left);
}

function withoutTraffic(transcript: Transcript, traffic: Traffic, summary: Part | undefined): Transcript {
  return traffic.removed.size === 0
    ? transcript
    : withMessages(transcript, strippedOfEach(transcript, traffic, summary).flat());
}

/** What is left of each message. `summary`: the text of a message in the place of the first calls. */
export function strippedOfEach(
  { messages, traits }: Transcript,
  traffic: Traffic,
  summary: Part | undefined,
): readonly (readonly Message[])[] {
  const { removed } = traffic;
  let isAdded = summary === undefined;
  const left = messages.map((message): readonly Message[] => {
    const rest = stripMessage(message, traffic);
    if (isAdded || !message.parts.some((part) => part.type === 'call' && removed.has(part))) return rest;
    isAdded = true;
    const text = summary!;
    const [only] = rest;
    // results must directly follow the calls that stay
    const isFirst = rest.some(hasToolParts);
    if (only !== undefined && traits.endsOnReply && message === messages.at(-1))
      return [{ ...only, parts: isFirst ? [text, ...only.parts] : [...only.parts, text] }]; // nothing can follow it
    const added: Message = { role: 'assistant', parts: [text] };
    return isFirst ? [added, ...rest] : [...rest, added];
  });
  if (!traits.piecesStandAlone) return left;
  const tied = new Set(withoutLooseThoughts(messages, left.flat()));
  return left.map((ones) => ones.filter((message) => tied.has(message)));
}

/** What is dropped. */
export interface Traffic {
  readonly calls: readonly CallSite[];
  /** The parts of these and of their results. */
  readonly removed: ReadonlySet<Part>;
  readonly keepText: boolean;
  /** See `splitIn`. */
  readonly split: ReadonlySet<Part>;
}

export function trafficIn({ messages }: Transcript, options: TrafficOptions): Traffic {
  const matches = toolMatcher(options);
  const { calls, results } = pair(messages);
  const matched = calls.filter(({ part }) => matches(part.tool));
  const removed = new Set<Part>(matched.map(({ part }) => part));
  // otherwise it could pair with another call
  const dropsOrphan = (tool: string | undefined) => matches(tool) || (tool === undefined && matched.length > 0);
  for (const { part, call } of results)
    if (call === undefined ? dropsOrphan(part.tool) : removed.has(call.part)) removed.add(part);
  const keepText = options.keepText === true;
  return { removed, calls: matched, keepText, split: splitIn(messages, removed, keepText) };
}

/**
 * Results of Anthropic's server tools whose call stands in an earlier message, where one of the two messages goes. The
 * API refuses a call or result alone, so such a result goes or stays with its call.
 */
function splitIn(messages: readonly Message[], removed: ReadonlySet<Part>, keepText: boolean): ReadonlySet<Part> {
  const split = new Set<Part>();
  const calls = new Map<string, boolean>(); // whether the message stays
  for (const message of messages) {
    const stays = keepsMore(message, removed, keepText);
    for (const part of message.parts) {
      const id = serverCallId(part);
      if (id === undefined) continue;
      if ((calls.get(id) ?? stays) === stays) calls.set(id, stays);
      else split.add(part);
    }
  }
  return split;
}

function serverCallId({ type, raw }: Part): string | undefined {
  return type === 'opaque' && raw instanceof JsonNode && /_tool_/.test(raw.get('type')?.string ?? '')
    ? (raw.get('tool_use_id') ?? raw.get('id'))?.string
    : undefined;
}

/** The distinct tools of calls in the order of first use. */
function namesOf(calls: readonly CallSite[]): ReadonlySet<string> {
  return new Set(calls.map(({ part }) => part.tool).filter((name) => name !== ''));
}

function listed(tools: ReadonlySet<string>): string {
  return [...tools].join(COMMA);
}

/** The text that names the tools, if it is asked for and there are any. */
export function summaryOf(tools: ReadonlySet<string>, { keepToolNames, lang }: StripOptions): Part | undefined {
  if (keepToolNames !== true || tools.size === 0) return undefined;
  return { type: 'text', text: TOOLS_USED[languageOf(lang)].label + listed(tools) };
}

/** A message with calls is dropped as a whole, unless its text is kept or it has other calls. */
function stripMessage(message: Message, { removed, keepText, split }: Traffic): readonly Message[] {
  const stays = keepsMore(message, removed, keepText);
  const gone = message.parts.filter((part) => removed.has(part) || stays === split.has(part));
  const rest = withoutPartsOf(message, new Set(gone));
  return rest === undefined ? [] : [rest];
}

/** Whether a message stays. */
function keepsMore(message: Message, removed: ReadonlySet<Part>, keepText: boolean): boolean {
  const parts = message.parts.filter((part) => !removed.has(part));
  if (parts.length === message.parts.length || hasToolParts({ ...message, parts })) return true;
  return (message.role !== 'assistant' || keepText) && parts.some(hasContent);
}

function hasToolParts({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'call' || part.type === 'result');
}
