/**
 * Finds content that hardly fits a model's context window. Estimates from bytes, so that no tokenizer must be loaded.
 */
import { graphemes } from '../transcript/graphemes.js';
import { withoutCompacted } from '../transcript/sent.js';
import { grouped, longest, textOf } from '../transcript/text.js';
import type { Message, Part, Text, Transcript } from '../transcript/types.js';

/** The largest share of the context window for a system prompt. */
const SYSTEM_SHARE = 0.5;
/** The most characters of a system prompt if the model is unknown. */
const SYSTEM_LENGTH = 40_000;
/** "One token generally corresponds to ~4 characters of text": https://platform.openai.com/tokenizer */
const BYTES_PER_TOKEN = 4;
const BY_LENGTH = ` (guessed from its length, ${BYTES_PER_TOKEN} bytes each)`;

export interface ContextProblem {
  readonly kind: 'system prompt' | 'window';
  /** The index of the message; undefined for the whole transcript. */
  readonly message: number | undefined;
  readonly text: string;
}

/** The context window to fit. */
export interface Room {
  readonly model: string | undefined;
  /** In tokens; undefined if the model is unknown. */
  readonly window: number | undefined;
}

/** The parts of a transcript that are too long for its model. `tokens`: its size as one request, if counted. */
export function contextProblems(transcript: Transcript, room: Room, tokens?: number): readonly ContextProblem[] {
  return [...longSystemPrompt(transcript, room), ...beyondWindow(transcript, room, tokens)];
}

/** Whether there can be no problem: told by the bytes of all system prompts, and of everything. */
export function fitsSurely({ window }: Room, system: number, all: number): boolean {
  return window === undefined
    ? system <= SYSTEM_LENGTH
    : 3 * system <= window * SYSTEM_SHARE * BYTES_PER_TOKEN && all <= window * BYTES_PER_TOKEN;
}

/** A finding for a history that exceeds the model's window; undefined if it fits or the window is unknown. */
export function overflowText(
  tokens: number,
  window: number | undefined,
  how = '',
  about = 'about ',
): string | undefined {
  return window === undefined || tokens <= window
    ? undefined
    : `the history has ${about}${grouped(tokens)} tokens${how}; the model takes ${grouped(window)}`;
}

function* longSystemPrompt({ messages }: Transcript, { model, window }: Room): Generator<ContextProblem> {
  const first = messages.findIndex(({ role }) => role === 'system');
  if (first < 0) return;
  const most = window === undefined ? SYSTEM_LENGTH : window * SYSTEM_SHARE * BYTES_PER_TOKEN;
  const perUnit = window === undefined ? 1 : 3; // the most bytes of a UTF-16 unit
  const isSystem = ({ role }: Message) => role === 'system';
  if (perUnit * sizeOf(messages, isSystem) <= most) return;
  const text = messages
    .filter(isSystem)
    .flatMap(({ parts }) => parts.flatMap(textsIn))
    .map(textOf)
    .join('');
  if ((window === undefined ? text.length : Buffer.byteLength(text)) <= most) return;
  const length = graphemes(text).length;
  if (window === undefined && length <= most) return;
  const why =
    window === undefined
      ? `no model is known, and ${grouped(SYSTEM_LENGTH)} are more than many models have room for`
      : `that is more than half of the ${grouped(window)} tokens that ${model} takes`;
  const warning = `System prompt is very long (${grouped(length)} characters): ${why}`;
  yield { kind: 'system prompt', message: first, text: warning };
}

function* beyondWindow(
  transcript: Transcript,
  { window }: Room,
  counted: number | undefined,
): Generator<ContextProblem> {
  if (window === undefined) return;
  const { messages } = withoutCompacted(transcript);
  const tokens = counted ?? Math.round(sizeOf(messages, ({ role }) => role !== 'meta') / BYTES_PER_TOKEN);
  const text = overflowText(tokens, window, counted === undefined ? BY_LENGTH : '');
  if (text !== undefined && !wasSent(transcript)) yield { kind: 'window', message: undefined, text };
}

/** Whether usage was recorded: then the model accepted its requests, which were shorter than the whole recording. */
function wasSent({ messages, recorded, reply }: Transcript): boolean {
  return reply?.usage !== undefined || messages.some((message: Message) => recorded?.(message)?.usage !== undefined);
}

function textsIn(part: Part): readonly Text[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'call') return [part.input];
  return part.type === 'result' ? part.content.flatMap(textsIn) : [];
}

/** An upper bound of the characters of such messages, without decoding them. */
function sizeOf(messages: readonly Message[], isChosen: (message: Message) => boolean): number {
  let size = 0;
  for (const message of messages) if (isChosen(message)) for (const part of message.parts) size += sizeOfPart(part);
  return size;
}

function sizeOfPart(part: Part): number {
  if (part.type === 'text') return longest(part.text);
  if (part.type === 'call') return longest(part.input);
  return part.type === 'result' ? part.content.reduce((sum, piece) => sum + sizeOfPart(piece), 0) : 0;
}
