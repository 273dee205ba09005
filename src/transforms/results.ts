/** Replaces calls and results. */
import { mapMessages, mapParts } from '../transcript/edit.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, Part, ResultPart, Transcript } from '../transcript/types.js';
import type { Counts } from './transform.js';

/** Replaces parts. Returns the same transcript if there are none to replace. */
export function replaceParts(transcript: Transcript, replacements: ReadonlyMap<Part, Part>): Transcript {
  if (replacements.size === 0) return transcript;
  return mapMessages(transcript, (message) => mapParts(message, (part) => replacements.get(part) ?? part));
}

/** The result with a note instead of its content; itself if that would not be shorter in tokens or characters. */
export function withNote(part: ResultPart, note: string, counts: Counts): ResultPart {
  const { content } = part;
  if (content.every(isText) && joinTexts(content).length <= note.length) return part;
  const first = content.find(isText);
  const shorter: ResultPart = {
    ...part,
    content: [first === undefined ? { type: 'text', text: note } : { ...first, text: note }],
  };
  return isShorter(shorter, part, counts) ? shorter : part;
}

export function isShorter(shorter: ResultPart, part: ResultPart, counts: Counts): boolean {
  return shorter !== part && resultTokens(shorter, counts) < resultTokens(part, counts);
}

function isText(part: ContentPart): part is Extract<ContentPart, { type: 'text' }> {
  return part.type === 'text';
}

function resultTokens(part: ResultPart, counts: Counts): number {
  return counts.message({ role: 'tool', parts: [part] });
}
