/** Sessions with their sub-agents, by the times that they record. */
import { WITH_STORE } from '../../formats/agents.js';
import { groupBy } from '../../measure/stats/groups.js';
import { lastTimeIn } from './ends.js';
import type { SessionFile } from './sessions.js';

export interface WholeSession {
  readonly agent: string;
  readonly id: string;
  /** Its own file; that of a sub-agent if it is gone. */
  readonly main: SessionFile;
  /** This file first. */
  readonly files: readonly SessionFile[];
  /** The last time that it records; else when a file changed. Milliseconds since 1970. */
  readonly last: number;
}

/** Clocks of two machines may differ by this much. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** The sessions that have these files, newest first. */
export function wholeSessions(files: readonly SessionFile[], now: number): readonly WholeSession[] {
  return [...groupBy(files, ({ agent, session }) => `${agent}\n${session}`).values()]
    .map((own) => wholeOf(own, now + CLOCK_DIFFERENCE_MS))
    .sort((a, b) => b.last - a.last || (a.main.path < b.main.path ? -1 : 1));
}

function wholeOf(found: readonly SessionFile[], latest: number): WholeSession {
  const main = found.find(({ isPart }) => !isPart) ?? found[0]!;
  const files = [main, ...found.filter((file) => file !== main)];
  const last = files.reduce((time, file) => Math.max(time, lastOf(file, latest)), 0);
  return { agent: main.agent, id: main.session, main, files, last };
}

const BESIDE = WITH_STORE.flatMap(({ stores }) => stores.flatMap(({ usage }) => usage ?? []));

/** A file with a time in the future, as a copy or a wrong clock leaves it, is not the last one. */
function lastOf({ path, changed }: SessionFile, latest: number): number {
  const kind = BESIDE.find(({ of }) => of.test(path));
  const recorded = lastTimeIn(path, latest) ?? (kind && lastTimeIn(path.replace(kind.of, kind.is), latest));
  return recorded ?? (changed > latest ? 0 : changed);
}
