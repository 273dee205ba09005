/** `stats` has a row for each transcript, also for those without requests. */
import { agentOf } from '../../formats/agents.js';
import type { TranscriptFacts } from './facts.js';
import { type Origin, placeOf } from './group-keys.js';
import type { GroupFacts } from './groups.js';
import type { RequestList } from './request.js';
import { sumRequests } from './request-sum.js';

/** Whether a request has no key, so that the ledger has put it into a group. */
export function isFinal(requests: RequestList): boolean {
  for (let index = 0; index < requests.length; index++)
    if ((requests.keyAt === undefined ? requests.at(index)!.key : requests.keyAt(index)) === undefined) return true;
  return false;
}

/** Groups by transcript, and one without requests for each transcript that has none. */
export function withEmptyGroups(groups: readonly GroupFacts[], places: readonly Origin[]): readonly GroupFacts[] {
  if (places.length === 0) return groups;
  const known = new Set(groups.map(({ names }) => names[0]));
  const empty = places.filter((place) => !known.has(placeOf(place)));
  return [...groups, ...empty.map(emptyGroup)];
}

/** Without its messages, which large inputs have no room for. */
export function placeIn({ file, line, format, project }: TranscriptFacts): Origin {
  return { file, line, format, project, turnStarts: [] };
}

function emptyGroup(place: Origin): GroupFacts {
  const { file, line, format } = place;
  const columns = {
    ...{ file, line, agent: agentOf(format, file), project: place.project, index: undefined, session: undefined },
    ...{ title: undefined, branch: undefined, day: undefined, week: undefined, month: undefined, model: undefined },
  };
  return { names: [placeOf(place)], ...columns, ...sumRequests([]), share: 0, window: undefined };
}
