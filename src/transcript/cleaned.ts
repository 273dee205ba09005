/** Parts as others may read them, without secrets. Texts are cleaned whole, before anything parses or cuts them. */
import { addAll } from '../lists.js';
import { textOf } from './text.js';
import type { Part } from './types.js';

/** Returns a text without secrets; JSON stays JSON. */
export type Clean = (text: string) => string;

export function cleanedParts<P extends Part>(parts: readonly P[], clean: Clean): P[] {
  const cleaned: P[] = [];
  while (cleaned.length < parts.length) {
    const rest = parts.slice(cleaned.length);
    const end = rest.findIndex(({ type }) => type !== 'text');
    const run = end < 0 ? rest : rest.slice(0, end);
    if (run.length === 0) cleaned.push(cleanedPart(rest[0]!, clean) as P);
    else addAll(cleaned, cleanedTexts(run, clean));
  }
  return cleaned;
}

/** Texts side by side: a secret may begin in one and end in another. As a list in JSON they are looked at together. */
function cleanedTexts<P extends Part>(parts: readonly P[], clean: Clean): P[] {
  const texts = parts.map((part) => ({ type: 'text', text: part.type === 'text' ? textOf(part.text) : '' }));
  const together = texts.length === 1 ? texts : (JSON.parse(clean(JSON.stringify(texts))) as typeof texts);
  return parts.map((part, index) => ({ ...part, text: clean(together[index]!.text) }));
}

function cleanedPart(part: Part, clean: Clean): Part {
  switch (part.type) {
    case 'call':
      return { ...part, input: clean(textOf(part.input)) };
    case 'result':
      return { ...part, content: cleanedParts(part.content, clean) };
    case 'thinking':
      return { ...part, text: clean(textOf(part.text)) };
    case 'opaque':
      return part.text === undefined ? part : { ...part, text: clean(textOf(part.text)) };
    default:
      return part;
  }
}
