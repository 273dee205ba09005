import type { Message } from './types.js';

/** A turn extends from one user message to the next. Messages before the first user message belong to no turn. */
export interface Turn {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function turns(messages: readonly Message[]): Turn[] {
  const starts = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? messages.length }));
}

/** The index of the last user message, where the current run starts; 0 if there is none. */
export function currentRun(messages: readonly Message[]): number {
  return Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  );
}
