/** Texts opened and saved through the code under test, and messages made comparable. */
import { isTranscriptError } from '../../src/errors.js';
import type { JsonNode } from '../../src/json/node.js';
import type { Detection } from '../../src/source/detect/detection.js';
import { type OpenOptions, open } from '../../src/source/open.js';
import type { Opened, Piece } from '../../src/source/piece.js';
import { readerOver } from '../../src/source/read-back.js';
import type { Message, Recorded, Transcript } from '../../src/transcript/types.js';
import { keepLast } from './keep-last.js';

export { meaningOf, reread } from '../../src/plugin/laws.js';

export interface OpenedText {
  readonly detection: Detection;
  readonly pieces: readonly Opened[];
  readonly transcripts: readonly Transcript[];
}

export function openText(text: string | Buffer, options: OpenOptions = {}): OpenedText {
  const { from, ...others } = options;
  const all = Object.keys(others).length === 0 ? piecesOf(text, from) : opened(text, options);
  const detected = all.find((piece) => piece.type === 'detected')!;
  const pieces = all.filter((piece) => piece.type === 'opened');
  return { detection: detected.detection, pieces, transcripts: pieces.flatMap(({ transcripts }) => transcripts) };
}

type Opening = (text: string | Buffer) => readonly Piece[];
const short = new Map<string | undefined, Opening>();
const long = new Map<string | undefined, Opening>();
/** So many short texts are kept: what is tried on several histories by turns opens each once. */
const MANY = 8;
const SHORT = 1 << 14;

/** All that a text consists of, opened once for whatever is tried on it, as each format that it is said to have. */
export function piecesOf(text: string | Buffer, from?: string): readonly Piece[] {
  const [kept, most] = text.length < SHORT ? [short, MANY] : [long, undefined];
  const keeping = kept.get(from) ?? keepLast((one: string | Buffer) => opened(one, { from }), most);
  kept.set(from, keeping);
  return keeping(text);
}

function opened(text: string | Buffer, options: OpenOptions): readonly Piece[] {
  return [...open(readerOver(Buffer.from(text as string)), options)];
}

/** Whether it can be told whose it is: of what a step or a fix leaves, too little may be left. */
export function isReadable(text: string): boolean {
  try {
    openText(text);
    return true;
  } catch (error) {
    if (isTranscriptError(error)) return false;
    throw error;
  }
}

/** What is recorded of the messages of the first transcript, one by one. */
export function recordedIn(text: string | Buffer): (Recorded | undefined)[] {
  const [transcript] = openText(text).transcripts;
  return transcript!.messages.map((message) => transcript!.recorded!(message));
}

/** The bytes of a message that was read, as text. */
export function sourceOf(message: Message): string {
  const { source, start, end } = message.raw as JsonNode;
  return source.bytes.utf8Slice(start, end);
}
