/** What trimming needs once there are messages: the transforms. Adapters load it with the first messages. */
import type { Declared, StepOf } from '../transforms/declared.js';
import { transformNamed } from '../transforms/index.js';
import type { Step } from '../transforms/pipeline.js';

export { loadAuto } from '../transforms/auto.js';
export { countsTokens, rewriteBy } from '../transforms/pipeline.js';
export { resuming } from '../transforms/resumed.js';

export function policyOf(steps: readonly StepOf<Declared>[]): Step[] {
  return steps.map(({ transform, values }) => ({ transform: transformNamed(transform.id), values }));
}
