/** The calls of a transcript as rules see them. */
import { pair } from '../transcript/pairs.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { ContentPart, Message, Text, Transcript } from '../transcript/types.js';
import type { Amount } from './costs.js';
import type { Call } from './types.js';

export interface Conversation {
  readonly calls: readonly Call[];
  /** What the user said last of all. */
  readonly lastUserText: string;
  /** What the model said last of all; undefined where it said nothing. */
  readonly answer?: string | undefined;
  /** How many times the user spoke. */
  readonly turns?: number | undefined;
  /** What the requests to the model cost in US dollars, where that is known. */
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
  let answer: string | undefined;
  let turn = 0;
  let step = 0;
  let last: Message | undefined; // that called tools
  let next = 0;
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      turn++;
      lastUserText = spoken(message);
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
        args: argumentsOf(textOf(part.input)),
        input: part.input,
        message: index,
        step,
        turn,
        lastUserText,
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
  return { calls: found, lastUserText, answer, turns: turn };
}

function spoken({ parts }: Message): string {
  return joinTexts(parts.filter((part): part is ContentPart => part.type === 'text'));
}

/** No arguments at all are an empty object, as models write them for tools without any. */
function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The arguments of a call as JSON text, as they were written down where that is known. */
export function inputOf({ input, args }: Call): Text {
  return input ?? JSON.stringify(args) ?? '';
}
