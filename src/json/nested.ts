/** JSON that stands in a string, or in a string inside a string: traces hold it so, and encode some of it twice. */
import type { Json } from './edit.js';
import { type JsonNode, parse, skipSpace } from './node.js';
import { printed, printString } from './print.js';
import { styleOf } from './style.js';

export interface Nested {
  readonly value: JsonNode;
  /** The strings around the value, the outermost first. None where it stands as it is. */
  readonly strings: readonly JsonNode[];
}

/** What a value is in the end: of a string that holds an object or array as JSON, that; of a string that holds a JSON string, its content. */
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

/** The outermost string, or the value itself, with another value in it: what stood around it, and how it was spelled, stays. */
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

/** The text that holds `root` with `changed` in its place. */
function within(root: JsonNode, changed: Json): string {
  const { bytes } = root.source;
  if (typeof changed === 'string' && root.isString)
    return printString(changed, root) + bytes.utf8Slice(root.end, bytes.length - 1);
  return printed(changed, () => styleOf(root)) + bytes.utf8Slice(root.end, bytes.length - 1); // behind it stands the byte that ends a scan
}
