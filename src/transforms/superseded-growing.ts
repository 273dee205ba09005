/** Calls that later ones supersede, in a transcript that grows: what was superseded once stays so. */
import { mapParts } from '../transcript/edit.js';
import { isOpen, pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { type DedupeOptions, repeatedCalls } from './dedupe.js';
import { byFirstResult, type Superseded } from './every.js';
import { growDropped } from './left-growing.js';
import { inGroups, type Pace } from './pace.js';
import { failuresGoing, type RetriesOptions, shortenedFailures } from './retries.js';
import { outdatedCalls, type StaleOptions } from './stale.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. */
export function growDeduped(
  transcript: Transcript,
  options: DedupeOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  if (carries || options.lines === true || !supersedesAsItGrows(transcript, options)) return undefined;
  return growReplaced(transcript, repeatedCalls(transcript, options, counts));
}

export function growOutdated(
  transcript: Transcript,
  options: StaleOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  if (carries || !supersedesAsItGrows(transcript, options)) return undefined;
  return growReplaced(transcript, outdatedCalls(transcript, options, counts, true));
}

export function growRetried(
  transcript: Transcript,
  options: RetriesOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  if (carries || !supersedesAsItGrows(transcript, options) || !isAnsweredInOrder(transcript)) return undefined;
  return options.drop === true
    ? growDropped(transcript, failuresGoing(transcript, options))
    : growReplaced(transcript, shortenedFailures(transcript, options, counts));
}

/** While the result of an earlier call is missing, a later one seems to be the first success after a failure. */
function isAnsweredInOrder({ messages }: Transcript): boolean {
  const answered = pair(messages).calls.filter((call) => !isOpen(call));
  return byFirstResult(answered).every((call, at) => call === answered[at]);
}

/** Whether nothing that is added changes what a result says of its call, or which calls a group has. */
function supersedesAsItGrows({ messages }: Transcript, { every }: Pick<Pace, 'every'>): boolean {
  const pairing = pair(messages);
  const hasOneResult = pairing.calls.every(({ results }) => results.length <= 1);
  return typeof every === 'number' && hasOneResult && pairsAsItGrows(pairing);
}

function growReplaced({ messages }: Transcript, list: readonly Superseded[]): Grow {
  const going = inGroups(
    // a call that has no result yet is not superseded either
    list.map(({ call, since, parts }) => ({
      what: parts,
      ready: Math.max(since, call.results[0]!.message),
      frees: [],
    })),
    1,
  );
  const places = new Map(messages.flatMap(({ parts }, index) => parts.map((part) => [part, index] as const)));
  const output: Message[] = [];
  return (end) => {
    let same = output.length;
    for (let index = same; index < end; index++) output.push(messages[index]!);
    const replaced = new Map<Part, Part>(going(end).flatMap(({ what }) => [...what]));
    for (const [part, shorter] of replaced) {
      const at = places.get(part)!;
      if (part === shorter) continue;
      output[at] = mapParts(output[at]!, (one) => (one === part ? shorter : one));
      same = Math.min(same, at);
    }
    return { same, added: output.slice(same) };
  };
}
