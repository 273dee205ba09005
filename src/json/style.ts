/** The layout of a piece of JSON, so that additions look like their surroundings. */
import type { JsonNode } from './node.js';
import { PlainNode } from './plain-node.js';
import { ENTRY, ESCAPED, KIND, STRING, WIDE } from './scan.js';
import type { JsonSource } from './strings.js';

export interface Style {
  /** The line break between members; undefined if all are on one line. */
  readonly newline: string | undefined;
  /** The indentation of the value's own closing bracket. */
  readonly indent: string;
  /** The additional indentation of one level. */
  readonly unit: string;
  /** Between a key and its value: `:` or `: `. */
  readonly colon: string;
  /** Between members on one line: `,` or `, `. */
  readonly comma: string;
  /** Characters above ASCII are written as `\u` escapes. */
  readonly ascii: boolean;
}

/** The style of an object, or of the first object in an array. Whatever the sample does not show is compact. */
export function styleOf(sample: JsonNode | undefined): Style {
  const plain: Style = { newline: undefined, indent: '', unit: '', colon: ':', comma: ',', ascii: false };
  if (sample === undefined || sample instanceof PlainNode) return plain;
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

/** Whether the source escapes all characters outside ASCII, as Python's json does by default. */
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
