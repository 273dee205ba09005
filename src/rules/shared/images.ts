/** Images in messages and results. */
import type { Media } from '../../formats/encode.js';
import { mediaOf } from '../../formats/shared/media.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import type { ContentPart, MediaPart, Part, Transcript } from '../../transcript/types.js';

export interface Image {
  readonly message: number;
  readonly part: MediaPart;
  /** The id of the call whose result has the image. */
  readonly callId: string | undefined;
  /** The image data or URL; undefined where the block only names a file stored by the provider. */
  readonly media: Media | undefined;
}

export function* imagesIn({ messages }: Transcript): Generator<Image> {
  for (const [message, { parts }] of messages.entries())
    for (const part of parts)
      for (const shown of imagesOf(part))
        yield { message, part: shown, callId: part.type === 'result' ? part.callId : undefined, media: mediaOf(shown) };
}

/** The part itself, or the images in a result. */
export function imagesOf(part: Part): MediaPart[] {
  const shown = part.type === 'result' ? part.content : [part];
  return shown.filter((block): block is MediaPart => block.type === 'media' && block.kind === 'image');
}

/** Replaces each of these images with a text. */
export function withImagesReplaced(transcript: Transcript, noteOf: ReadonlyMap<Part, string>): Transcript {
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

/** The decoded size in bytes. */
export function bytesOf(base64: string): number {
  const data = base64.replace(/\s+/g, '');
  const { length } = data;
  let padding = 0;
  while (data[length - 1 - padding] === '=') padding++;
  return Math.floor(((length - padding) * 3) / 4);
}
