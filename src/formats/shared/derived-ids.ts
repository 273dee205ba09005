/** Ids for what is added to a recording: the same addition at the same place has the same id, whenever it is made. */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';

/** An id for what was added: made of its content and of where it stands. */
export function derivedId(place: string, json: Json): string {
  return idFrom(`${place}\n${JSON.stringify(plain(json))}`);
}

/** The same text gives the same id: a UUID of version 8 (RFC 9562: free to choose) out of four FNV-1a hashes. */
export function idFrom(text: string): string {
  const words = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => {
    let hash = seed;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return hash.toString(16).padStart(8, '0');
  });
  const hex = words.join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function plain(json: Json): unknown {
  if (json instanceof JsonNode) return json.text;
  if (Array.isArray(json)) return json.map(plain);
  if (json !== null && typeof json === 'object')
    return Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, value === undefined ? null : plain(value as Json)]),
    );
  return json;
}
