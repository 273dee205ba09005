/** `every=auto` over conversations that go on: what was decided about their requests is not decided again. */
import { addAll } from '../lists.js';
import { behind, type CallSite, pair } from '../transcript/pairs.js';
import type { Transcript } from '../transcript/types.js';
import type { Deciding, Due } from './pace.js';
import type { Longer } from './transform.js';

/** What can go since calls were added to a transcript. Only calls with a first result before `end` can. */
export type DuesOf<T> = (transcript: Transcript, calls: readonly CallSite[], end?: number) => readonly Due<T>[];

/** What goes from a conversation. */
interface Ongoing<T> {
  /** With the calls that were added; the same list if nothing else goes than before. */
  add(now: Transcript, calls: readonly CallSite[]): readonly T[];
}

export function ongoingFor<T>(duesOf: DuesOf<T>, deciding: Deciding<T>): Ongoing<T> {
  const gone: T[] = [];
  let going: readonly T[] = [];
  return {
    add(now, calls) {
      deciding.add(now, duesOf(now, calls));
      addAll(gone, deciding.answered(now.messages.length).map(whatOf));
      const next = [...gone, ...deciding.atLast().map(whatOf)];
      const isSame = next.length === going.length && next.every((one, at) => one === going[at]);
      if (!isSame) going = next;
      return going;
    },
  };
}

function whatOf<T>({ what }: Due<T>): T {
  return what;
}

interface Way<T> {
  begin(before: Transcript): Ongoing<T>;
  without(now: Transcript, going: readonly T[]): Transcript;
}

interface Memory<T> {
  readonly ongoing: Ongoing<T>;
  going: readonly T[];
}

/** See `Transform.resume`. */
export function goOn<T>({ now, added, before, after, memory }: Longer, { begin, without }: Way<T>): Transcript {
  memory.kept ??= begun(begin(before), before);
  const known = memory.kept as Memory<T>;
  const going = known.ongoing.add(now, behind(pair(added).calls, before.messages.length));
  const isSame = going === known.going;
  known.going = going;
  if (!isSame) return without(now, going);
  return before === after ? now : { ...now, messages: [...after.messages, ...added] };
}

function begun<T>(ongoing: Ongoing<T>, before: Transcript): Memory<T> {
  return { ongoing, going: ongoing.add(before, pair(before.messages).calls) };
}
