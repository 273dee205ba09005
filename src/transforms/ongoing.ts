/** `every=auto` over conversations that go on: what was decided about their requests is not decided again. */
import { addAll } from '../lists.js';
import { type CallSite, pair } from '../transcript/pairs.js';
import type { Transcript } from '../transcript/types.js';
import type { Deciding, Due } from './pace.js';
import type { Longer } from './transform.js';

/** What can go since calls were added to a transcript. Only calls with a first result before `end` can. */
export type DuesOf<T> = (transcript: Transcript, calls: readonly CallSite[], end?: number) => readonly Due<T>[];

/** What goes from a conversation. */
interface Ongoing<T> {
  /** With the calls that were added; undefined if the same goes as before. */
  add(now: Transcript, calls: readonly CallSite[]): readonly T[] | undefined;
}

export function ongoingFor<T>(duesOf: DuesOf<T>, deciding: Deciding<T>): Ongoing<T> {
  const gone: T[] = [];
  let before: readonly T[] = [];
  return {
    add(now, calls) {
      deciding.add(now, duesOf(now, calls));
      addAll(gone, deciding.answered(now.messages.length).map(whatOf));
      const going = [...gone, ...deciding.atLast().map(whatOf)];
      const isSame = going.length === before.length && going.every((one, at) => one === before[at]);
      before = going;
      return isSame ? undefined : going;
    },
  };
}

function whatOf<T>({ what }: Due<T>): T {
  return what;
}

interface Way<T> {
  begin(): Ongoing<T>;
  without(now: Transcript, going: readonly T[]): Transcript;
}

/** See `Transform.resume`. */
export function goOn<T>({ now, added, before, after, memory }: Longer, { begin, without }: Way<T>): Transcript {
  memory.kept ??= begin();
  const calls = behind(pair(added).calls, before.messages.length);
  const going = (memory.kept as Ongoing<T>).add(now, calls);
  if (going !== undefined) return without(now, going);
  return before === after ? now : { ...now, messages: [...after.messages, ...added] };
}

/** The calls as they are in a longer list, behind so many messages. */
function behind(calls: readonly CallSite[], count: number): CallSite[] {
  return calls.map(({ part, message, results }) => {
    const call: CallSite = { part, message: message + count, results: [] };
    call.results = results.map((result) => ({ ...result, call, message: result.message + count }));
    return call;
  });
}
