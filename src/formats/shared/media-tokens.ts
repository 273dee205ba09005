/** Tokens of audio, images and video, as recordings state them beside the counts of all tokens. */
import type { MediaKind, Usage } from '../../transcript/types.js';

const NAMES = ['Audio', 'Image', 'Video'] as const;
export type MediaName = (typeof NAMES)[number];

/**
 * How many of the prompt's tokens, of those read from a cache, and of the output's are of a kind; undefined if that is
 * not stated.
 */
export type StatedMedia = readonly [prompt: number | undefined, cached: number | undefined, output: number | undefined];

/** The usage with such tokens. Where it is not stated which were cached, only those that must be. */
export function withMedia(usage: Usage, statedOf: (name: MediaName) => StatedMedia): Usage {
  const media: Partial<Record<MediaKind, number>> = {};
  for (const name of NAMES) {
    const [prompt = 0, cached = prompt - usage.input, output = 0] = statedOf(name);
    const cacheRead = Math.max(0, cached);
    for (const [of, count] of Object.entries({ input: prompt - cacheRead, cacheRead, output }))
      if (count > 0) media[`${of}${name}` as MediaKind] = count;
  }
  return { ...usage, media };
}
