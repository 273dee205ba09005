/**
 * Addresses of messages as other commands print them: `22` or `#22`, `20..30`, `3#22` (of the transcript in line 3),
 * `4:271` (line and column of a finding), `turn 3`; each of them also behind a file name.
 */
import { TranscriptError } from '../../errors.js';

/** What an address names. Messages count from 0; lines, columns and turns from 1. */
export interface Address {
  /** The line of the transcript or of a message. */
  readonly line?: number;
  readonly column?: number;
  /** The sub-agent. */
  readonly agent?: string;
  readonly messages?: { readonly first: number; readonly last: number };
  readonly turn?: number;
}

/** A file, and the addresses in it; none stands for all of its messages. */
export interface Place {
  /** Undefined for stdin. */
  readonly file: string | undefined;
  readonly addresses: readonly Address[];
}

/** The files and addresses that arguments name. `exists` tells files: what exists is a file, whatever it looks like. */
export function placesIn(words: readonly string[], exists: (file: string) => boolean): readonly Place[] {
  const places: { readonly file: string | undefined; readonly addresses: Address[] }[] = [];
  const open = (file: string | undefined) => places[places.push({ file, addresses: [] }) - 1]!;
  for (const word of withWholeTurns(words)) {
    const { file, address } = exists(word) ? { file: word } : parsed(word, exists);
    const place = file === undefined ? (places[places.length - 1] ?? open(undefined)) : open(file);
    if (address !== undefined) place.addresses.push(address);
  }
  return places;
}

/** `turn` and `3` are one address. */
function withWholeTurns(words: readonly string[]): readonly string[] {
  const isTurn = (index: number) => words[index] === 'turn' && /^\d+$/.test(words[index + 1] ?? '');
  return words.flatMap((word, index) => (isTurn(index) ? `turn ${words[index + 1]}` : isTurn(index - 1) ? [] : word));
}

/** The end of an address: messages or a turn. */
const MESSAGES = /(?:^|#)(?<first>\d+)(?<to>\.\.(?<last>\d+)?)?$|(?:^| )turn (?<turn>\d+)$/;
/** Before it: a line, with a column or a sub-agent. */
const LINE = /(?:^|:)(?<line>\d+)(?::(?<column>\d+)|\/(?<agent>[^/#:\s]+))?$/;

/** A name that does not exist is left whole, for the error about it. */
function parsed(
  word: string,
  exists: (file: string) => boolean,
): { readonly file: string | undefined; readonly address?: Address } {
  const end = MESSAGES.exec(word);
  const before = word.slice(0, end?.index);
  const position = exists(before) ? null : LINE.exec(before);
  const file = word.slice(0, position?.index ?? end?.index);
  rejectLikeAddress(word, file, exists);
  if (file !== '' && !exists(file) && !file.startsWith('@')) return { file: word };
  if (end === null && position === null) return { file: word };
  return { file: file === '' ? undefined : file, address: { ...lineOf(position?.groups), ...messagesOf(end?.groups) } };
}

/** A file that exists, and then something else: it would be reported as a file that is missing. */
function rejectLikeAddress(word: string, file: string, exists: (file: string) => boolean): void {
  const [before = '', after] = word.split('#');
  if (file !== word || before === '' || after === undefined || !exists(before)) return;
  const address = `#${after}`;
  throw new TranscriptError('usage', `\`${address}\` is no address of messages; write #2, #2..4, 3#22 or turn 3`);
}

type Groups = Readonly<Record<string, string | undefined>> | undefined;

function lineOf({ line, column, agent }: NonNullable<Groups> = {}): Address {
  return {
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
    ...(agent === undefined ? {} : { agent }),
  };
}

function messagesOf({ first, to, last, turn }: NonNullable<Groups> = {}): Address {
  if (turn !== undefined) return { turn: Number(turn) };
  if (first === undefined) return {};
  const end = to === undefined ? Number(first) : Number(last ?? Number.POSITIVE_INFINITY);
  if (end < Number(first)) throw new TranscriptError('usage', `the range ${first}${to} ends before it begins`);
  return { messages: { first: Number(first), last: end } };
}
