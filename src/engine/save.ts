/** Saves a recording after changes of the caller's own, which may be such as its format cannot write. */
import { isTranscriptError, TranscriptError } from '../errors.js';
import { callKey } from '../json/canonical.js';
import { once } from '../once.js';
import { rejectWrongOptions } from '../options/arguments.js';
import { open, type Recording, save as saveUnread } from '../source/recording.js';
import { textOf } from '../transcript/text.js';
import type { Message, Part, Transcript } from '../transcript/types.js';

const SAVING = { check: 'flag' } as const;

export interface SaveOptions {
  /** Whether what changed is read again, and nothing is saved if something would be lost; by default it is. */
  readonly check?: boolean;
}

/**
 * The recording as bytes (a Buffer: `toString()` gives the text), with `transcripts` in place of its own: as many, in
 * the same order. Messages that did not change keep their bytes.
 *
 * Throws TranscriptError, with the path of the message, if a reader would not find again what a message says: its
 * format may hold one text a message, or nothing after the reply to a request.
 */
export function save(
  recording: Recording,
  transcripts: readonly Transcript[] = recording.transcripts,
  options: SaveOptions = {},
): Uint8Array {
  rejectWrongOptions(options, SAVING);
  const bytes = saveUnread(recording, transcripts);
  const isChanged = transcripts.some((transcript, index) => transcript !== recording.transcripts[index]);
  const found = isChanged && options.check !== false ? readAgain(bytes, recording) : undefined;
  const fault = found && (lostOf(transcripts, found, bytes) ?? movedOf(transcripts, found));
  if (fault === undefined) return bytes;
  const path = `transcripts[${fault.transcript}].messages[${fault.message}]`;
  throw new TranscriptError(
    'message',
    `\`${path}\`: ${recording.format} has no place for ${fault.what} there, so that it would ${fault.how}; put it ` +
      'into a message of its own, or elsewhere, or save with `check: false`',
    { path },
  );
}

/** What a reader finds in the saved bytes: nothing where it finds no messages. */
function readAgain(bytes: Uint8Array, { format: from, options }: Recording): readonly Transcript[] {
  try {
    return open(bytes, { ...options, from }).transcripts;
  } catch (error) {
    if (isTranscriptError(error)) return [];
    throw error;
  }
}

/** What is not read again as it was said. */
interface Fault {
  readonly what: string;
  readonly how: 'be lost' | 'be read elsewhere';
  readonly transcript: number;
  readonly message: number;
}

/** Something that messages say: the letters of a text, or what is equal for equal parts; and its name in an error. */
interface Saying {
  readonly key: string;
  readonly isText: boolean;
  readonly name: string;
}

/**
 * The first thing that is said and not found again. A format may write several texts as one, and a text that the file
 * holds is not lost: the reader of a trace takes the longest of its requests.
 */
function lostOf(said: readonly Transcript[], found: readonly Transcript[], bytes: Uint8Array): Fault | undefined {
  const left = new Map<string, number>();
  for (const { key } of found.flatMap(({ messages }) => messages.flatMap(sayingsOf)))
    left.set(key, (left.get(key) ?? 0) + 1);
  const missing = said.flatMap(({ messages }, transcript) =>
    messages.flatMap((message, index) =>
      sayingsOf(message).flatMap((saying) => {
        const times = left.get(saying.key);
        if (times) left.set(saying.key, times - 1);
        const isThere = saying.isText ? times !== undefined : times; // a copy of a text may stand for both
        return isThere ? [] : [{ ...saying, transcript, message: index }];
      }),
    ),
  );
  const rest = [...left].map(([key, times]) => `${key}\n`.repeat(times)).join('');
  const file = once(() => lettersOf(Buffer.from(bytes).toString()));
  let next = 0; // joined texts stand in the order of their messages
  for (const { key, isText, name: what, transcript, message } of missing) {
    const at = isText ? rest.indexOf(key, next) : -1;
    if (at >= 0) next = at + key.length;
    else if (!isText || !(rest.includes(key) || isIn(key, file))) return { what, how: 'be lost', transcript, message };
  }
  return undefined;
}

/** Fewer letters are in most files. */
const TELLING = 8;

function isIn(text: string, file: () => string): boolean {
  const letters = lettersOf(JSON.stringify(text));
  return letters.length >= TELLING && file().includes(letters);
}

/** Without what a notation may escape. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The first message that is found in front of one which it followed. */
function movedOf(said: readonly Transcript[], found: readonly Transcript[]): Fault | undefined {
  const places = new Map<string, number>();
  const messages = found.flatMap((transcript) => transcript.messages);
  for (const [index, message] of messages.entries()) {
    const text = firstText(message);
    if (text !== undefined) places.set(text.key, places.has(text.key) ? Number.NaN : index); // a copy has no place
  }
  for (const [transcript, { messages: all }] of said.entries()) {
    let last = -1;
    for (const [message, one] of all.entries()) {
      const text = firstText(one);
      const at = text && places.get(text.key);
      if (at !== undefined && at < last) return { what: text!.name, how: 'be read elsewhere', transcript, message };
      last = Math.max(last, at || last);
    }
  }
  return undefined;
}

function firstText({ role, parts }: Message): Saying | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  return parts.filter(({ type }) => type === 'text').flatMap(sayingsOfPart)[0];
}

function sayingsOf({ role, parts }: Message): Saying[] {
  return role === 'meta' ? [] : parts.flatMap(sayingsOfPart);
}

/** The output of a computer is a picture: without it a blank one is written, whatever is said in its place. */
const PICTURED = 'computer_call';

function sayingsOfPart(part: Part): Saying[] {
  if (part.type === 'result') return part.kind === PICTURED ? [] : part.content.flatMap(sayingsOfPart);
  if (part.type === 'call') return [{ key: callKey(part), isText: false, name: `the call of \`${part.tool}\`` }];
  if ('text' in part && part.text !== undefined) {
    const text = textOf(part.text);
    const letters = text.replace(/\s+/g, '');
    return letters === '' ? [] : [{ key: letters, isText: true, name: `the text ${shortened(text)}` }];
  }
  const name = part.type === 'media' ? `the ${part.kind}` : 'a part of its own';
  return [{ key: name, isText: false, name }];
}

/** So many letters say which text it is. */
const SHOWN = 40;

function shortened(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
