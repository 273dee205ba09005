/** Messages of the user that go with all calls of their turns, in a transcript that grows. */
import { withoutPartsOf } from '../transcript/edit.js';
import type { CallSite } from '../transcript/pairs.js';
import { turns } from '../transcript/turns.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { leftOfEach, partsOfCalls } from './drop-calls.js';
import { isSummary } from './emptied-turns.js';
import type { FilterOptions } from './filter.js';
import { firstOf, growLeft } from './left-growing.js';
import type { Going } from './pace.js';
import type { Grow } from './transform.js';

/** What `filter --drop-user` leaves. Undefined where reasoning that stands alone may decide what begins the history. */
export function growEmptied(
  transcript: Transcript,
  going: Going<readonly CallSite[]>,
  { every }: Pick<FilterOptions, 'every'>,
): Grow | undefined {
  const { piecesStandAlone, userBegins, needsUser } = transcript.traits;
  if (piecesStandAlone && (userBegins || needsUser)) return undefined;
  const dropped = new Set<Part>();
  const emptied = emptiedOf(transcript.messages);
  const openingNow = openingOf(transcript, dropped, emptied.users);
  let full = 0; // only turns that ended by this message may lose their user message
  let opening: number | undefined;
  return growLeft(transcript, (end) => {
    const now = going(end);
    const calls = now.flatMap(({ what }) => what);
    for (const part of partsOfCalls(calls)) dropped.add(part);
    full = every === 1 && dropped.size > 0 ? end : now.reduce((most, { ready }) => Math.max(most, ready), full);
    const from = Math.min(firstOf(calls), emptied.update(end, calls, full));
    const before = opening;
    opening = dropped.size > 0 ? openingNow(end, from) : undefined;
    return {
      from: opening === before ? from : Math.min(from, before ?? from, opening ?? from),
      left: (some, index) =>
        leftOfEach(some, dropped, emptied.users).map((message, at) => {
          const left = index + at === opening ? some.messages[at] : message;
          return left === undefined ? [] : [left];
        }),
    };
  });
}

interface Emptied {
  /** The user messages of turns that had calls and keep none. */
  readonly users: ReadonlySet<Message>;
  /** Returns the first message that goes now, or comes again; infinite if none does. */
  update(end: number, dropped: readonly CallSite[], full: number): number;
}

function emptiedOf(messages: readonly Message[]): Emptied {
  const all = turns(messages);
  const turnOf: number[] = []; // by message; none before the first turn
  for (const [turn, { start, end }] of all.entries()) for (let at = start; at < end; at++) turnOf[at] = turn;
  const calls = all.map(() => ({ had: 0, left: 0 }));
  const users = new Set<Message>();
  let seen = 0; // messages
  let ended = 0; // turns
  const isEmptied = (turn: number) =>
    turn < ended && calls[turn]!.had > 0 && calls[turn]!.left === 0 && !isSummary(messages, all[turn]!.start);
  return {
    users,
    update(end, dropped, full) {
      const touched = new Set<number>();
      const count = (message: number, had: number, left: number) => {
        const turn = turnOf[message];
        if (turn === undefined || left === 0) return;
        calls[turn]!.had += had;
        calls[turn]!.left += left;
        touched.add(turn);
      };
      for (; seen < end; seen++) {
        const { length } = messages[seen]!.parts.filter(({ type }) => type === 'call');
        count(seen, length, length);
      }
      for (const { message } of dropped) count(message, 0, -1);
      // the last turn ends where the history ends
      for (; ended < all.length && all[ended]!.start < end && Math.min(all[ended]!.end, end) <= full; ended++)
        touched.add(ended);
      let first = Number.POSITIVE_INFINITY;
      for (const turn of touched) {
        const { start } = all[turn]!;
        const user = messages[start]!;
        if (isEmptied(turn) === users.has(user)) continue;
        if (!users.delete(user)) users.add(user);
        first = Math.min(first, start);
      }
      return first;
    },
  };
}

/** The user's question that has to stay, as `filter` finds it. `from`: nothing before it has changed. */
function openingOf(transcript: Transcript, dropped: ReadonlySet<Part>, users: ReadonlySet<Message>) {
  const { messages, traits } = transcript;
  const isSaid = ({ role }: Message) => role !== 'system' && role !== 'meta';
  // reasoning that stands alone may go with what followed it
  const isLeft = (message: Message) =>
    isSaid(message) &&
    !users.has(message) &&
    !(traits.piecesStandAlone && message.parts.every(({ type }) => type === 'thinking')) &&
    withoutPartsOf(message, dropped) !== undefined;
  let first = 0; // of the messages that are left
  return (end: number, from: number): number | undefined => {
    first = Math.min(first, from);
    while (first < end && !isLeft(messages[first]!)) first++;
    if (first === end) {
      const some = { ...transcript, messages: messages.slice(0, end) };
      const isNone =
        !traits.piecesStandAlone || !leftOfEach(some, dropped, users).some((message) => message && isSaid(message));
      return isNone ? lastUser(messages, end) : undefined;
    }
    const { role, raw } = messages[first]!;
    if (role !== 'assistant') return undefined;
    const isMissed = () =>
      traits.needsUser && !messages.slice(0, end).some((one) => one.role === 'user' && !users.has(one));
    if (!traits.userBegins && !isMissed()) return undefined;
    return lastUser(
      messages,
      messages.findIndex((message) => message.raw === raw),
    );
  };
}

function lastUser(messages: readonly Message[], end: number): number | undefined {
  let at = end - 1;
  while (at >= 0 && messages[at]!.role !== 'user') at--;
  return at < 0 ? undefined : at;
}
