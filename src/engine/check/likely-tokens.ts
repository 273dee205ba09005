/** Tokens of a transcript as its bytes look: which texts are dense, and which are seen to fit without counting. */
import { JsonNode } from '../../json/node.js';
import { PlainNode } from '../../json/plain-node.js';
import { textOf } from '../../transcript/text.js';
import type { Text, Transcript } from '../../transcript/types.js';
import { atMost, MOST_OF_IMAGE } from './token-bounds.js';

/** About how many tokens a transcript has, rather too many than too few. */
export function likelyTokens(transcript: Transcript): number {
  return atMost(transcript, likely, MOST_OF_IMAGE);
}

/** Of so many bytes of a text, so many are looked at. */
const STRIDE = 1024;
const SAMPLE = 128;
/** Texts of most kinds have fewer tokens than are guessed, and none of them more than this times as many. */
const MARGIN = 1.25;

function likely(text: Text): number {
  const { source, start, end } = bytesOf(text);
  let tokens = 0;
  let seen = 0;
  for (let at = start; at < end; at += STRIDE) {
    const until = Math.min(at + SAMPLE, end);
    tokens += guessed(source, at, until);
    seen += until - at;
  }
  return seen === 0 ? 0 : Math.min(1, (MARGIN * tokens) / seen) * (end - start);
}

function bytesOf(text: Text) {
  if (text instanceof JsonNode && !(text instanceof PlainNode))
    return { source: text.source.bytes, start: text.start, end: text.end };
  const source = Buffer.from(textOf(text));
  return { source, start: 0, end: source.length };
}

const [SPACE, LOWER, UPPER] = [0, 1, 2];
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => classOf(byte));
/** By class: of a byte after one of the same class. A byte of another class begins a token. */
const AGAIN = [0.04, 0.05, 0.35, 0.4, 0.65, 0.8];
/** No word has so many letters; what goes on is no language. */
const LONG_WORD = 8;
const AGAIN_IN_NO_WORD = 0.5;

/** Blanks and backslashes, small and capital letters, digits, signs, and all that is not ASCII. */
function classOf(byte: number): number {
  if (byte <= 0x20 || byte === 0x5c) return SPACE;
  if (byte >= 0x80) return 5;
  const sign = String.fromCharCode(byte);
  return [/[a-z]/, /[A-Z]/, /\d/].findIndex((of) => of.test(sign)) + 1 || 4;
}

/** A token for each word, number and sign, and more of them for long ones. */
function guessed(source: Uint8Array, from: number, until: number): number {
  let tokens = 0;
  let before = SPACE;
  let run = 0;
  for (let at = from; at < until; at++) {
    const kind = CLASSES[source[at]!]!;
    run = kind === before ? run + 1 : 0;
    if (run > LONG_WORD && kind !== SPACE) tokens += Math.max(AGAIN_IN_NO_WORD, AGAIN[kind]!);
    else if (run > 0) tokens += AGAIN[kind]!;
    else if (kind !== SPACE && !(kind === LOWER && before === UPPER)) tokens++;
    before = kind;
  }
  return tokens;
}
