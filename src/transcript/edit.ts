import { isResult } from './pairs.js';
import { hasContent } from './text.js';
import type { Message, Part, Transcript } from './types.js';

/** The transcript with these messages; the same object if they are its own. */
export function withMessages(transcript: Transcript, messages: readonly Message[]): Transcript {
  const old = transcript.messages;
  if (messages.length === old.length && messages.every((message, index) => message === old[index])) return transcript;
  return { ...transcript, messages };
}

/** A message without some parts: itself if it has none of them, undefined if no content is left. */
export function withoutPartsOf(message: Message, removed: ReadonlySet<Part>): Message | undefined {
  if (!message.parts.some((part) => removed.has(part))) return message;
  const parts = message.parts.filter((part) => !removed.has(part));
  const says = (part: Part) => hasContent(part) || part.type === 'call' || part.type === 'result';
  return parts.some(says) ? { ...message, parts } : undefined;
}

/**
 * Groups the pieces of messages: assistant messages in a row are one message up to the next text or other role.
 * `before`: what this made of a list that began the same; its pieces stay the same objects.
 */
export function inGroups(messages: readonly Message[], name: string, before?: readonly Message[]): readonly Message[] {
  let group = 0;
  let continues = false; // after a call, the next piece may be another call of the same message
  let isSame = before !== undefined; // up to here
  return messages.map((message, index) => {
    const { role, parts } = message;
    const piece = before?.[index];
    isSame &&= piece?.parts === parts && piece.role === role;
    if (role === 'meta') return message;
    const isPiece = role === 'assistant' && !parts.some(({ type }) => type === 'result');
    if (!continues || !isPiece || parts.some(({ type }) => type === 'text')) group++;
    continues = isPiece;
    if (!isPiece) return message;
    return isSame ? piece! : { ...message, group: `${name}:${group}` };
  });
}

/** `after` without reasoning whose following messages of `before` were all dropped. */
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

/** Maps messages. Returns the same transcript if none changes. */
export function mapMessages(transcript: Transcript, change: (message: Message, index: number) => Message): Transcript {
  return withMessages(transcript, transcript.messages.map(change));
}

/** Maps parts. Returns the same message if none changes. */
export function mapParts(message: Message, change: (part: Part) => Part): Message {
  const parts = message.parts.map(change);
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

/** The parts of a message in the order in which APIs take them. */
export function resultsFirst(parts: readonly Part[]): Part[] {
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}
