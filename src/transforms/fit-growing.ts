/** `fit` for a transcript that grows: the cut only moves on. */
import type { Transcript } from '../transcript/types.js';
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
  { maxTokens, strategy, everything = false, unit, lowWater }: FitOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  const { messages } = transcript;
  const head = messages.findIndex(({ role }) => role !== 'system' && role !== 'meta');
  const openings = openingsOf(messages);
  const overhead = overheadTokens(transcript, counts);
  const isSteady =
    head >= 0 &&
    overhead === overheadTokens({ ...transcript, messages: messages.slice(0, head) }, counts) &&
    cutsGrow(transcript, unit);
  if (maxTokens === undefined || strategy === 'first' || (carries && !everything) || !isSteady) return undefined;

  const sums = runningSums(messages.map((message) => counts.message(message)));
  const between = ({ start, end }: Span) => sums[end]! - sums[start]!;
  const room = maxTokens - overhead - sums[head]!;
  const cuts = cutsIn(messages, openings, unit).filter((cut) => cut > head);
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
