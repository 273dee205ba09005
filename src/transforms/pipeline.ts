/** Applies steps in order. It imports no transform, so that a caller need not load them all. */

import type { Transcript } from '../transcript/types.js';
import { alternating } from './alternate.js';
import type { StepOf } from './declared.js';
import type { Counts, Transform, Unit } from './transform.js';

export type Step = StepOf<Transform>;

/** `index`: of the step. */
export type ApplyStep = (step: Step, transcript: Transcript, counts: Counts, index: number) => Transcript;

export function applyStep({ transform, values }: Step, transcript: Transcript, counts: Counts): Transcript {
  return transform.apply(transcript, values, counts);
}

/** The transcript after all steps; the same object if none changed it. `tell` gets what a step could not do. */
export function applySteps(
  transcript: Transcript,
  steps: readonly Step[],
  counts: Counts,
  tell?: (shortfall: string) => void,
  apply: ApplyStep = applyStep,
): Transcript {
  return steps.reduce((now, step, index) => {
    const { transform, values } = step;
    const after = apply(step, now, counts, index);
    const shortfall = tell && transform.shortfall?.(after, values, counts);
    if (shortfall !== undefined) tell!(`${transform.id}: ${shortfall}`);
    return after;
  }, transcript);
}

/**
 * The same of a transcript that is to be written: an abandoned branch stays as it was recorded, and the turns keep the
 * order that the API demands.
 */
export function rewriteBy(...[transcript, ...rest]: Parameters<typeof applySteps>): Transcript {
  return transcript.abandoned === undefined ? alternating(transcript, applySteps(transcript, ...rest)) : transcript;
}

export function countsTokens(steps: readonly Step[]): boolean {
  return steps.some(({ transform, values }) => transform.countsTokens?.(values) === true);
}

/** The units of the steps' limits, each once; characters where no step has one. */
export function limitUnits(steps: readonly Step[]): readonly Unit[] {
  const units = new Set(steps.flatMap(({ transform, values }) => transform.limitUnit?.(values) ?? []));
  return units.size === 0 ? ['chars'] : [...units];
}
