/** What is read of a transcript, as values that compare. */
import { createHash } from 'node:crypto';
import { textOf } from '../../src/transcript/text.js';
import type { Recorded, Transcript } from '../../src/transcript/types.js';
import { meaningOf } from './opened.js';

export function factsOf(transcript: Transcript): unknown {
  const { messages, recorded, agents: _, abandoned, titleIn, takesSystem, ...rest } = transcript;
  const own: (Recorded | undefined)[] = messages.map((message) => recorded?.(message));
  return {
    ...rest,
    title: rest.title ?? titleIn?.(),
    system: takesSystem?.(),
    context: abandoned?.context.length,
    messages: messages.map(({ raw: _, ...message }) => ({ ...message, ...(meaningOf(message) as object) })),
    own,
  };
}

/** Values that JSON does not have, and the text of what is read on demand. */
export function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === 'object' && value !== null && 'byteLength' in value && 'text' in value
    ? textOf(value as { text: string; byteLength: number })
    : value;
}

export function sum(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8);
}
