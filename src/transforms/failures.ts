/** Whether calls failed. */
import { looksLikeError } from '../text/error-text.js';
import type { CallSite } from '../transcript/pairs.js';
import { remembered } from '../transcript/text.js';
import type { Traits } from '../transcript/types.js';

const readsLikeError = remembered(looksLikeError);

/** By the error flag of the results or, in formats without one, by their text. An open call did not fail. */
export function hasFailed({ results }: CallSite, { flagsErrors }: Traits): boolean {
  return results.some(({ part }) => part.isError === true || (flagsErrors !== true && readsLikeError(part)));
}
