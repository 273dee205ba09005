/** Steps that tell what they make of a growing transcript: only a simulation asks, so no agent's bundle holds them. */
import clear from '../../transforms/clear.js';
import { growCleared } from '../../transforms/clear-growing.js';
import filter from '../../transforms/filter.js';
import { growFiltered } from '../../transforms/filter-growing.js';
import fit from '../../transforms/fit.js';
import { growFitted } from '../../transforms/fit-growing.js';
import type { Step } from '../../transforms/pipeline.js';
import type { Transform } from '../../transforms/transform.js';

const GROWING = new Map<unknown, unknown>([
  [clear, growCleared],
  [filter, growFiltered],
  [fit, growFitted],
]) as ReadonlyMap<Transform, Transform['grow']>;

export function growOf({ transform }: Pick<Step, 'transform'>): Transform['grow'] {
  return transform.grow ?? GROWING.get(transform);
}
