/** The last calls of a transcript that grows. */
import { pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Transcript } from '../transcript/types.js';
import { type FilterOptions, goesAsItGrows, goingIn } from './filter.js';
import { growDropped } from './left-growing.js';
import { growMarked } from './markers.js';
import type { Counts, Grow } from './transform.js';
import { growEmptied } from './users-growing.js';

/** See `Transform.grow`. */
export function growFiltered(
  transcript: Transcript,
  options: FilterOptions,
  _counts: Counts,
  carries: boolean,
): Grow | undefined {
  const pairing = pair(transcript.messages);
  const { dropUser, marker, lang } = options;
  const isSteady = goesAsItGrows(transcript, { ...options, dropUser: false, marker: false });
  if (carries || !isSteady || !pairsAsItGrows(pairing)) return undefined;
  const going = goingIn(transcript, pairing, options);
  if (dropUser === true) return growEmptied(transcript, going, options);
  return marker === true ? growMarked(transcript, going, lang) : growDropped(transcript, going);
}
