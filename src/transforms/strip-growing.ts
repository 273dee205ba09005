/** `strip` for a transcript that grows: each message loses its calls and results when it comes. */
import { type Pairing, pair, pairsAsItGrows, type ResultSite } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { growLeft } from './left-growing.js';
import { type StripOptions, strippedOfEach, summaryOf, trafficIn } from './strip.js';
import { isForAll } from './tools.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. */
export function growStripped(
  transcript: Transcript,
  options: StripOptions,
  _counts: Counts,
  carries: boolean,
): Grow | undefined {
  const { messages, traits } = transcript;
  const looksAtLast = options.retryPrompt !== undefined || (options.keepToolNames && traits.endsOnReply);
  if (carries || looksAtLast || !(isForAll(options) || goesAtOnce(pair(messages)))) return undefined;

  const traffic = trafficIn(transcript, options);
  const { calls } = traffic;
  const place = calls[0]?.message ?? Number.POSITIVE_INFINITY;
  const tools = new Set<string>();
  let known = 0;
  let summary: Part | undefined;
  return growLeft(transcript, (end) => {
    const { size } = tools;
    for (; known < calls.length && calls[known]!.message < end; known++)
      if (calls[known]!.part.tool !== '') tools.add(calls[known]!.part.tool);
    const isOther = options.keepToolNames === true && tools.size > size;
    if (isOther) summary = summaryOf(tools, options);
    return {
      from: isOther ? place : Number.POSITIVE_INFINITY,
      left: (some, index) => strippedOfEach(some, traffic, index <= place ? summary : undefined),
    };
  });
}

/** Whether a result goes with its message, if it goes: those of unknown tools go once there are calls. */
function goesAtOnce(pairing: Pairing): boolean {
  const isUnknown = ({ part, call }: ResultSite) => call === undefined && part.tool === undefined;
  return pairsAsItGrows(pairing) && !pairing.results.some(isUnknown);
}
