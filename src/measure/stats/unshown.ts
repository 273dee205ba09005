/** What a message holds that stands in none of its texts: marks of errors, names, media, signatures. */
import { hashId } from '../../formats/shared/derived-ids.js';
import { mediaOf } from '../../formats/shared/media.js';
import { canonical } from '../../json/canonical.js';
import { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { listIn } from '../../lists.js';
import type { MediaPart, Message, Part } from '../../transcript/types.js';

/** By what people call it; the same value where nothing differs. */
export type Unshown = ReadonlyMap<string, string>;

const NOTHING: Unshown = new Map();

/** `isSameFormat`: also what each format spells in a way of its own. */
export function unshownIn(message: Message, isSameFormat = true): Unshown {
  const { parts, name, role } = message;
  const found = new Map<string, string[]>();
  if (name !== undefined && role !== 'tool') found.set('name', [name]);
  if (parts.some(hasFailed))
    found.set(
      'error mark',
      parts.filter((part) => part.type === 'result').map((part) => String(hasFailed(part))),
    );
  const add = (part: Part) => {
    if (part.type === 'media') listIn(found, part.kind).push(dataOf(part));
    else for (const signature of signaturesOf(part)) listIn(found, 'signature').push(signature);
  };
  for (const part of parts) {
    if (part.type === 'result') for (const inner of part.content) add(inner);
    else add(part);
  }
  for (const { name: mark, value, place } of isSameFormat ? marksOf(message) : []) {
    listIn(found, mark).push(value);
    listIn(found, `${PLACE}${mark}`).push(String(place));
  }
  if (found.size === 0) return NOTHING;
  return new Map([...found].map(([name, values]) => [name, hashId(values.join('\n'))]));
}

function hasFailed(part: Part): boolean {
  return part.type === 'result' && part.isError === true;
}

/**
 * What differs, by name. Texts tell where there is a `[image]` and where there is none. Marks have places only where
 * the texts are the same.
 */
export function unshownChanges(before: Unshown, after: Unshown, isSameText: boolean): string[] {
  const isTold = (name: string) => {
    const mark = name.slice(PLACE.length);
    return !name.startsWith(PLACE) || (isSameText && before.get(mark) === after.get(mark));
  };
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) =>
      before.get(name) !== after.get(name) &&
      isTold(name) &&
      (ALONE.has(name) || (before.has(name) && after.has(name))),
  );
}

/** What stands beside texts: sources, and where the prompt cache ends. */
const PLACE = 'place of ';
const MARKS = ['citations', 'annotations', 'citationMetadata', 'groundingMetadata', 'cache_control'];
const MARK_KEYS = new Keys(MARKS);

/** What is in no text at all. */
const ALONE: ReadonlySet<string> = new Set(['error mark', 'signature', 'name', ...MARKS]);

/** In formats that are not the same, too. */
function dataOf(part: MediaPart): string {
  const media = mediaOf(part);
  if (media !== undefined) return media.base64 ?? media.url ?? '';
  return part.raw instanceof JsonNode ? part.raw.json : '';
}

const NO_SIGNATURES: readonly string[] = [];

function signaturesOf({ raw }: Part): readonly string[] {
  if (!(raw instanceof JsonNode) || !raw.isObject) return NO_SIGNATURES;
  const { json } = raw;
  return MAYBE_SIGNED.test(json) ? Array.from(json.matchAll(SIGNED), ([, value]) => value!) : NO_SIGNATURES;
}

/** Few parts have any: this look is cheap. */
const MAYBE_SIGNED = /ignature"|encrypted_content"|redactedContent"/;
/** What providers sign or encrypt for themselves: Anthropic and Bedrock, OpenAI, Gemini. */
const SIGNED = /"(?:signature|encrypted_content|thought_?[sS]ignature|redactedContent)"\s*:\s*"([^"]+)"/g;

/** Whether a message or a part of it has citations or marks for the cache. */
export function isMarked(message: Message): boolean {
  return marksOf(message).length > 0;
}

interface Mark {
  readonly name: string;
  readonly value: string;
  readonly place: number;
}

function marksOf(message: Message): Mark[] {
  const marks: Mark[] = [];
  for (const [place, node] of nodesOf(message).entries()) {
    const found = node.find(MARK_KEYS);
    for (let index = 0; index < MARKS.length; index++) {
      const value = node.nodeAt(found[index]!);
      if (value === undefined || value.isNull || (value.isArray && value.length === 0)) continue;
      marks.push({ name: MARKS[index]!, value: canonical(value.json), place });
    }
  }
  return marks;
}

/** The message, its parts, and those of its results, each once. */
function nodesOf({ raw, parts }: Message): JsonNode[] {
  const nodes: JsonNode[] = [];
  const add = (node: unknown) => {
    if (!(node instanceof JsonNode) || !node.isObject) return;
    const isKnown = nodes[0]?.is(node) || nodes.at(-1)?.is(node); // a message, or a result, of one part
    if (!isKnown) nodes.push(node);
  };
  add(raw);
  for (const part of parts) {
    add(part.raw);
    if (part.type === 'result') for (const { raw: inner } of part.content) add(inner);
  }
  return nodes;
}
