/** `sessions --grep`: the messages with a match. */
import { sessionName } from '../../../engine/sessions/figures.js';
import { type Match, matchesIn, searchFor } from '../../../engine/show/selection.js';
import { addAll, listIn } from '../../../lists.js';
import type { Pattern } from '../../../text/pattern.js';
import { openInput } from '../../files/input.js';
import { openTranscripts } from '../../inputs/reading.js';
import type { LeftOut, SessionFile } from '../../sessions/sessions.js';
import type { WholeSession } from '../../sessions/whole.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { SessionsOptions } from './options.js';
import { orLeave, QUIET, READING } from './reading.js';

/** By session, the messages with a match, of the newest sessions that have one. */
export async function matchesAmong(
  sessions: readonly WholeSession[],
  { grep, top }: SessionsOptions,
  leftOut: LeftOut[],
  terminal: Terminal,
): Promise<ReadonlyMap<string, readonly Match[]>> {
  const pattern = searchFor(grep!);
  const found = new Map<string, Match[]>();
  for (const { agent, id, files } of sessions) {
    if (found.size === top) break;
    for (const file of files) {
      const own = (await orLeave(file, leftOut, () => matchesOfFile(file, pattern, terminal))) ?? [];
      if (own.length > 0) addAll(listIn(found, sessionName(agent, id)), own);
    }
  }
  return found;
}

async function matchesOfFile(
  { path, isPart, id }: SessionFile,
  pattern: Pattern,
  terminal: Terminal,
): Promise<Match[]> {
  const input = await openInput({ name: path }, terminal);
  try {
    const found: Match[] = [];
    for (const { transcript } of openTranscripts(input, READING, { ...terminal, ...QUIET }))
      addAll(found, matchesIn(isPart ? { ...transcript, agent: id } : transcript, pattern));
    return found;
  } finally {
    input.close();
  }
}
