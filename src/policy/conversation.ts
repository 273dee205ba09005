/** The calls of a transcript, as policy rules see them. */
import { isCustomCall } from '../formats/shared/custom-calls.js';
import { isInjected } from '../transcript/injected.js';
import { pair } from '../transcript/pairs.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { CallPart, ContentPart, Message, Text, Transcript } from '../transcript/types.js';
import type { Amount } from './costs.js';
import type { Call } from './types.js';

export interface Conversation {
  readonly calls: readonly Call[];
  /** The last user text of the transcript. */
  readonly lastUserText: string;
  /** The text of each user message. */
  readonly userTexts?: readonly string[] | undefined;
  /** The last text of the assistant before the last user message. */
  readonly lastAssistantText?: string | undefined;
  /** The last text of the model; undefined if there is none. */
  readonly answer?: string | undefined;
  /** The number of user messages, and of messages with results and a text of the user. */
  readonly turns?: number | undefined;
  /** The cost of the model requests in US dollars, if known. */
  readonly cost?: Amount | undefined;
}

export function conversationOf(transcript: Transcript): Conversation {
  const { messages, traits } = transcript;
  const { calls } = pair(messages);
  const found: Call[] = [];
  const flagged = traits.flagsErrors === true ? false : undefined; // what a result without a flag means
  const timeOf = (message: Message | undefined) =>
    message === undefined ? undefined : transcript.recorded?.(message)?.time;
  let lastUserText = '';
  const userTexts: string[] = [];
  let lastAssistantText = '';
  let answer: string | undefined;
  let turn = 0;
  let step = 0;
  let last: Message | undefined; // that called tools
  let next = 0;
  messages.forEach((message, index) => {
    const said = saidByUser(message);
    if (said !== undefined) {
      turn++;
      lastUserText = said;
      userTexts.push(said);
      lastAssistantText = answer ?? '';
    }
    if (message.role === 'assistant') answer = spoken(message) || answer;
    for (; next < calls.length && calls[next]!.message === index; next++) {
      const { part, results } = calls[next]!;
      if (last !== message && (last?.group === undefined || last.group !== message.group)) step++;
      last = message;
      const [result] = results;
      found.push({
        tool: part.tool,
        callId: part.callId,
        args: argumentsIn(part),
        input: part.input,
        message: index,
        step,
        turn,
        lastUserText,
        lastAssistantText,
        result:
          result === undefined
            ? undefined
            : {
                text: joinTexts(result.part.content),
                isError: result.part.isError === true ? true : flagged,
                get time() {
                  return timeOf(messages[result.message]);
                },
              },
        get time() {
          return timeOf(message);
        },
        raw: part.raw ?? message.raw,
      });
    }
  });
  return { calls: found, lastUserText, userTexts, lastAssistantText, answer, turns: turn };
}

/** What begins a turn: a message of the user, or the user's own text beside results. */
function saidByUser(message: Message): string | undefined {
  const { role, parts } = message;
  if (role === 'user') return spoken(message);
  if (role !== 'tool' || !parts.some(({ type }) => type === 'result')) return undefined;
  const own = parts.filter((part) => part.type !== 'text' || !isInjected(textOf(part.text)));
  return spoken({ ...message, parts: own }).trim() || undefined;
}

function spoken({ parts }: Message): string {
  return joinTexts(parts.filter((part): part is ContentPart => part.type === 'text'));
}

/** Custom tools take text, which may look like JSON; tools of the server take JSON or text. */
function argumentsIn(call: CallPart): unknown {
  const text = textOf(call.input);
  if (isCustomCall(call)) return text;
  return argumentsOf(text) ?? (call.kind === undefined ? undefined : text);
}

/** Empty input is an empty object: models write it for tools without arguments. */
export function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The arguments of a call as JSON text, in their original spelling if known. */
export function inputOf({ input, args }: Call): Text {
  return input ?? JSON.stringify(args) ?? '';
}
