/** JSON in a string, or in a string in a string: traces encode values so, some of them twice. */
import type { Json } from './edit.js';
import { type JsonNode, parse } from './node.js';
import { printed } from './print.js';
import { printString } from './print-string.js';
import { skipSpace } from './space.js';
import { styleOf } from './style.js';

export interface Nested {
  readonly value: JsonNode;
  /** The strings around the value, outermost first; empty if it is not in a string. */
  readonly strings: readonly JsonNode[];
}

/** Decodes a string that holds an object, an array or a string as JSON; other values are returned as they are. */
export function nested(node: JsonNode): Nested {
  const strings: JsonNode[] = [];
  let value = node;
  while (value.isString) {
    const inner = parsed(value.text);
    if (inner === undefined) break;
    strings.push(value);
    value = inner;
  }
  return { value, strings };
}

/** Replaces the innermost value. The strings around it keep their notation and all other content. */
export function renested({ value, strings }: Nested, changed: Json): Json {
  if (strings.length === 0 || changed === value) return strings[0] ?? changed;
  let text = within(value, changed);
  for (let i = strings.length - 1; i > 0; i--) text = within(strings[i]!, text);
  return text;
}

const BEGINNING = /^\s*[[{"]/;

function parsed(text: string): JsonNode | undefined {
  if (!BEGINNING.test(text)) return undefined;
  const start = skipSpace(Buffer.from(text), 0);
  try {
    const node = parse(text.slice(start));
    return node.isObject || node.isArray || node.isString ? node : undefined;
  } catch {
    return undefined;
  }
}

/** The text around `root`, with `changed` in place of it. */
function within(root: JsonNode, changed: Json): string {
  const { bytes } = root.source;
  if (typeof changed === 'string' && root.isString)
    return printString(changed, root) + bytes.utf8Slice(root.end, bytes.length - 1);
  // the last byte is the scan's sentinel
  return printed(changed, () => styleOf(root)) + bytes.utf8Slice(root.end, bytes.length - 1);
}
