/** Steps in a row. */
import { TranscriptError } from '../errors.js';
import type { Transcript } from '../transcript/types.js';
import { transforms } from './index.js';
import type { CountTokens, Options, Transform, Values } from './transform.js';

/** A transform with the values of its options. */
export interface Step {
  readonly transform: Transform;
  readonly values: Values<Options>;
}

/** The transcript after all steps; the very same one where none had anything to do. */
export function applySteps(transcript: Transcript, steps: readonly Step[], count: CountTokens): Transcript {
  return steps.reduce((now, { transform, values }) => transform.apply(now, values, count), transcript);
}

export function countsTokens(steps: readonly Step[]): boolean {
  return steps.some(({ transform, values }) => transform.countsTokens?.(values) === true);
}

/** The transform of that name. Throws TranscriptError where there is none. */
export function transformNamed(id: string): Transform {
  const transform = transforms.find((candidate) => candidate.id === id);
  if (transform === undefined) throw new TranscriptError('usage', `no step \`${id}\`; there are ${transforms.map((candidate) => candidate.id).join(', ')}`);
  return transform;
}
