/** Replaces long texts in the inputs of calls. */
import { textOf } from '../transcript/text.js';
import type { CallPart } from '../transcript/types.js';
import { argumentsIn } from './file-calls.js';
import { patchedPaths, withoutHunks } from './patch-text.js';
import type { Counts } from './transform.js';

/**
 * The call with a note instead of each longer string of its input; itself if that would not be shorter in tokens or
 * characters. All else keeps its bytes: other types, short strings, and `kept` (the paths). A patch keeps its form.
 */
export function withShorterInput(part: CallPart, note: string, kept: readonly string[], counts: Counts): CallPart {
  const text = textOf(part.input);
  const shorten = (value: string) => {
    if (kept.includes(value)) return value;
    return patchedPaths(value).length > 0 ? withoutHunks(value, note) : note;
  };
  const isJson = Object.keys(argumentsIn(text)).length > 0;
  const input = isJson ? mapStrings(text, note.length, shorten) : shorten(text);
  if (input.length >= text.length) return part;
  const shorter: CallPart = { ...part, input };
  return inputTokens(shorter, counts) < inputTokens(part, counts) ? shorter : part;
}

/** The same JSON text with its string values longer than `length` mapped to shorter ones. Keys stay. */
function mapStrings(json: string, length: number, shorten: (value: string) => string): string {
  let mapped = '';
  let copied = 0;
  let end = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', end)) {
    end = endOfString(json, start);
    if (end - start - 2 <= length || isKey(json, end)) continue;
    const value = JSON.parse(json.slice(start, end)) as string;
    const shorter = value.length > length ? shorten(value) : value;
    if (shorter.length >= value.length) continue;
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

function inputTokens(part: CallPart, counts: Counts): number {
  return counts.message({ role: 'assistant', parts: [part] });
}
