/** `sessions --format json`. */
import type { z } from 'zod';
import type { ListedSession } from '../engine/sessions/figures.js';
import { omissionsJson } from '../omissions.js';
import type { Exact } from './print.js';
import type { sessionsSchema } from './schemas/listings.js';

interface LeftOut {
  readonly agent: string;
  readonly path: string;
  /** How many, if that is known. */
  readonly sessions?: number;
  readonly why: string;
}

/** Unknown values are null; so is `findings` if nobody asked for them. */
export function sessionsDocument(
  sessions: readonly ListedSession[],
  leftOut: readonly LeftOut[],
): Exact<z.output<typeof sessionsSchema>> {
  return {
    version: 1,
    sessions: sessions.map(({ id, agent, path, folder, changed, figures }) => ({
      id,
      agent,
      project: figures.project ?? (folder === '' ? null : folder),
      file: path,
      started: figures.started === undefined ? null : new Date(figures.started).toISOString(),
      ended: figures.ended === undefined ? null : new Date(figures.ended).toISOString(),
      changed: new Date(changed).toISOString(),
      messages: figures.messages,
      requests: figures.requests,
      tokens: figures.requests === 0 ? null : figures.tokens,
      cost_usd: figures.cost === undefined ? null : BigInt(figures.cost),
      cost_source: figures.costSource ?? null,
      findings: figures.findings ?? null,
      ...omissionsJson(figures.omissions),
    })),
    left_out: leftOut.map(({ agent, path, sessions: count, why }) => ({ agent, path, sessions: count ?? null, why })),
  };
}
