/** Examples that `inject` puts behind the system prompt: those of a file, and those of a policy. */
import type { ExampleMessage, Prompt } from '../options/prompt.js';
import { mapParts, withMessages } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { Message, Part, TextPart, Traits, Transcript } from '../transcript/types.js';

export function examplesOf(given: readonly Message[] | undefined, prompt: Prompt): Message[] {
  return [...plainExamples(given ?? []), ...(prompt.few_shot ?? []).flatMap(messagesOf)];
}

/** Arguments are texts, as the APIs of others take no objects; results name their tool, as Gemini's takes no others. */
function plainExamples(messages: readonly Message[]): readonly Message[] {
  const callOf = new Map(pair(messages).results.map(({ part, call }) => [part, call?.part]));
  return messages.map((message) =>
    mapParts(message, (part) => {
      if (part.type === 'call') return { ...part, input: textOf(part.input) };
      return part.type === 'result' ? { ...part, tool: part.tool || callOf.get(part)?.tool } : part;
    }),
  );
}

function messagesOf({ role, text, call }: ExampleMessage, index: number): Message[] {
  const spoken: Message[] = text === undefined ? [] : [{ role, parts: [{ type: 'text', text }] }];
  if (call === undefined) return spoken;
  // nine letters and digits: Mistral's API takes no other ids
  const callId = `example${String(index).padStart(2, '0')}`;
  return [
    ...spoken,
    { role: 'assistant', parts: [{ type: 'call', callId, tool: call.tool, input: JSON.stringify(call.args) }] },
    {
      role: 'tool',
      parts: [{ type: 'result', callId, tool: call.tool, content: [{ type: 'text', text: call.result }] }],
    },
  ];
}

/**
 * The transcript with the examples in front of its message `at`, unless they are there. `appended`: the text of a user
 * message that was added at the end.
 */
export function withExamples(
  transcript: Transcript,
  examples: readonly Message[],
  { at, appended }: { readonly at: number; readonly appended: string | undefined },
): Transcript {
  const { messages, traits } = transcript;
  if (
    examples.length === 0 ||
    !takesExamples(transcript, examples) ||
    !messages.some((message) => message.role === 'user' && !hasText(message, appended))
  )
    return transcript; // without a user message it is no conversation
  const added = (traits.resultsStandInCalls ? joinResults(examples) : examples).map((one) => fitted(one, traits));
  if (includeAll(added, messages)) return transcript;
  return withMessages(transcript, [...messages.slice(0, at), ...added, ...messages.slice(at)]);
}

/** A message with calls as the API of this model takes it. */
function fitted(message: Message, { nullBesideCalls, reasonsBesideCalls }: Traits): Message {
  if (!hasCall(message)) return message;
  return {
    ...message,
    ...(nullBesideCalls ? { isSilent: true } : {}),
    ...(reasonsBesideCalls ? { emptyReasoning: true } : {}),
  };
}

/** Whether the examples have no calls, or the transcript may have some. */
export function takesExamples({ traits, tools, messages }: Transcript, examples: readonly Message[]): boolean {
  const takesCalls = traits.callsNeedTools !== true || tools !== undefined || messages.some(hasCall);
  return takesCalls || !examples.some(hasCall);
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'call');
}

/**
 * Whether the examples were added before, also where a format keeps the texts of a message as one. Compares the model's
 * messages, because some logs keep no others.
 */
function includeAll(examples: readonly Message[], messages: readonly Message[]): boolean {
  const written = examples.filter((message) => message.role === 'assistant' && contentKeys(message).length > 0);
  const spoken = messages.filter(({ role }) => role !== 'meta');
  const present = new Set(spoken.flatMap((message) => [...contentKeys(message), ...contentKeys(asOneText(message))]));
  const isThere = (message: Message) =>
    [message, asOneText(message)].some((one) => contentKeys(one).every((key) => present.has(key)));
  return (written.length > 0 ? written : examples).every(isThere);
}

function asOneText({ role, parts }: Message): Message {
  const text = parts.flatMap((part) => (isText(part) ? [textOf(part.text)] : [])).join('');
  return { role, parts: [{ type: 'text', text }, ...parts.filter((part) => !isText(part))] };
}

/** For formats in which a call and its result are one value: moves results into the message of their call. */
function joinResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'assistant')
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

/** Identifies the parts of a message by their content, without ids. */
function contentKeys({ role, parts }: Message): string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return textOf(part.text).trim() === '' ? [] : [`${role} ${textOf(part.text).replace(/\s+/g, '')}`];
      case 'call':
        return [`call ${part.tool} ${normalizedJson(textOf(part.input))}`];
      case 'result':
        return [`result ${joinTexts(part.content)}`];
      default:
        return [];
    }
  });
}

function normalizedJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

function hasText({ parts }: Message, text: string | undefined): boolean {
  return (
    text !== undefined &&
    parts
      .filter(isText)
      .map((part) => textOf(part.text))
      .join('') === text
  );
}

function isText(part: Part): part is TextPart {
  return part.type === 'text';
}
