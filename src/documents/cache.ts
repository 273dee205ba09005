/** `stats --cache --format json`: why prompt caches missed. */
import type { z } from 'zod';
import type { CacheFigures, CauseSum } from '../measure/stats/cache-figures.js';
import type { CacheFacts } from '../measure/stats/cache-misses.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { cacheSchema } from './schemas/cache.js';

/** Costs are exact; unknown ones are null. */
export function cacheDocument(facts: CacheFacts): Exact<z.output<typeof cacheSchema>> {
  return {
    version: 1,
    sessions: facts.sessions.map((session) => ({
      file: session.file,
      session: session.session ?? null,
      ...figuresJson(session),
      causes: session.causes.map(causeJson),
      misses: session.misses.map(({ request, index, cause, missed, cost }) => ({
        request,
        index,
        cause,
        missed,
        missed_cost_usd: cost ?? null,
      })),
    })),
    ...omissionsJson(facts.omissions),
    totals: { ...figuresJson(facts), causes: facts.causes.map(causeJson) },
  };
}

function causeJson({ cause, requests, missed, cost }: CauseSum) {
  return { cause, requests, missed, missed_cost_usd: cost ?? null };
}

function figuresJson({ requests, possible, read, missed }: CacheFigures) {
  return { requests, possible, read, missed: missed.missed, missed_cost_usd: missed.cost ?? null };
}
