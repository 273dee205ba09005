/** Applies steps in order. It imports no transform, so that a caller need not load them all. */

import type { Options, Values } from '../options/option.js';
import type { Transcript } from '../transcript/types.js';
import { alternating } from './alternate.js';
import type { Counts, Transform, Unit } from './transform.js';

/** A transform with the values of its options. */
export interface Step {
  readonly transform: Transform;
  readonly values: Values<Options>;
}

/** The transcript after all steps; the same object if none changed it. `tell` gets what a step could not do. */
export function applySteps(
  transcript: Transcript,
  steps: readonly Step[],
  counts: Counts,
  tell?: (shortfall: string) => void,
): Transcript {
  return steps.reduce((now, { transform, values }) => {
    const after = transform.apply(now, values, counts);
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

/** The error if a transform gets none of the options that it needs. `spell`: the option's name as the user knows it. */
export function missingOption(
  { id, needs }: Transform,
  values: Readonly<Record<string, unknown>>,
  spell: (key: string) => string,
): string | undefined {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  if (needs === undefined || needs.some((key) => isGiven(values[key]))) return undefined;
  const names = needs.map(spell);
  return `${id} needs ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')}`;
}
