/** `sessions --format json`. */
import type { z } from 'zod';
import type { ListedSession } from '../engine/sessions/figures.js';
import type { Match } from '../engine/show/selection.js';
import { knownCost } from '../engine/stats/usage-rows.js';
import type { RequestSum } from '../measure/stats/request-sum.js';
import { leftOutJson, omissionsJson } from './omissions.js';
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
  total: { readonly sessions: number; readonly paid: RequestSum },
  leftOut: readonly LeftOut[],
  matchesOf: (session: ListedSession) => readonly Match[] | undefined = () => undefined,
): Exact<z.output<typeof sessionsSchema>> {
  return {
    version: 1,
    sessions: sessions.map((session) => {
      const { id, agent, path, folder, changed, figures, paid, copied, resume } = session;
      return {
        id,
        agent,
        project: figures.project ?? (folder === '' ? null : folder),
        file: path,
        started: timeJson(figures.started),
        ended: timeJson(figures.ended),
        changed: new Date(changed).toISOString(),
        title: figures.title ?? null,
        model: figures.model ?? null,
        branch: figures.branch ?? null,
        subagents: figures.subagents,
        messages: figures.messages,
        ...paidJson(paid),
        copied_requests: copied?.requests ?? 0,
        resume: resume ?? null,
        findings: figures.findings ?? null,
        matches:
          matchesOf(session)?.map((match) => ({
            index: match.index,
            subagent: match.agent ?? null,
            text: match.text,
          })) ?? null,
        ...omissionsJson(figures.omissions),
      };
    }),
    total: { sessions: total.sessions, ...paidJson(total.paid) },
    left_out: leftOutJson(leftOut),
  };
}

function timeJson(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function paidJson(paid: RequestSum | undefined) {
  return {
    requests: paid?.requests ?? 0,
    tokens: paid === undefined || paid.requests === 0 ? null : paid.total,
    cost_usd: (paid && knownCost(paid)) ?? null,
    cost_source: paid?.costSource ?? null,
    unpriced_requests: paid?.unpriced ?? 0,
  };
}
