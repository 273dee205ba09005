/** How a piece of JSON is laid out, read off its neighbourhood, so that what is added looks as if it had always been there. */
import type { JsonNode, JsonSource } from './node.js';
import { ENTRY, ESCAPED, KIND, STRING, WIDE } from './scan.js';

export interface Style {
  /** The line break between members, or undefined where everything stands on one line. */
  readonly newline: string | undefined;
  /** The indentation of the value's own closing bracket. */
  readonly indent: string;
  /** What one level adds to it. */
  readonly unit: string;
  /** Between a key and its value: `:` or `: `. */
  readonly colon: string;
  /** Between members on one line: `,` or `, `. */
  readonly comma: string;
  /** Characters above ASCII are written as `\u` escapes. */
  readonly ascii: boolean;
}

/**
 * The style of an object, or of the first object in an array: its line breaks, indentation, colons and commas. What the
 * sample does not show (an empty object shows nothing) is compact.
 */
export function styleOf(sample: JsonNode | undefined): Style {
  const plain: Style = { newline: undefined, indent: '', unit: '', colon: ':', comma: ',', ascii: false };
  if (sample === undefined) return plain;
  const object = sample.isArray ? sample.items().find((item) => item.isObject) : sample;
  const ascii = isAscii(sample.source);
  if (object === undefined || !object.isObject) return { ...plain, ascii };
  const members = object.members();
  const first = members[0];
  if (first === undefined) return { ...plain, ascii };
  const gap = (from: number, to: number) => object.source.bytes.latin1Slice(from, to);
  const colon = gap(first.key.end, first.value.start);
  const second = members[1];
  const comma = second === undefined ? (colon === ': ' ? ', ' : ',') : gap(first.value.end, second.key.start);
  const head = gap(object.start + 1, first.key.start);
  const lineBreak = /\r?\n/.exec(head)?.[0];
  if (lineBreak === undefined) return { ...plain, colon, comma: comma.includes('\n') ? ', ' : comma, ascii };
  const tail = gap(members[members.length - 1]!.value.end, object.end - 1);
  const inner = head.slice(head.lastIndexOf('\n') + 1);
  const indent = tail.slice(tail.lastIndexOf('\n') + 1);
  const unit = inner.startsWith(indent) && inner.length > indent.length ? inner.slice(indent.length) : '  ';
  return { newline: lineBreak, indent, unit, colon, comma: ',', ascii };
}

const asciiSources = new WeakMap<JsonSource, boolean>();

/** Whether the source escapes what is not ASCII (as Python's json does by default): such escapes and no such bytes. */
export function isAscii(source: JsonSource): boolean {
  let answer = asciiSources.get(source);
  if (answer === undefined) {
    answer = escapesWideText(source);
    asciiSources.set(source, answer);
  }
  return answer;
}

function escapesWideText({ bytes, tape }: JsonSource): boolean {
  let found = false;
  for (let i = 0; i < tape[3]!; i += ENTRY) {
    if ((tape[i]! & KIND) !== STRING) continue;
    if ((tape[i]! & WIDE) !== 0) return false;
    if (!found && (tape[i]! & ESCAPED) !== 0)
      found = /\\u(?!00[0-7])/.test(bytes.latin1Slice(tape[i + 1]!, tape[i + 2]!));
  }
  return found;
}
