/** `strip` for a transcript that grows: each message loses its calls and results when it comes. */
import { pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Part, Transcript } from '../transcript/types.js';
import { growLeft } from './left-growing.js';
import { type StripOptions, strippedOfEach, summaryOf, trafficIn } from './strip.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. */
export function growStripped(
  transcript: Transcript,
  options: StripOptions,
  _counts: Counts,
  carries: boolean,
): Grow | undefined {
  const { messages, traits } = transcript;
  const pairing = pair(messages);
  // results of unknown tools go once there are calls, and the last message is not the last for long
  const hasUnknown = pairing.results.some(({ part, call }) => call === undefined && part.tool === undefined);
  const looksAtLast = options.retryPrompt !== undefined || (options.keepToolNames && traits.endsOnReply);
  if (carries || hasUnknown || looksAtLast || !pairsAsItGrows(pairing)) return undefined;

  const { removed, calls } = trafficIn(transcript, options);
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
      left: (some, index) => strippedOfEach(some, removed, options, index <= place ? summary : undefined),
    };
  });
}
