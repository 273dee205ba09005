/** What a message holds that stands in none of its texts: marks of errors, names, media, signatures. */
import { hashId } from '../../formats/shared/derived-ids.js';
import { mediaOf } from '../../formats/shared/media.js';
import { JsonNode } from '../../json/node.js';
import { listIn } from '../../lists.js';
import type { MediaPart, Message, Part } from '../../transcript/types.js';

/** By what people call it; the same value where nothing differs. */
export type Unshown = ReadonlyMap<string, string>;

export function unshownIn({ parts, name, role }: Pick<Message, 'parts' | 'name' | 'role'>): Unshown {
  const found = new Map<string, string[]>();
  if (name !== undefined && role !== 'tool') found.set('name', [name]);
  const results = parts.filter((part) => part.type === 'result');
  if (results.some(({ isError }) => isError === true))
    found.set(
      'error mark',
      results.map(({ isError }) => String(isError === true)),
    );
  for (const part of parts.flatMap((one): readonly Part[] => (one.type === 'result' ? one.content : [one]))) {
    if (part.type === 'media') listIn(found, part.kind).push(dataOf(part));
    else for (const signature of signaturesOf(part)) listIn(found, 'signature').push(signature);
  }
  return new Map([...found].map(([name, values]) => [name, hashId(values.join('\n'))]));
}

/** What differs, by name. Texts tell where there is a `[image]` and where there is none. */
export function unshownChanges(before: Unshown, after: Unshown): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && (ALONE.has(name) || (before.has(name) && after.has(name))),
  );
}

/** What is in no text at all. */
const ALONE: ReadonlySet<string> = new Set(['error mark', 'signature', 'name']);

/** In formats that are not the same, too. */
function dataOf(part: MediaPart): string {
  const media = mediaOf(part);
  if (media !== undefined) return media.base64 ?? media.url ?? '';
  return part.raw instanceof JsonNode ? part.raw.json : '';
}

function signaturesOf({ raw }: Part): string[] {
  if (!(raw instanceof JsonNode) || !raw.isObject) return [];
  return [...raw.json.matchAll(SIGNED)].map(([, value]) => value!);
}

/** What providers sign or encrypt for themselves: Anthropic and Bedrock, OpenAI, Gemini. */
const SIGNED = /"(?:signature|encrypted_content|thought_?[sS]ignature|redactedContent)"\s*:\s*"([^"]+)"/g;
