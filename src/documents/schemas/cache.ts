/** `stats --cache --format json`: why prompt caches missed. */
import * as z from '../../text/zod.js';
import * as part from './parts.js';

const { count, dollars } = part;

const cause = z.enum([
  ...(['first', 'model', 'tools', 'system', 'rewritten', 'idle', 'user', 'provider', 'unexplained'] as const),
]);
const missed = { missed: count, missed_cost_usd: dollars };

const figures = z.object({
  requests: count.describe('Requests with a prompt.'),
  possible: count.describe('Tokens that the requests could have read from the cache.'),
  read: count.describe('Those of them that they read.'),
  missed: count,
  missed_cost_usd: dollars.describe('What they cost more than cache reads; null where a price is missing.'),
});

const causes = z.array(z.object({ cause, requests: count, ...missed }));
const session = figures
  .extend({
    file: part.text,
    session: part.maybe,
    causes,
    misses: z.array(
      z.object({
        request: count.describe('Position among the requests of the session, from 0.'),
        index: count.describe('The message with the reply.'),
        cause,
        ...missed,
      }),
    ),
  })
  .meta({ id: 'CacheSession' });

export const cacheSchema = z
  .object({
    version: z.literal(1),
    sessions: z.array(session).describe('A sub-agent is a session of its own.'),
    ...part.omissions,
    totals: figures.extend({ causes: causes.describe('The most expensive first.') }).meta({ id: 'CacheFigures' }),
  })
  .meta({ id: 'CacheReport' });
