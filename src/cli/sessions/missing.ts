/** Sessions that will be missing: their agent is about to delete them. */
import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Store } from '../../formats/agent.js';
import { WITH_STORE } from '../../formats/agents.js';
import type { Terminal } from '../terminal/terminal.js';
import { foldersOf, type LeftOut, type SessionFile } from './sessions.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before the deletion. It happens when the agent starts; older sessions tell that this one does not delete. */
const SOON = 3;
const LATE = 1;

/** `now`: milliseconds since 1970. */
export function deletedSoon(env: Terminal['env'], sessions: readonly SessionFile[], now: number): LeftOut[] {
  return WITH_STORE.flatMap(({ id, title, stores }) =>
    stores.flatMap((store) =>
      foldersOf(store, env).flatMap((folder) => {
        const days = daysIn(folder, store);
        const isDue = ({ agent, path, changed }: SessionFile) => {
          const left = days - (now - changed) / DAY_MS;
          return agent === id && left <= SOON && left > -LATE && path.startsWith(folder + sep);
        };
        const due = sessions.filter((session) => !session.isPart && isDue(session)).length;
        const setting = `${store.deletes?.setting} is ${days}`;
        const why = `${title} deletes ${due} of its sessions within ${SOON} days (${setting})`;
        return due === 0 ? [] : [{ agent: id, path: folder, sessions: due, why, isListed: true } as const];
      }),
    ),
  );
}

/** Days without a change until a session is deleted. */
function daysIn(folder: string, { deletes }: Store): number {
  if (deletes === undefined) return Number.POSITIVE_INFINITY;
  const { days, setting, file } = deletes;
  try {
    const own = (JSON.parse(readFileSync(join(dirname(folder), file), 'utf8')) as Record<string, unknown>)[setting];
    return typeof own === 'number' ? own : days;
  } catch {
    return days; // the agent, too, does without a file that is missing or broken
  }
}
