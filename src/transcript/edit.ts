import { hasContent } from './text.js';
import type { Message, Part, Transcript } from './types.js';

/** The transcript with other messages; the same one where they are its own. */
export function withMessages(transcript: Transcript, messages: readonly Message[]): Transcript {
  const old = transcript.messages;
  if (messages.length === old.length && messages.every((message, index) => message === old[index])) return transcript;
  return { ...transcript, messages };
}

/** A message without some of its parts: itself where it has none of them, undefined where nothing is left that speaks. */
export function withoutPartsOf(message: Message, gone: ReadonlySet<Part>): Message | undefined {
  if (!message.parts.some((part) => gone.has(part))) return message;
  const parts = message.parts.filter((part) => !gone.has(part));
  const says = (part: Part) => hasContent(part) || part.type === 'call' || part.type === 'result';
  return parts.some(says) ? { ...message, parts } : undefined;
}

/** Messages with their pieces known as such: a row of the assistant's is one message until a text, or what it did not write, comes. */
export function inGroups(messages: readonly Message[], name: string): readonly Message[] {
  let group = 0;
  let goesOn = false; // a call was made, and what follows may be another of the same message
  return messages.map((message) => {
    if (message.role === 'meta') return message;
    const { parts } = message;
    const isPiece = message.role === 'assistant' && !parts.some(({ type }) => type === 'result');
    if (!goesOn || !isPiece || parts.some(({ type }) => type === 'text')) group++;
    goesOn = isPiece;
    return isPiece ? { ...message, group: `${name}:${group}` } : message;
  });
}

/** `after` without the thoughts that led to messages of `before` of which none is left. */
export function withoutLooseThoughts(before: readonly Message[], after: readonly Message[]): Message[] {
  const left = new Set(after.map(({ raw }) => raw));
  const loose = new Set<unknown>();
  let led: 'nowhere' | 'to what is left' | 'to what went' = 'nowhere';
  let thought = false;
  for (const message of [...before].reverse()) {
    if (message.role === 'meta') continue;
    const isThought =
      message.role === 'assistant' &&
      message.parts.length > 0 &&
      message.parts.every(({ type }) => type === 'thinking');
    if (isThought) {
      if (led === 'to what went') loose.add(message.raw);
    } else if (message.role !== 'assistant') led = 'nowhere';
    else if (left.has(message.raw)) led = 'to what is left';
    else if (thought || led === 'nowhere') led = 'to what went';
    thought = isThought;
  }
  return after.filter(({ raw }) => raw === undefined || !loose.has(raw));
}

/** The transcript with some messages mapped; the same one where none changes. */
export function mapMessages(transcript: Transcript, change: (message: Message, index: number) => Message): Transcript {
  return withMessages(transcript, transcript.messages.map(change));
}

/** A message with some parts mapped; the same one where none changes. */
export function mapParts(message: Message, change: (part: Part) => Part): Message {
  const parts = message.parts.map(change);
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}
