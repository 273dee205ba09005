/** What hardly fits into a model's context window. It is estimated from bytes, so that nobody has to load what counts tokens. */
import { graphemes } from '../transcript/graphemes.js';
import { grouped, longest, textOf } from '../transcript/text.js';
import type { Message, Part, Text, Transcript } from '../transcript/types.js';

/** Of the context window, what a system prompt may take. */
const SYSTEM_SHARE = 0.5;
/** Characters that a system prompt may have where no model is known. */
const SYSTEM_LENGTH = 40_000;
/** "One token generally corresponds to ~4 characters of text": https://platform.openai.com/tokenizer */
const BYTES_PER_TOKEN = 4;

export interface ContextProblem {
  readonly kind: 'system prompt' | 'window';
  /** The message, by index in the transcript; undefined where it is the whole. */
  readonly message: number | undefined;
  readonly text: string;
}

/** The context window that a transcript is to fit into. */
export interface Room {
  readonly model: string | undefined;
  /** Tokens; undefined where the model is not known. */
  readonly window: number | undefined;
}

/** What is too long in a transcript for its model. `tokens`: how many it has as one request, where they were counted. */
export function contextProblems(transcript: Transcript, room: Room, tokens?: number): readonly ContextProblem[] {
  return [...longSystemPrompt(transcript, room), ...beyondWindow(transcript, room, tokens)];
}

/** What to say of a history that has more tokens than its model takes; undefined where it fits or no window is known. */
export function overflowText(tokens: number, window: number | undefined): string | undefined {
  return window === undefined || tokens <= window
    ? undefined
    : `the history has about ${tokens} tokens; the model takes ${window}`;
}

function* longSystemPrompt({ messages }: Transcript, { model, window }: Room): Generator<ContextProblem> {
  const first = messages.findIndex(({ role }) => role === 'system');
  if (first < 0) return;
  const texts = messages.flatMap(({ role, parts }) => (role === 'system' ? parts.flatMap(textsIn) : []));
  const most = window === undefined ? SYSTEM_LENGTH : window * SYSTEM_SHARE * BYTES_PER_TOKEN;
  const perUnit = window === undefined ? 1 : 3; // bytes of a UTF-16 unit, at most
  if (perUnit * sizeOf(texts) <= most) return;
  const text = texts.map(textOf).join('');
  if ((window === undefined ? text.length : Buffer.byteLength(text)) <= most) return;
  const length = graphemes(text).length;
  if (window === undefined && length <= most) return;
  const why =
    window === undefined
      ? `no model is known, and ${grouped(SYSTEM_LENGTH)} are more than many models have room for`
      : `that is more than half of the ${grouped(window)} tokens that ${model} takes`;
  const told = `System prompt is very long (${grouped(length)} characters): ${why}`;
  yield { kind: 'system prompt', message: first, text: told };
}

function* beyondWindow(
  transcript: Transcript,
  { window }: Room,
  counted: number | undefined,
): Generator<ContextProblem> {
  if (window === undefined) return;
  const tokens =
    counted ??
    Math.round(
      sizeOf(transcript.messages.flatMap(({ role, parts }) => (role === 'meta' ? [] : parts.flatMap(textsIn)))) /
        BYTES_PER_TOKEN,
    );
  const text = overflowText(tokens, window);
  if (text !== undefined && !wasSent(transcript)) yield { kind: 'window', message: undefined, text };
}

/** Whether the recording says what its requests used: the model took them, so they were shorter than the whole. */
function wasSent({ messages, recorded, reply }: Transcript): boolean {
  return reply?.usage !== undefined || messages.some((message: Message) => recorded?.(message)?.usage !== undefined);
}

function textsIn(part: Part): readonly Text[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'call') return [part.input];
  return part.type === 'result' ? part.content.flatMap(textsIn) : [];
}

/** No less than their characters, without decoding them. */
function sizeOf(texts: readonly Text[]): number {
  return texts.reduce((sum, text) => sum + longest(text), 0);
}
