/** What trimming needs once there are messages: the transforms. Adapters load it with the first messages. */
import type { Traits, Transcript } from '../transcript/types.js';
import type { Declared, StepOf } from '../transforms/declared.js';
import { transformNamed } from '../transforms/index.js';
import type { Step } from '../transforms/pipeline.js';

export { loadAuto } from '../transforms/auto.js';
export { countsTokens, rewriteBy } from '../transforms/pipeline.js';
export { resuming } from '../transforms/resumed.js';

export function policyOf(steps: readonly StepOf<Declared>[]): Step[] {
  return steps.map(({ transform, values }) => ({ transform: transformNamed(transform.id), values }));
}

/** Transcripts of a request to this model, unless they say which. */
export function requested(
  transcripts: readonly Transcript[],
  model: string | undefined,
  needsReasoning = false,
): readonly Transcript[] {
  return transcripts.map((one) => {
    const named = model === undefined || one.model ? one : { ...one, model };
    return needsReasoning ? { ...named, traits: ofThinker(one.traits) } : named;
  });
}

/** Conversations that go on are known by their traits, too. */
const thinkers = new WeakMap<Traits, Traits>();

function ofThinker(traits: Traits): Traits {
  const thinker = thinkers.get(traits) ?? { ...traits, needsReasoning: true };
  thinkers.set(traits, thinker);
  return thinker;
}
