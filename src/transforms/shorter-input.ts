/** Replaces long texts in the inputs of calls. */
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { argumentsIn } from './file-calls.js';
import { patchedPaths, withoutHunks } from './patch-text.js';
import type { Counts } from './transform.js';

/**
 * The call with a note instead of each longer string of its input; itself if there is none. A string that would not
 * get shorter in tokens and characters stays, as do `kept` (the paths) and the bytes of all else. A patch keeps its
 * form.
 */
export function withShorterInput(part: CallPart, note: string, kept: readonly string[], counts: Counts): CallPart {
  const text = textOf(part.input);
  const shorten = (value: string) => {
    if (kept.includes(value)) return value;
    const shorter = patchedPaths(value).length > 0 ? withoutHunks(value, note) : note;
    return shorter.length < value.length && counts.text(shorter) < counts.text(value) ? shorter : value;
  };
  const isJson = Object.keys(argumentsIn(text)).length > 0;
  const input = isJson ? mapStrings(text, note.length, shorten) : shorten(text);
  return input === text ? part : { ...part, input };
}

/** The same JSON text with its string values mapped, except those of at most `length` characters. Keys stay. */
function mapStrings(json: string, length: number, shorten: (value: string) => string): string {
  let mapped = '';
  let copied = 0;
  let end = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', end)) {
    end = endOfString(json, start);
    if (end - start - 2 <= length || isKey(json, end)) continue;
    const value = JSON.parse(json.slice(start, end)) as string;
    const shorter = shorten(value);
    if (shorter === value) continue;
    mapped += json.slice(copied, start) + JSON.stringify(shorter);
    copied = end;
  }
  return mapped + json.slice(copied);
}

const COLON = /\s*:/y;

/** Whether the string that ends here is a key. */
function isKey(json: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(json);
}

/** The index after the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}
