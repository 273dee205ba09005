/** What several transforms do to calls and their results. */
import { mapMessages, mapParts } from '../transcript/edit.js';
import type { CallSite } from '../transcript/pairs.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, Part, ResultPart, Transcript } from '../transcript/types.js';
import type { Counts } from './transform.js';

/** All answered calls but the newest, by where their results stand. */
export function allButNewest(answered: readonly CallSite[], kept: number): readonly CallSite[] {
  const byResult = [...answered].sort((a, b) => a.results[0]!.message - b.results[0]!.message);
  return byResult.slice(0, Math.max(0, byResult.length - Math.max(0, kept)));
}

/** The transcript with other parts in the place of some; the same one where there are none. */
export function replaceParts(transcript: Transcript, became: ReadonlyMap<Part, Part>): Transcript {
  if (became.size === 0) return transcript;
  return mapMessages(transcript, (message) => mapParts(message, (part) => became.get(part) ?? part));
}

/** The result with a note in the place of all it says; itself, where that would be no shorter in tokens or in characters. */
export function noted(part: ResultPart, note: string, counts: Counts): ResultPart {
  const { content } = part;
  if (content.every(isText) && joinTexts(content).length <= note.length) return part;
  const first = content.find(isText);
  const shorter: ResultPart = {
    ...part,
    content: [first === undefined ? { type: 'text', text: note } : { ...first, text: note }],
  };
  return resultTokens(shorter, counts) < resultTokens(part, counts) ? shorter : part;
}

function isText(part: ContentPart): part is Extract<ContentPart, { type: 'text' }> {
  return part.type === 'text';
}

function resultTokens(part: ResultPart, counts: Counts): number {
  return counts.message({ role: 'tool', parts: [part] });
}
