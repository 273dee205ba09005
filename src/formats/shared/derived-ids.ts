/** Deterministic ids for added records: the same content at the same place always gets the same id. */
import type { Json } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';

/** An id from the place (any text that identifies it) and the content of an added record. */
export function derivedId(place: string, json: Json): string {
  return hashId(`${place}\n${JSON.stringify(json, plain)}`);
}

/** Hashes a text to a UUID of version 8 (RFC 9562: custom data), made of four FNV-1a hashes. */
export function hashId(text: string): string {
  const words = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => {
    let hash = seed;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return hash.toString(16).padStart(8, '0');
  });
  return words.join('').replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-8$3-a$4-');
}

/** A node as its text, and what is left out as null. */
function plain(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const member = this[key];
  return member instanceof JsonNode ? member.text : (value ?? null);
}
