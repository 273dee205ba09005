/** `clear` for a transcript that grows: each step looks only at new messages and at the results that become old. */
import { mapParts } from '../transcript/edit.js';
import { pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { type ClearOptions, goingCleared } from './clear-going.js';
import { overheadTokens } from './request.js';
import type { Counts, Grow } from './transform.js';

/** See `Transform.grow`. Undefined if later messages change which result belongs to which call. */
export function growCleared(
  transcript: Transcript,
  options: ClearOptions,
  counts: Counts,
  carries: boolean,
): Grow | undefined {
  const { messages } = transcript;
  const pairing = pair(messages);
  if (!pairsAsItGrows(pairing)) return undefined;
  const going = goingCleared(transcript, options, counts);
  const replacements = new Map<Part, Part>();
  const places = placesOf(messages);
  const output: Message[] = [];
  const due = new Map<number, Message>(); // messages to clear once the trigger is exceeded, by index
  let overhead = 0;
  let tokens = 0;
  let freed = 0;

  const add = (end: number) => {
    const from = output.length;
    for (let index = from; index < end; index++) {
      output.push(messages[index]!);
      tokens += counts.message(messages[index]!);
    }
    if (from === 0 || output.slice(from).some(({ role }) => role === 'system'))
      overhead = overheadTokens({ ...transcript, messages: output }, counts);
  };
  /** Replaces the results of calls that are no longer new. Returns the messages that hold them. */
  const age = (end: number): number[] =>
    going(end).flatMap(({ what }) =>
      [...what].map(([part, cleared]) => {
        replacements.set(part, cleared);
        return places.get(part)!;
      }),
    );
  const shorten = (index: number) => {
    const before = due.get(index) ?? output[index]!;
    const after = mapParts(before, (part) => replacements.get(part) ?? part);
    if (after === before) return;
    due.set(index, after);
    freed += counts.message(before) - counts.message(after);
  };
  return (end) => {
    let same = output.length;
    add(end);
    const touched = new Set(age(end));
    for (let index = same; index < end; index++) touched.add(index); // later results of calls that are old already
    for (const index of touched) if (index < end) shorten(index);
    if (overhead + tokens > options.trigger && freed >= (options.clearAtLeast ?? 0)) {
      for (const [index, message] of due) {
        output[index] = message;
        same = Math.min(same, index);
      }
      due.clear();
      if (carries) [tokens, freed] = [tokens - freed, 0];
    }
    return { same, added: output.slice(same) };
  };
}

function placesOf(messages: readonly Message[]): ReadonlyMap<Part, number> {
  return new Map(messages.flatMap(({ parts }, index) => parts.map((part) => [part, index] as const)));
}
