/** `fit` for a transcript that grows: the cut only moves on. */
import type { Message, Transcript } from '../transcript/types.js';
import {
  cutsGrow,
  cutsIn,
  endingsOf,
  isWholeIn,
  type Kept,
  openingsOf,
  runningSums,
  type Span,
  steadyCut,
} from './fit-cuts.js';
import { overheadTokens } from './request.js';
import type { Counts, Grow } from './transform.js';

interface FitOptions {
  readonly maxTokens: number | undefined;
  readonly strategy: 'last' | 'first';
  readonly everything: boolean | undefined;
  readonly unit: 'exchange' | 'round' | 'auto';
  readonly lowWater: number | undefined;
}

/** See `Transform.grow`. Undefined if later messages change where the transcript may be cut. */
export function growFitted(
  transcript: Transcript,
  options: FitOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  const { messages } = transcript;
  const { maxTokens, strategy, everything = false, unit, lowWater } = options;
  const head = messages.findIndex(({ role }) => role !== 'system' && role !== 'meta');
  const openings = openingsOf(messages);
  const overhead = overheadTokens(transcript, counts);
  const isSteady =
    head >= 0 &&
    overhead === overheadTokens({ ...transcript, messages: messages.slice(0, head) }, counts) &&
    cutsGrow(transcript, unit);
  const goesOn = !carries || (everything && strategy === 'last');
  if (maxTokens === undefined || !goesOn || !isSteady) return undefined;

  const sums = runningSums(messages.map((message) => counts.message(message)));
  const between = ({ start, end }: Span) => sums[end]! - sums[start]!;
  const room = maxTokens - overhead - sums[head]!;
  const cuts = cutsIn(messages, openings, unit).filter((cut) => cut > head);
  if (strategy === 'first') {
    const task = everything ? undefined : openings[0];
    const first = { cuts: cuts.filter((cut) => task === undefined || task.end <= cut), head, room, sums };
    const isCutBeforeTask = task !== undefined && between({ start: head, end: task.start }) > room; // and not after it
    return transcript.traits.endsOnReply === true || isCutBeforeTask
      ? undefined
      : growFirst(messages, first, isWholeIn(openings, options));
  }
  const all: Kept = { start: head, end: messages.length, extra: [] };
  const candidates = [all, ...endingsOf(messages, openings, cuts, !everything)];
  const cutFor = steadyCut(
    candidates,
    (kept) => between(kept) + kept.extra.reduce((sum, one) => sum + between(one), 0),
    { room, low: room - (1 - (lowWater ?? 1)) * maxTokens, isWhole: isWholeIn(openings, { unit, strategy }) },
  );
  const sent = ({ start, end }: Span) => messages.slice(start, end).filter(({ role }) => role !== 'meta');
  let before = 0; // the candidate
  let done = 0; // messages before this index have been seen
  let length = 0; // of the output
  return (end) => {
    const at = cutFor(end);
    const { start, extra } = candidates[at]!;
    const same = at === before ? length : 0;
    const spans = at === before ? [{ start: done, end }] : [{ start: 0, end: head }, ...extra, { start, end }];
    const added = spans.flatMap(sent);
    [before, done, length] = [at, end, same + added.length];
    return { same, added };
  };
}

interface Beginnings {
  readonly cuts: readonly number[];
  readonly head: number;
  readonly room: number;
  readonly sums: readonly number[];
}

/** The beginning: once it exceeds the room, what is added changes nothing, but for the first place to cut. */
function growFirst(
  messages: readonly Message[],
  { cuts, head, room, sums }: Beginnings,
  isWhole: (kept: Kept) => boolean,
): Grow {
  const counts = [0]; // how many messages are sent of those before each index
  for (const { role } of messages) counts.push(counts.at(-1)! + (role === 'meta' ? 0 : 1));
  const fits = (cut: number) => sums[cut]! - sums[head]! <= room;
  const cutBefore = (end: number): number | undefined => {
    if (fits(end) || cuts[0] === undefined || cuts[0] >= end) return undefined;
    const fitting = cuts.filter((cut) => cut < end && fits(cut));
    return fitting.findLast((cut) => isWhole({ start: head, end: cut, extra: [] })) ?? fitting.at(-1) ?? cuts[0];
  };
  let before = 0; // what was sent ended here
  let last: number | undefined;
  return (end) => {
    last ??= cutBefore(end);
    const now = last ?? end;
    const added = messages.slice(before, now).filter(({ role }) => role !== 'meta');
    const same = counts[Math.min(before, now)]!;
    before = now;
    return { same, added };
  };
}
