/** What changed inside a text, word by word, with long unchanged stretches folded. */
import { diffArrays, wordsWithSpaceDiff } from 'diff';

export interface Fragment {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Unchanged text around a change, in characters; what is between is folded. */
const CONTEXT = 40;
/** A removed or added stretch longer than this is shown by its ends. */
const SHOWN = 160;
/** Above this the middle of a change is not compared word by word: it would take long, and nobody would read it. */
const COMPARED = 20_000;

/** The share of a change that has to be the same for a comparison word by word. */
const TELLING = 0.4;

export function wordDiff(before: string, after: string): Fragment[] {
  const head = sharedLength(before, after);
  const tail = sharedTail(before.slice(head), after.slice(head));
  const [removed, added] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle = compareWords(removed, added);
  const whole: Fragment[] = [
    { kind: 'same', text: before.slice(0, head) },
    ...middle,
    { kind: 'same', text: tail === 0 ? '' : before.slice(-tail) },
  ];
  const fragments = whole.filter(({ text }) => text !== '');
  return fragments.map((fragment, index) =>
    fragment.kind === 'same'
      ? { kind: 'same', text: fold(fragment.text, index === 0, index === fragments.length - 1) }
      : { ...fragment, text: foldMiddle(fragment.text, SHOWN) },
  );
}

/** Word by word where that tells something: where little is shared, the words that happen to be are no help. */
function compareWords(before: string, after: string): Fragment[] {
  const whole: Fragment[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  if (before.length + after.length > COMPARED || before === '' || after === '') return whole;
  const telling = Math.max(before.length, after.length) * TELLING;
  if (Math.min(before.length, after.length) < telling) return whole; // a cut text, mostly
  const { words, numbers } = numberedWords([before, after]);
  const [old, now] = numbers as [number[], number[]];
  if (mostShared(old, now, words) < telling) return whole;
  const stretches = diffArrays(old, now).map(
    ({ added, removed, value }): Fragment => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.map((number) => words[number]).join(''),
    }),
  );
  const shared = stretches.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0), 0);
  return shared < telling ? whole : stretches;
}

/** The words of texts as numbers, the same for the same word: these compare in no time. */
function numberedWords(texts: readonly string[]): { readonly words: readonly string[]; readonly numbers: number[][] } {
  const words: string[] = [];
  const known = new Map<string, number>();
  const numberOf = (word: string) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    known.set(word, words.length);
    return words.push(word) - 1;
  };
  return { words, numbers: texts.map((text) => wordsWithSpaceDiff.tokenize(text).map(numberOf)) };
}

/** The characters of words that both have, in any order: found in a tenth of the time, and no comparison keeps more. */
function mostShared(before: readonly number[], after: readonly number[], words: readonly string[]): number {
  const counts = new Int32Array(words.length);
  for (const word of before) counts[word]!++;
  return after.reduce((shared, word) => (counts[word]!-- > 0 ? shared + words[word]!.length : shared), 0);
}

function fold(text: string, first: boolean, last: boolean): string {
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  if (text.length <= head + tail + 20) return text;
  const end = tail === 0 ? '' : clip(text, text.length - tail, text.length);
  return `${clip(text, 0, head)}…(${text.length - head - tail} characters)…${end}`;
}

function foldMiddle(text: string, shown: number): string {
  if (text.length <= shown + 20) return text;
  const half = shown / 2;
  return `${clip(text, 0, half)}…(${text.length - shown} characters)…${clip(text, text.length - half, text.length)}`;
}

/** A slice that splits no surrogate pair. */
function clip(text: string, start: number, end: number): string {
  const isLow = (at: number) =>
    at > 0 && at < text.length && text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff;
  return text.slice(isLow(start) ? start + 1 : start, isLow(end) ? end - 1 : end);
}

/** Shared characters at the front, back to the end of a word, so that words are compared whole. */
function sharedLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  if (length === a.length || length === b.length) return length;
  let word = length;
  while (word > 0 && length - word < 40 && /[\p{L}\p{N}]/u.test(a[word - 1]!)) word--;
  return length - word < 40 ? word : length;
}

function sharedTail(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  if (length === limit) return length;
  let word = length;
  while (word > 0 && length - word < 40 && /[\p{L}\p{N}]/u.test(a[a.length - word]!)) word--;
  return length - word < 40 ? word : length;
}
