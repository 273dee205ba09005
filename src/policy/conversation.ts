/** The calls of a transcript as rules see them. */
import { pair } from '../transcript/pairs.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { ContentPart, Message, Text, Transcript } from '../transcript/types.js';
import type { Call } from './types.js';

export interface Conversation {
  readonly calls: readonly Call[];
  /** What the user said last of all. */
  readonly said: string;
}

export function conversationOf({ messages }: Transcript): Conversation {
  const { calls } = pair(messages);
  const found: Call[] = [];
  let said = '';
  let turn = 0;
  let step = 0;
  let last: Message | undefined; // that called tools
  let next = 0;
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      turn++;
      said = joinTexts(message.parts.filter((part): part is ContentPart => part.type === 'text'));
    }
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
        said,
        result:
          result === undefined
            ? undefined
            : { text: joinTexts(result.part.content), isError: result.part.isError === true },
        raw: part.raw ?? message.raw,
      });
    }
  });
  return { calls: found, said };
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
