/** Whether calls failed. */
import { ERROR_SAYING } from '../text/error-text.js';
import type { CallSite } from '../transcript/pairs.js';
import { remembered } from '../transcript/text.js';
import type { ResultPart, Traits } from '../transcript/types.js';

const readsLikeError = remembered(ERROR_SAYING);

/** An open call did not fail. */
export function hasFailed({ results }: CallSite, traits: Traits): boolean {
  return results.some(({ part }) => isFailure(part, traits));
}

/** By the error flag of a result or, in formats without one, by its text. */
export function isFailure(part: ResultPart, { flagsErrors }: Pick<Traits, 'flagsErrors'>): boolean {
  return part.isError === true || (flagsErrors !== true && readsLikeError(part));
}
