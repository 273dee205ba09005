/** How an input is read: what gives its bytes, and what they are handed out as. */

/** Reads up to `length` bytes into `buffer` from `at` on. Returns their number, 0 at the end of the input. */
export type Read = (buffer: Buffer, at: number, length: number) => number;

/** A range of the input's bytes. */
export interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export interface Reuse {
  /** Whether the consumer is done with an event when it asks for the next one. */
  isOn(): boolean;
  /** Called before memory is reused: the last chance to write or copy earlier events. */
  settle(): void;
  /** Buffers of earlier inputs. Only for a consumer that is done with all events when it ends the reading. */
  readonly buffers?: Buffer[];
}
