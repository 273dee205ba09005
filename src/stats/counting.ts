/** Tokens of messages and their parts, by the transcript's own model. Each message is counted once, however often it is asked for. */

import { type CountText, countMessage, countTools, overheadOf } from '../tokens/count.js';
import { type Encoding, modelInfo } from '../tokens/models.js';
import { textOf } from '../transcript/text.js';
import type { CallPart, LazyText, Message, Part, ResultPart, Role } from '../transcript/types.js';

/** How an encoding counts: handed in from outside, as it may have to be loaded. */
export type Tokenizer = (encoding: Encoding) => CountText;

/** Where no model is recorded, or none is known by that name: the encoding of OpenAI's current models. */
const USUAL_ENCODING: Encoding = 'o200k_base';

export interface Counting {
  readonly model: string | undefined;
  /** `exact`: by the model's own encoding. Else by another one, times the factor that the model table states. */
  readonly source: 'exact' | 'estimated';
  /** Tokens that every request has on top of its messages and tools. */
  readonly perRequest: number;
  text(text: string): number;
  message(message: Message): number;
  /** A call's name and arguments, as they count within their message. */
  call(part: CallPart): number;
  tools(tools: LazyText | undefined): number;
}

/** A counting for each model, made once. */
export function countings(tokenizer: Tokenizer): (model: string | undefined) => Counting {
  const known = new Map<string | undefined, Counting>();
  return (model) => {
    const counting = known.get(model) ?? createCounting(model, tokenizer);
    known.set(model, counting);
    return counting;
  };
}

export function createCounting(model: string | undefined, tokenizer: Tokenizer): Counting {
  const info = model === undefined ? undefined : modelInfo(model);
  const encode = tokenizer(info?.encoding ?? USUAL_ENCODING);
  const factor = info?.factor ?? 1;
  const text = (counted: string) => Math.round(encode(counted) * factor);
  const overhead = overheadOf(model ?? '');
  const known = new WeakMap<Message, number>();
  return {
    model,
    source: info?.exact === true ? 'exact' : 'estimated',
    perRequest: overhead.perRequest,
    text,
    message(message) {
      let tokens = known.get(message);
      if (tokens === undefined) {
        tokens = message.role === 'record' ? 0 : Math.round(countMessage(textsOf(message), encode, overhead) * factor);
        known.set(message, tokens);
      }
      return tokens;
    },
    call: (part) => text(part.tool) + text(textOf(part.input)),
    tools: (tools) => (tools === undefined ? 0 : Math.round(countTools(parsed(tools.text), model ?? '', encode) * factor)),
  };
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool', record: '' };

function textsOf({ role, name, parts }: Message): Parameters<typeof countMessage>[0] {
  const blocks = parts.flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]));
  const texts = blocks.flatMap((part) => {
    if (part.type === 'text' || part.type === 'thinking') return [textOf(part.text)];
    return part.type === 'opaque' && part.text !== undefined ? [textOf(part.text)] : [];
  });
  const calls = parts.flatMap((part) => (part.type === 'call' ? [{ tool: part.tool, input: textOf(part.input) }] : []));
  const result = parts.find((part): part is ResultPart => part.type === 'result');
  return { role: ROLE_NAMES[role], name: name ?? result?.tool, texts, calls, images: blocks.filter((part) => part.type === 'media').length };
}

/** Tool definitions may stand in a recording as JSON, or as JSON in a string. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
