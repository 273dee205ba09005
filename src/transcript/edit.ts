import { speaks } from './text.js';
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
  const says = (part: Part) => speaks(part) || part.type === 'call' || part.type === 'result';
  return parts.some(says) ? { ...message, parts } : undefined;
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
