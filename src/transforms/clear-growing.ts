/** What `clear` clears when, also for a transcript that grows: each step looks only at new messages and old results. */
import { mapParts } from '../transcript/edit.js';
import { pair, pairsAsItGrows } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import { type ClearedWith, clearedParts } from './clear-calls.js';
import { byFirstResult } from './every.js';
import { mayGo } from './keeping.js';
import { type Due, type Going, goingOf, type Pace, sizeOf } from './pace.js';
import { overheadTokens } from './request.js';
import { toolMatcher } from './tools.js';
import type { Counts, Grow } from './transform.js';

interface ClearOptions extends ClearedWith, Pace {
  readonly trigger: number;
  readonly keep: number;
  readonly clearAtLeast: number | undefined;
  readonly minSize: number | undefined;
  readonly everything: boolean | undefined;
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

/** The parts of a call that are cleared, and what stands for them. */
type Cleared = ReadonlyMap<Part, Part>;

/** With `every=auto`, small results stay whole: they free little, and are often used again. */
const SMALL = 1000;

/** The results that are cleared while the transcript grows. */
export function goingCleared(transcript: Transcript, options: ClearOptions, counts: Counts): Going<Cleared> {
  const { calls } = pair(transcript.messages);
  const answered = byFirstResult(calls);
  const matches = toolMatcher(options);
  const may = mayGo(calls, transcript.traits, options.everything);
  const least = options.minSize ?? (options.every === 'auto' ? SMALL : 0);
  const kept = Math.max(0, options.keep);
  const old = answered.slice(0, Math.max(0, answered.length - kept));
  const dues = old.flatMap((call, index): Due<Cleared>[] => {
    const ready = Math.max(may(call), answered[index + kept]!.results[0]!.message);
    const isLong = call.results.reduce((sum, { part }) => sum + sizeOf(part), 0) >= least;
    const what = isLong && matches(call.part.tool) && ready < NEVER ? clearedParts(call, options, counts) : NOTHING;
    const saved = (part: Part) => sizeOf(part) - sizeOf(what.get(part) ?? part);
    const parts = [call, ...call.results].map(({ message, part }) => [message, saved(part)] as const);
    return what.size === 0 ? [] : [{ what, ready, frees: parts.filter(([, size]) => size !== 0) }];
  });
  return goingOf(transcript, dues, options, {
    isWhole: true,
    from: () => firstAbove(transcript, options.trigger, counts),
  });
}

const NEVER = Number.POSITIVE_INFINITY;
const NOTHING: Cleared = new Map();

/** The message with which the request exceeds a number of tokens. */
function firstAbove(transcript: Transcript, tokens: number, counts: Counts): number {
  let sum = overheadTokens(transcript, counts);
  return transcript.messages.findIndex((message) => {
    sum += counts.message(message);
    return sum > tokens;
  });
}

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
