/** Steps that tell what they make of a growing transcript: only a simulation asks, so no agent's bundle holds them. */
import clear from '../../transforms/clear.js';
import { growCleared } from '../../transforms/clear-growing.js';
import dedupe from '../../transforms/dedupe.js';
import filter from '../../transforms/filter.js';
import { growFiltered } from '../../transforms/filter-growing.js';
import fit from '../../transforms/fit.js';
import { growFitted } from '../../transforms/fit-growing.js';
import type { Step } from '../../transforms/pipeline.js';
import retries from '../../transforms/retries.js';
import stale from '../../transforms/stale.js';
import strip from '../../transforms/strip.js';
import { growStripped } from '../../transforms/strip-growing.js';
import { growDeduped, growOutdated, growRetried } from '../../transforms/superseded-growing.js';
import type { Transform } from '../../transforms/transform.js';

const GROWING = new Map<unknown, unknown>([
  [clear, growCleared],
  [dedupe, growDeduped],
  [filter, growFiltered],
  [fit, growFitted],
  [retries, growRetried],
  [stale, growOutdated],
  [strip, growStripped],
]) as ReadonlyMap<Transform, Transform['grow']>;

export function growOf({ transform }: Pick<Step, 'transform'>): Transform['grow'] {
  return transform.grow ?? GROWING.get(transform);
}
