/** Steps as programs write them, with the transforms that they name. */
import { transformNamed } from '../transforms/index.js';
import type { Step } from '../transforms/pipeline.js';
import type { Transform } from '../transforms/transform.js';
import { type Pipelines, type SharedValues, type StepName, writtenSteps } from './written-steps.js';

/**
 * Steps as `applySteps` takes them. `more`: steps besides the transforms.
 * Throws TranscriptError for a step or an option that does not exist.
 */
export function stepsOf(
  names: readonly StepName[],
  pipelines: Pipelines = {},
  more: readonly Transform[] = [],
  shared: SharedValues = {},
): Step[] {
  return writtenSteps(names, (id) => more.find((step) => step.id === id) ?? transformNamed(id), pipelines, shared);
}
