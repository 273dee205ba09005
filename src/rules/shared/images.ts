/** Pictures in messages and in results. */
import type { Media } from '../../formats/encode.js';
import { mediaOf } from '../../formats/shared/media.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import type { ContentPart, MediaPart, Part, Transcript } from '../../transcript/types.js';

export interface Image {
  readonly message: number;
  /** The picture itself. */
  readonly part: MediaPart;
  /** The id of the call whose result shows it. */
  readonly callId: string | undefined;
  /** What its block shows; undefined where it only names something that the provider keeps. */
  readonly media: Media | undefined;
}

export function* imagesIn({ messages }: Transcript): Generator<Image> {
  for (const [message, { parts }] of messages.entries())
    for (const part of parts)
      for (const shown of imagesOf(part))
        yield { message, part: shown, callId: part.type === 'result' ? part.callId : undefined, media: mediaOf(shown) };
}

/** A part that is a picture, or those that it shows. */
export function imagesOf(part: Part): MediaPart[] {
  const shown = part.type === 'result' ? part.content : [part];
  return shown.filter((block): block is MediaPart => block.type === 'media' && block.kind === 'image');
}

/** The transcript with a text in the place of each of these pictures. */
export function withNotes(transcript: Transcript, noteOf: ReadonlyMap<Part, string>): Transcript {
  const noted = <P extends Part>(part: P): P | ContentPart => {
    const text = noteOf.get(part);
    return text === undefined ? part : { type: 'text', text };
  };
  return mapMessages(transcript, (message) =>
    mapParts(message, (part) => {
      if (part.type !== 'result') return noted(part);
      return part.content.some((shown) => noteOf.has(shown)) ? { ...part, content: part.content.map(noted) } : part;
    }),
  );
}

/** Bytes of what is in base64. */
export function bytesOf(base64: string): number {
  const data = base64.replace(/\s+/g, '');
  const { length } = data;
  let padding = 0;
  while (data[length - 1 - padding] === '=') padding++;
  return Math.floor(((length - padding) * 3) / 4);
}
