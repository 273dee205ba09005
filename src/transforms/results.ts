/** Replaces calls and results. */
import { mapMessages, mapParts } from '../transcript/edit.js';
import { joinTexts, textOf } from '../transcript/text.js';
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

/** The result with its texts mapped; itself if none changes. */
export function mapTexts(part: ResultPart, change: (text: string) => string): ResultPart {
  const content = part.content.map((piece) => {
    if (piece.type !== 'text') return piece;
    const text = textOf(piece.text);
    const changed = change(text);
    return changed === text ? piece : { ...piece, text: changed };
  });
  return content.every((piece, index) => piece === part.content[index]) ? part : { ...part, content };
}

function isText(part: ContentPart): part is Extract<ContentPart, { type: 'text' }> {
  return part.type === 'text';
}

function resultTokens(part: ResultPart, counts: Counts): number {
  return counts.message({ role: 'tool', parts: [part] });
}
