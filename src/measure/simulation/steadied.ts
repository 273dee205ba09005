/** Steps with the options that keep the beginning of prompts, and so the prompt cache, for many requests. */
import { kebab } from '../../options/parse.js';
import type { Step } from '../../transforms/pipeline.js';

/** By option: the value to try, and whether the step does without so far. */
const STEADY: ReadonlyMap<string, { readonly value: number; isUnset(value: unknown): boolean }> = new Map([
  ['every', { value: 20, isUnset: (value) => value === undefined || value === 1 }],
  ['lowWater', { value: 0.7, isUnset: (value) => value === undefined }],
]);

/** The steps with these options; undefined if none has one that is not set. `label` names what was set. */
export function steadied(
  steps: readonly Step[],
): { readonly steps: readonly Step[]; readonly label: string } | undefined {
  const set = new Set<string>();
  const changed = steps.map((step): Step => {
    const values: Record<string, unknown> = { ...step.values };
    for (const [key, { value, isUnset }] of STEADY)
      if (Object.hasOwn(step.transform.options, key) && isUnset(values[key])) {
        values[key] = value;
        set.add(`${kebab(key)}=${value}`);
      }
    return { ...step, values: values as Step['values'] };
  });
  return set.size === 0 ? undefined : { steps: changed, label: [...set].join(', ') };
}
