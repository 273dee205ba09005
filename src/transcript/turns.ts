import type { Message } from './types.js';

/** A turn runs from one user message to the next. What stands before the first user message belongs to no turn. */
export interface Turn {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function turns(messages: readonly Message[]): Turn[] {
  const starts = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? messages.length }));
}

/** Where the current run begins: at the last user message. Without one, everything is the current run. */
export function currentRun(messages: readonly Message[]): number {
  return Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  );
}
