/** The last calls of a transcript that grows. */
import { pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Transcript } from '../transcript/types.js';
import { type FilterOptions, goesAsItGrows, goingIn } from './filter.js';
import { growDropped } from './left-growing.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. */
export function growFiltered(
  transcript: Transcript,
  options: FilterOptions,
  _counts: Counts,
  carries: boolean,
): Grow | undefined {
  const pairing = pair(transcript.messages);
  if (carries || !goesAsItGrows(transcript, options) || !pairsAsItGrows(pairing)) return undefined;
  return growDropped(transcript, goingIn(transcript, pairing, options));
}
